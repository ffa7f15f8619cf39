package dev.outcrop.rocksdbjni;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.CRC32;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.Holder;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksObject;
import org.rocksdb.Status;

/** Values as text, the same on both sides: without addresses, times, and names that RocksDB makes up. */
@NullUnmarked // null is an argument and a result like any other here
final class DifferentialText {

    private static final int WHOLE = 16;
    /** Getters with results that depend on time, place, process or the order of a hash table. */
    private static final Set<String> LEFT_OUT = Set.of("getClass", "hashCode", "toString", "close", "clone",
            "newLiveFileMetaDataHandle", "getCreationTime", "getOldestKeyTime", "getReadableProperties", "path",
            "getUserCollectedProperties", "builder", "build", "fileCreationTime", "oldestAncesterTime", "uniqueId",
            "getNativeHandle", "getSlowCompressionEstimatedDataSize", "getFastCompressionEstimatedDataSize",
            // With the names in table files, which have other lengths.
            "manifestFileSize", "size", "numReadsSampled",
            // Logs are moved to the archive some time after they were needed.
            "pathName", "type");
    private static final Pattern FILE = Pattern.compile("\\d{6}\\.(sst|blob|log)");

    private final String directory;
    private final Set<String> leftOut;

    /**
     * For one run.
     *
     * @param directory of its databases
     * @param leftOut   getters that are not called, with the names of their classes
     */
    DifferentialText(String directory, Set<String> leftOut) {
        this.directory = directory;
        this.leftOut = leftOut;
    }

    /** A message without the names of this run. */
    String cleaned(String message) {
        return message == null
                ? "null"
                : FILE.matcher(message.replace(directory, "DIR")).replaceAll("N.$1").replaceAll("[\t\r\n]", " ");
    }

    String of(Object value) {
        return switch (value) {
            case null -> "null";
            case byte[] bytes -> of(bytes);
            case ByteBuffer buffer -> of(buffer);
            case String string -> '"' + cleaned(string) + '"';
            case Number number -> number.toString();
            case Boolean flag -> flag.toString();
            case Character character -> character.toString();
            case Enum<?> constant -> constant.name();
            case Status status -> of(status);
            case ColumnFamilyHandle family -> of(family);
            case Holder<?> holder -> "Holder " + of(holder.getValue());
            case Collection<?> collection -> collection.stream().map(this::of).toList().toString();
            case Map<?, ?> map -> of(map);
            case RocksObject object -> publicType(object.getClass());
            default -> value.getClass().isArray() ? ofArray(value) : ofBean(value);
        };
    }

    private static String publicType(Class<?> type) {
        return Modifier.isPublic(type.getModifiers()) ? type.getSimpleName() : publicType(type.getSuperclass());
    }

    private static String of(byte[] bytes) {
        if (bytes.length <= WHOLE) {
            return "x" + HexFormat.of().formatHex(bytes);
        }
        CRC32 sum = new CRC32();
        sum.update(bytes);
        return bytes.length + "x" + HexFormat.of().formatHex(bytes, 0, 4) + ".." + Long.toHexString(sum.getValue());
    }

    /** Position, limit, and all that is in it. */
    private String of(ByteBuffer buffer) {
        byte[] all = new byte[buffer.capacity()];
        buffer.duplicate().clear().get(all);
        return (buffer.isDirect() ? "direct" : "heap") + (buffer.isReadOnly() ? " read-only" : "") + " "
                + buffer.position() + ".." + buffer.limit() + " " + of(all);
    }

    private String of(Status status) {
        return status.getCode() + "/" + status.getSubCode() + "/" + cleaned(status.getState());
    }

    private String of(ColumnFamilyHandle family) {
        try {
            return "family " + of(family.getName()) + " " + family.getID();
        } catch (RocksDBException e) {
            return "family " + of(e.getStatus());
        }
    }

    private String of(Map<?, ?> map) {
        List<String> entries = new ArrayList<>();
        map.forEach((key, value) -> entries.add(of(key) + "=" + of(value)));
        Collections.sort(entries);
        return entries.toString();
    }

    private String ofArray(Object array) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < Array.getLength(array); i++) {
            parts.add(of(Array.get(array, i)));
        }
        return parts.toString();
    }

    /** The values of its public fields and getters. */
    private String ofBean(Object bean) {
        Map<String, String> parts = new TreeMap<>();
        try {
            for (Field field : bean.getClass().getFields()) {
                if (!Modifier.isStatic(field.getModifiers())) {
                    parts.put(field.getName(), of(field.get(bean)));
                }
            }
            for (Method getter : getters(bean.getClass())) {
                if (!leftOut.contains(getter.getDeclaringClass().getSimpleName() + "." + getter.getName() + "()")) {
                    parts.put(getter.getName(), of(getter.invoke(bean)));
                }
            }
        } catch (InvocationTargetException e) {
            parts.put("throws", cleaned(Objects.toString(e.getCause())));
        } catch (IllegalAccessException e) {
            throw new IllegalStateException(e);
        }
        return bean.getClass().getSimpleName() + parts;
    }

    private static List<Method> getters(Class<?> type) {
        return Arrays.stream(type.getMethods())
                .filter(method -> method.getParameterCount() == 0 && method.getReturnType() != void.class
                        && !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic()
                        && method.getDeclaringClass() != Object.class && !LEFT_OUT.contains(method.getName())
                        && Modifier.isPublic(method.getDeclaringClass().getModifiers()))
                .sorted(Comparator.comparing(Method::getName)).toList();
    }
}
