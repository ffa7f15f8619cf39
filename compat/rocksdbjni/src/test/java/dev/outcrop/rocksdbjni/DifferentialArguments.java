package dev.outcrop.rocksdbjni;

import java.lang.reflect.Executable;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import org.jspecify.annotations.NullUnmarked;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Holder;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.Range;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.SizeApproximationFlag;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** The arguments of one call, by the types of its parameters: mostly good ones, now and then a bad one. */
@NullUnmarked // null is an argument and a result like any other here
final class DifferentialArguments {

    static final List<String> PROPERTIES = List.of("rocksdb.num-files-at-level0", "rocksdb.num-files-at-level1",
            "rocksdb.num-immutable-mem-table", "rocksdb.mem-table-flush-pending", "rocksdb.compaction-pending",
            "rocksdb.background-errors", "rocksdb.num-entries-active-mem-table", "rocksdb.num-deletes-active-mem-table",
            "rocksdb.num-entries-imm-mem-tables", "rocksdb.estimate-num-keys", "rocksdb.is-file-deletions-enabled",
            "rocksdb.num-snapshots", "rocksdb.num-live-versions", "rocksdb.base-level", "rocksdb.num-blob-files",
            "rocksdb.is-write-stopped",
            "rocksdb.actual-delayed-write-rate", "rocksdb.block-cache-capacity", "rocksdb.min-log-number-to-keep",
            "rocksdb.oldest-snapshot-sequence", "rocksdb.levelstats-nonsense", "", "nonsense");
    private static final List<String> BAD_INTS = List.of("-1", "-2147483648", "2147483647", "100000");
    private static final int[] SIZES = {0, 1, 8, 8, 8, 8, 20, 100, 3000};

    private final Random random;
    private final DifferentialWorld world;
    private final Executable method;
    private final Object[] values;
    private final List<AutoCloseable> toClose = new ArrayList<>();
    private final int many;
    private final boolean direct;
    private int bytesSoFar;

