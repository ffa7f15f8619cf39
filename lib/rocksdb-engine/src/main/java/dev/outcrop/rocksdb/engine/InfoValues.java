package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongFunction;

/** Copies values out of C objects, for generated records. */
public final class InfoValues {
    /** The word of scratch memory for the length of a text. */
    public static final int LENGTH = 1;

    private InfoValues() {
    }

    /** Returns a text. The word {@code LENGTH} has its length. */
    public static String string(long address, Scratch scratch) {
        return NativeText.string(copy(address, scratch));
    }

    /** Returns bytes. The word {@code LENGTH} has their length. */
    public static MemorySegment bytes(long address, Scratch scratch) {
        return MemorySegment.ofArray(copy(address, scratch)).asReadOnly();
    }

    private static byte[] copy(long address, Scratch scratch) {
        return NativeCalls.view(address, scratch.word(LENGTH)).toArray(ValueLayout.JAVA_BYTE);
    }

    public static int readInt(long address) {
        return NativeCalls.view(address, Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }

    public static <T> List<T> list(long count, LongFunction<T> item) {
        List<T> list = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            list.add(item.apply(i));
        }
        return Collections.unmodifiableList(list);
    }

    public static <T> Map<String, T> map(long count, LongFunction<String> key, LongFunction<T> value) {
        Map<String, T> map = new LinkedHashMap<>();
        for (long i = 0; i < count; i++) {
            map.put(key.apply(i), value.apply(i));
        }
        return Collections.unmodifiableMap(map);
    }

    public static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    public static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }
}
