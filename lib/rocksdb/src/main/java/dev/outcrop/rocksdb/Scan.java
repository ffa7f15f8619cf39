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
 * Four native calls an entry, three of them critical ones, and what makes the segments safe: an arena for each entry, so that one that
 * was kept throws instead of reading freed memory. Where the visitor is inlined the JIT compiler removes arena and segments.
 */
final class Scan {
    /** The words of scratch memory for lengths: of their own, so that the processor need not wait for one before it asks for the other. */
    private static final int KEY_LENGTH = 1;
    private static final int VALUE_LENGTH = 2;

    private Scan() {
    }

    /**
     * Until the end or until the visitor has seen enough. The caller holds what the family and the options need, and has seen to the stack.
     *
     * <p>In one piece on purpose: longer than the 325 bytecodes up to which HotSpot inlines. The JIT compiler gives up inlining when a
     * method has become too large, so the loop must be where it starts, or the objects of each entry become garbage.
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
                        // Before the visitor calls anything that forgets it.
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
                        // Before the visitor calls anything that forgets it.
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
