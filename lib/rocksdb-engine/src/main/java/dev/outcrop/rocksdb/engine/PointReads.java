package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Reads of single keys. They leave RocksDB's status and the results in words of the scratch memory, so nothing is allocated. */
public final class PointReads {
    /** There is no such key, or the read has failed. */
    public static final int NOT_FOUND = -1;
    /** Added to a pin's address, which is a multiple of eight, if the budget does not allow keeping the pin. */
    public static final long BEYOND_BUDGET = 1;

    /** Words of scratch memory. */
    private static final int LENGTH = 1;
    private static final int FOUND = 2;
    private static final int VALUE = 3;
    /** Selects the byte of a word with the lowest address, where the C functions put their flag. */
    private static final long FIRST_BYTE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0xffL : 0xffL << 56;

    private PointReads() {
    }

    /** Copies a value into native memory if there is room for all of it; returns its size, or {@link #NOT_FOUND}. */
    public static long copy(Scratch scratch, long db, long options, long family, MemorySegment key, long keyLength,
            MemorySegment buffer, long room) {
        CApi.rocksdb_get_into_buffer_cf(db, options, family, key, keyLength, buffer, room,
                scratch.wordAddress(LENGTH), scratch.wordAddress(FOUND), NativeCall.error(scratch));
        return isFound(scratch) ? scratch.word(LENGTH) : NOT_FOUND;
    }

    /**
     * Pins a value, see {@link PinLayout}.
     *
     * @return the pin, for {@link #unpin}; 0 if there is no such key. Even after a failure there may be a pin
     */
    public static long pin(Scratch scratch, long db, long options, long family, MemorySegment key, long keyLength) {
        return NativePins.handle(db, options, family, key, keyLength, NativeCall.error(scratch));
    }

    public static void unpin(long pin) {
        NativePins.destroyHandle(pin);
    }

    /** Looks up keys of one family together, see {@link MultiGetRequest.BatchedGet}. RocksDB counts one look-up of many keys. */
    public static void pinAll(long db, long options, long family, long count, long slices, long pins, long errors,
            boolean isSorted) {
        CApi.rocksdb_batched_multi_get_cf_slice(db, options, family, count, slices, pins, errors, isSorted);
    }

    /** Does the same as {@link #pinAll}, but looks up and counts a single key as a single look-up. */
    public static void pinOneOrAll(long db, long options, long family, long count, long slices, long pins, long errors,
            boolean isSorted) {
        if (count > 1) {
            pinAll(db, options, family, count, slices, pins, errors, isSorted);
            return;
        }
        // RocksDB takes a tenth longer for a batch of one key than for a single look-up.
        long length = NativeCalls.readLong(slices + Long.BYTES);
        long pin = NativePins.slice(db, options, family,
                NativeCalls.view(NativeCalls.readLong(slices), length), length, errors);
        NativeCalls.view(pins, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, pin);
    }

    /** Returns whether a key may exist, without reading files. */
    public static boolean mayExist(long db, long options, long family, MemorySegment key, long keyLength) {
        return CApi.rocksdb_key_may_exist_cf(db, options, family, key, keyLength, 0, 0, MemorySegment.NULL, 0, 0) != 0;
    }

    /**
     * Does the same as {@link #mayExist(long, long, long, MemorySegment, long)}, and finds the value if it is in memory. If
     * {@link #isFound}, the value has {@link #length} bytes at {@link #value}. The caller always calls {@link #freeValue}.
     */
    public static boolean mayExist(Scratch scratch, long db, long options, long family, MemorySegment key,
            long keyLength) {
        scratch.setWord(VALUE, 0);
        scratch.setWord(LENGTH, 0);
        scratch.setWord(FOUND, 0);
        return CApi.rocksdb_key_may_exist_cf(db, options, family, key, keyLength, scratch.wordAddress(VALUE),
                scratch.wordAddress(LENGTH), MemorySegment.NULL, 0, scratch.wordAddress(FOUND)) != 0;
    }

    public static boolean isFound(Scratch scratch) {
        return (scratch.word(FOUND) & FIRST_BYTE) != 0;
    }

    public static long value(Scratch scratch) {
        return scratch.word(VALUE);
    }

    public static long length(Scratch scratch) {
        return scratch.word(LENGTH);
    }

    /** Frees the value, which RocksDB allocates even for a key that does not exist. */
    public static void freeValue(Scratch scratch) {
        NativeHeap.free(scratch.word(VALUE));
    }
}
