package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeText;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/** Copies values out of C objects; the generated records call it. */
final class InfoValues {
    /** The word of scratch memory for the length of a text. */
    static final int LENGTH = 1;

    private InfoValues() {
    }

    /** A text whose length is in the word for it. */
    static String string(long address, Scratch scratch) {
        return NativeText.string(copy(address, scratch));
    }

    /** Bytes whose length is in the word for it. */
    static MemorySegment bytes(long address, Scratch scratch) {
        return MemorySegment.ofArray(copy(address, scratch)).asReadOnly();
    }

    private static byte[] copy(long address, Scratch scratch) {
        return NativeCalls.view(address, scratch.word(LENGTH)).toArray(ValueLayout.JAVA_BYTE);
    }

    /** The status that a C function reports, given the address for its error; null if it is OK. */
    static @Nullable Status status(LongConsumer function, Scratch scratch) {
        // During a call of the user's, what other callbacks have thrown is still to be reported.
        function.accept(Native.lateError(scratch));
        return Native.status(scratch);
    }

    static int readInt(long address) {
        return NativeCalls.view(address, Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }

    static <T> List<T> list(long count, LongFunction<T> item) {
        List<T> list = new ArrayList<>();
        for (long i = 0; i < count; i++) {
            list.add(item.apply(i));
        }
        return Collections.unmodifiableList(list);
    }

    static <T> Map<String, T> map(long count, LongFunction<String> key, LongFunction<T> value) {
        Map<String, T> map = new LinkedHashMap<>();
        for (long i = 0; i < count; i++) {
            map.put(key.apply(i), value.apply(i));
        }
        return Collections.unmodifiableMap(map);
    }

    static Duration micros(long micros) {
        return Duration.of(micros, ChronoUnit.MICROS);
    }

    static Duration nanos(long nanos) {
        return Duration.ofNanos(nanos);
    }
}
