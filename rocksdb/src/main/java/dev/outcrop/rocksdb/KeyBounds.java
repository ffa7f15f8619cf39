package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * Two keys as the C API takes them. There, a null pointer stands for "no bound".
 *
 * @param begin       native memory
 * @param beginLength in bytes
 * @param end         native memory
 * @param endLength   in bytes
 */
record KeyBounds(MemorySegment begin, long beginLength, MemorySegment end, long endLength) {
    /** Checks the order; RocksDB would do nothing, or something else. */
    static KeyBounds of(Scratch scratch, Family family, String what, MemorySegment begin, MemorySegment end) {
        if (family.order.compare(begin, end) > 0) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    reversed(what, family.toString(), begin, end));
        }
        return new KeyBounds(notNull(scratch, begin), begin.byteSize(), notNull(scratch, end), end.byteSize());
    }

    /** What is wrong with a range whose end comes before its begin. */
    static String reversed(String what, String place, MemorySegment begin, MemorySegment end) {
        return "The range to " + what + ", from " + KeyText.of(begin) + " to before " + KeyText.of(end)
                + ", ends before it begins, in the order of the " + place + "; give the smaller key first";
    }

    /** What has been checked; null for no bound. */
    static KeyBounds of(Scratch scratch, byte @Nullable [] begin, byte @Nullable [] end) {
        MemorySegment first = inNative(scratch, begin);
        MemorySegment last = inNative(scratch, end);
        return new KeyBounds(first, begin == null ? 0 : begin.length, last, end == null ? 0 : end.length);
    }

    private static MemorySegment inNative(Scratch scratch, byte @Nullable [] key) {
        return key == null ? MemorySegment.NULL : notNull(scratch, MemorySegment.ofArray(key));
    }

    private static MemorySegment notNull(Scratch scratch, MemorySegment key) {
        Native.requireSize(key.byteSize());
        return key.byteSize() == 0 ? scratch.allocate(1, 1) : Native.in(scratch, key);
    }
}