    /**
     * Makes them.
     *
     * @param world  the objects there are
     * @param method to be called
     * @param random decides
     */
    DifferentialArguments(DifferentialWorld world, Executable method, Random random) {
        this.world = world;
        this.method = method;
        this.random = random;
        // The key of no parts is empty, and not one for single deletion.
        this.many = Math.max(random.nextInt(5), method.getName().equals("singleDelete") ? 1 : 0);
        this.direct = random.nextBoolean();
        Type[] types = method.getGenericParameterTypes();
        values = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            if (values[i] == null) {
                fill(types, i);
            }
        }
        if (method.getName().equals("deleteRange")) {
            order();
        }
        if (types.length > 0 && random.nextInt(20) == 0) {
            damage(random.nextInt(types.length));
        }
    }

    Object[] values() {
        return values;
    }

    /** Closes options that were made for this call. */
    void close() throws Exception {
        for (AutoCloseable each : toClose) {
            each.close();
        }
    }

    /** The last two arguments: a range that ends before it begins stops the published jar's database, and is refused by ours. */
    private void order() {
        int last = values.length - 1;
        boolean isReversed = values[0] instanceof ColumnFamilyHandle family && world.isReverse(family);
        if (Arrays.compareUnsigned((byte[]) values[last - 1], (byte[]) values[last]) > 0 != isReversed) {
            Object begin = values[last - 1];
            values[last - 1] = values[last];
            values[last] = begin;
        }
    }

    private void fill(Type[] types, int i) {
        if (types[i] == byte[].class) {
            byte[] bytes = bytes(bytesSoFar++);
            if (i + 2 < types.length && types[i + 1] == int.class && types[i + 2] == int.class) {
                int before = random.nextInt(4);
                byte[] within = new byte[before + bytes.length + random.nextInt(4)];
                Arrays.fill(within, (byte) 'w');
                System.arraycopy(bytes, 0, within, before, bytes.length);
                values[i] = within;
                values[i + 1] = before;
                values[i + 2] = bytes.length;
            } else {
                values[i] = bytes;
            }
        } else {
            values[i] = one(types[i]);
        }
    }

    private Object one(Type type) {
        return switch (type.getTypeName()) {
            case "java.nio.ByteBuffer" -> buffer(bytes(bytesSoFar++));
            // Without the ends of ranges, files cannot be deleted here.
            case "boolean" -> method.getName().equals("deleteFilesInRanges") || random.nextBoolean();
            case "int" -> random.nextInt(3);
            case "long" -> (long) random.nextInt(50);
            case "java.lang.String" -> property();
            case "byte[][]" -> keys().toArray(new byte[0][]);
            case "java.util.List<byte[]>" -> keys();
            case "java.util.List<java.nio.ByteBuffer>" -> buffers(bytesSoFar++);
            case "java.util.List<org.rocksdb.ColumnFamilyHandle>" -> many(world::anyFamily);
            case "java.util.List<org.rocksdb.Range>" -> many(this::range);
            case "org.rocksdb.SizeApproximationFlag[]" ->
                new SizeApproximationFlag[]{SizeApproximationFlag.INCLUDE_FILES};
            default -> ofRocksDb(type instanceof ParameterizedType generic ? generic.getRawType() : type);
        };
    }

    /** Not a sum over block caches: here it is refused if there are several families. */
    private String property() {
        String property = PROPERTIES.get(random.nextInt(PROPERTIES.size()));
        return method.getName().startsWith("getAggregated") && property.contains("block-cache")
                ? "rocksdb.estimate-num-keys"
                : property;
    }

    private Object ofRocksDb(Type type) {
        if (type == ColumnFamilyHandle.class) {
            return world.anyFamily(random);
        } else if (type == ReadOptions.class) {
            return toBeClosed(world.readOptions(random, method.getName().startsWith("newIterator")));
        } else if (type == WriteOptions.class) {
            return toBeClosed(new WriteOptions().setDisableWAL(random.nextInt(8) == 0));
        } else if (type == FlushOptions.class) {
            return toBeClosed(new FlushOptions().setAllowWriteStall(true));
        } else if (type == CompactRangeOptions.class) {
            return toBeClosed(new CompactRangeOptions().setChangeLevel(random.nextBoolean())
                    .setExclusiveManualCompaction(random.nextBoolean()));
        } else if (type == IngestExternalFileOptions.class) {
            return toBeClosed(new IngestExternalFileOptions());
        } else if (type == DBOptions.class) {
            return toBeClosed(new DBOptions());
        } else if (type == Holder.class) {
            return random.nextInt(4) == 0 ? null : new Holder<byte[]>();
        } else if (type == Snapshot.class) {
            return world.anySnapshot(random);
        } else if (type == Range.class) {
            return range(random);
        } else if (type == WriteBatch.class) {
            return world.batch;
        } else if (type == WriteBatchWithIndex.class) {
            return world.indexed;
        } else if (type == RocksDB.class) {
            return world.database;
        } else {
            throw new IllegalStateException("No argument for " + method);
        }
    }

    private <T extends AutoCloseable> T toBeClosed(T object) {
        toClose.add(object);
        return object;
    }

    private Range range(Random chance) {
        byte[] from = key(chance);
        byte[] to = key(chance);
        boolean ordered = Arrays.compareUnsigned(from, to) <= 0;
        return new Range(toBeClosed(new Slice(ordered ? from : to)), toBeClosed(new Slice(ordered ? to : from)));
    }

    private <T> List<T> many(java.util.function.Function<Random, T> one) {
        List<T> list = new ArrayList<>();
        for (int i = 0; i < many; i++) {
            list.add(one.apply(random));
        }
        return list;
    }

    private List<byte[]> keys() {
        return many(_ -> keyFor());
    }

    /** Single deletion has keys of its own, because it may not be mixed with deletion and merging. */
    private byte[] keyFor() {
        boolean once = method.getName().equals("singleDelete")
                || (method.getName().equals("put") && random.nextInt(12) == 0);
        return once ? ("once" + random.nextInt(4)).getBytes(StandardCharsets.UTF_8) : key(random);
    }

    private List<ByteBuffer> buffers(int nth) {
        return many(_ -> buffer(nth == 0 ? key(random) : new byte[SIZES[random.nextInt(SIZES.length)]]));
    }

    /** The first one is a key, the next one a value, the end of a range, or room for a result. */
    private byte[] bytes(int nth) {
        String name = method.getName();
        if (nth == 0 && !(name.equals("key") || name.equals("value"))) {
            return keyFor();
        }
        return name.matches("deleteRange|compactRange|clipColumnFamily") ? key(random) : value(random);
    }

    static byte[] key(Random random) {
        return switch (random.nextInt(40)) {
            case 0 -> new byte[0];
            case 1 -> new byte[]{-1, 0, -1};
            case 2 -> "l".repeat(300).getBytes(StandardCharsets.UTF_8);
            default -> ("" + (char) ('a' + random.nextInt(3)) + (char) ('k' + random.nextInt(4)) + random.nextInt(4))
                    .getBytes(StandardCharsets.UTF_8);
        };
    }

    static byte[] value(Random random) {
        byte[] value = new byte[SIZES[random.nextInt(SIZES.length)]];
        random.nextBytes(value);
        return value;
    }

    /** Of one kind in most calls; mixed in few. */
    private ByteBuffer buffer(byte[] bytes) {
        boolean ofKind = (random.nextInt(15) == 0) != direct;
        // With the published jar, these read from the wrong place in buffers that are not at their beginning.
        int before = method.getName().matches("keyMayExist|keyExists|multiGetByteBuffers") ? 0 : random.nextInt(3);
        int capacity = before + bytes.length + random.nextInt(3);
        ByteBuffer buffer = ofKind ? ByteBuffer.allocateDirect(capacity) : ByteBuffer.allocate(capacity);
        buffer.position(before).put(bytes).limit(before + bytes.length).position(before);
        // It needs the arrays of buffers on the heap.
        return buffer.isDirect() && random.nextInt(40) == 0 ? buffer.asReadOnlyBuffer() : buffer;
    }

    private void damage(int i) {
        Class<?> type = method.getParameterTypes()[i];
        Supplier<String> bad = () -> BAD_INTS.get(random.nextInt(BAD_INTS.size()));
        if (type == int.class && !method.getName().matches("promoteL0|getUpdatesSince")) {
            values[i] = Integer.parseInt(bad.get());
        } else if (!type.isPrimitive() && !DifferentialCrashes.ofNull(method, i)) {
            values[i] = null;
        }
    }
}
