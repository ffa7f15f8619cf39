package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeIterator;
import dev.outcrop.rocksdb.engine.NativeReadOptions;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.Arena;
import java.lang.ref.Reference;

/** Shows the entries of a range to a visitor. */
/*
 * Each entry takes four native calls, three of them critical, and an arena that makes its segments safe: a segment that was kept throws
 * instead of reading freed memory. If the visitor is inlined, the JIT compiler removes the arena and the segments.
 */
final class Scan {
    /**
     * The words of scratch memory for lengths: one each, so that the processor need not wait for one length before it asks for the other.
     */
    private static final int KEY_LENGTH = 1;
    private static final int VALUE_LENGTH = 2;

    private Scan() {
    }

    /**
     * Visits the entries until the end, or until the visitor ends the scan. The caller holds the leases for the family and the options, and
     * has checked the stack.
     *
     * <p>This method is in one piece on purpose: it is longer than the 325 bytecodes up to which HotSpot inlines a method. The JIT compiler
     * stops inlining when a method becomes too large, so its compilation must start at this loop; otherwise the objects of each entry
     * become garbage.
     */
    static void run(Family family, ReadOptions options, Iterators.Source source, KeyRange range,
            ScanVisitor visitor) {
        try (Scratch scratch = ApiCall.scratchForCall()) {
            long nativeOptions = RangeOptions.create(scratch, family, options, range);
            long iterator = 0;
            try {
                CallbackFailures.forget();
                iterator = source.create(nativeOptions);
                long keyWord = scratch.wordAddress(KEY_LENGTH);
                long valueWord = scratch.wordAddress(VALUE_LENGTH);
                boolean isMore = true;
                if (range.isReversed()) {
                    NativeIterator.seekToLast(iterator);
                    while (isMore && NativeIterator.isValid(iterator)) {
                        // Before the visitor calls anything that forgets the failure.
                        CallbackFailures.rethrow();
                        if (family.guard.isNeeded()) {
                            family.guard.iterate();
                        }
                        long key = NativeIterator.key(iterator, keyWord);
                        long value = NativeIterator.value(iterator, valueWord);
                        long keyLength = NativeCalls.readLong(keyWord);
                        long valueLength = NativeCalls.readLong(valueWord);
                        try (Arena entry = Arena.ofConfined()) {
                            isMore = visitor.visit(NativeCalls.readOnlyView(key, keyLength, entry),
                                    NativeCalls.readOnlyView(value, valueLength, entry));
                        }
                        if (isMore) {
                            NativeIterator.prev(iterator);
                        }
                    }
                } else {
                    NativeIterator.seekToFirst(iterator);
                    while (isMore && NativeIterator.isValid(iterator)) {
                        // Before the visitor calls anything that forgets the failure.
                        CallbackFailures.rethrow();
                        if (family.guard.isNeeded()) {
                            family.guard.iterate();
                        }
                        long key = NativeIterator.key(iterator, keyWord);
                        long value = NativeIterator.value(iterator, valueWord);
                        long keyLength = NativeCalls.readLong(keyWord);
                        long valueLength = NativeCalls.readLong(valueWord);
                        try (Arena entry = Arena.ofConfined()) {
                            isMore = visitor.visit(NativeCalls.readOnlyView(key, keyLength, entry),
                                    NativeCalls.readOnlyView(value, valueLength, entry));
                        }
                        if (isMore) {
                            NativeIterator.next(iterator);
                        }
                    }
                }
                NativeIterator.error(iterator, ApiCall.lateError(scratch));
                ApiCall.check(scratch);
            } finally {
                if (iterator != 0) {
                    NativeIterator.destroy(iterator);
                }
                NativeReadOptions.destroy(nativeOptions);
            }
        } finally {
            Reference.reachabilityFence(options);
        }
    }
}
