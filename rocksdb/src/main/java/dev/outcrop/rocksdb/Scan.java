package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.Arena;

/** Shows the entries of a native iterator to a visitor. */
/*
 * Four native calls an entry, three of them critical ones, and what makes the segments safe: an arena for each entry, so that one that
 * was kept throws instead of reading freed memory. Where the visitor is inlined the JIT compiler removes arena and segments.
 */
final class Scan {
    /** The word of scratch memory for lengths. */
    private static final int LENGTH = 1;

    private Scan() {
    }

    /** Until the end or until the visitor has seen enough. */
    static void run(long iterator, boolean isReversed, Scratch scratch, ScanVisitor visitor) {
        if (isReversed) {
            backward(iterator, scratch.wordAddress(LENGTH), visitor);
        } else {
            forward(iterator, scratch.wordAddress(LENGTH), visitor);
        }
        CApi.rocksdb_iter_get_error(iterator, Native.error(scratch));
        Native.check(scratch);
    }

    private static void forward(long iterator, long length, ScanVisitor visitor) {
        CApi.rocksdb_iter_seek_to_first(iterator);
        while (CApi.rocksdb_iter_valid(iterator) != 0 && visit(iterator, length, visitor)) {
            CApi.rocksdb_iter_next(iterator);
        }
    }

    private static void backward(long iterator, long length, ScanVisitor visitor) {
        CApi.rocksdb_iter_seek_to_last(iterator);
        while (CApi.rocksdb_iter_valid(iterator) != 0 && visit(iterator, length, visitor)) {
            CApi.rocksdb_iter_prev(iterator);
        }
    }

    private static boolean visit(long iterator, long length, ScanVisitor visitor) {
        long key = CApi.rocksdb_iter_key(iterator, length);
        long keyLength = NativeCalls.readLong(length);
        long value = CApi.rocksdb_iter_value(iterator, length);
        long valueLength = NativeCalls.readLong(length);
        try (Arena entry = Arena.ofConfined()) {
            return visitor.visit(NativeCalls.readOnlyView(key, keyLength, entry),
                    NativeCalls.readOnlyView(value, valueLength, entry));
        }
    }
}
