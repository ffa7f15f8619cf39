package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.nio.ByteOrder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How keys of a column family are read with one set of native options. */
/*
 * A copying read is one call, rocksdb_get_into_buffer_cf: it looks the key up, and copies the value if there is room. A pinning
 * read is one call too (where the value is stands in the pin, see PinLayout) and one more when the slice is closed. Out-parameters are
 * words of the call's scratch memory; copies of a key and of a small value go to its two areas. So nothing is allocated, whether or not the
 * JIT compiler proves that it could do without.
 */
public final class PointReads implements KeysLookUp {
    /** There is no such key. */
    public static final int NOT_FOUND = -1;
    /** Only reading would tell whether there is such a key. */
    public static final int MAY_EXIST = -2;
    /** Added to a pin's address, a multiple of eight, if the budget does not allow to keep it. */
    public static final long BEYOND_BUDGET = 1;

    /** Words of scratch memory. */
    private static final int LENGTH = 1;
    private static final int FOUND = 2;
    private static final int VALUE = 3;
    /** The byte of a word that stands first in memory. */
    private static final long FIRST_BYTE = ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN ? 0xffL : 0xffL << 56;

    private final FamilyHandle family;
    private final DatabaseHandle store;
    /** Keeps the native options alive while it is reachable, see the fences. */
    private final Object options;
    private final long readOptions;
    /** What the options read; entered for each call, because closing it frees what the options point to. */
    private final @Nullable Lifetime snapshot;
    /** Why this family cannot be read with these options; null if it can. */
    private final @Nullable Supplier<? extends RuntimeException> misfit;
    /** What to do about a value that no array can hold, for messages. */
    private final String advice;
    private final Failures failures;

    /**
     * Reads of a family.
     *
     * @param options     keeps the native options alive
     * @param readOptions the {@code rocksdb_readoptions_t *}
     * @param snapshot    what they read; null for the present
     * @param misfit      what each read throws; null if the options fit
     * @param advice      what to do about a value that no array can hold
     */
    public PointReads(FamilyHandle family, Object options, long readOptions, @Nullable Lifetime snapshot,
            @Nullable Supplier<? extends RuntimeException> misfit, String advice, Failures failures) {
        this.family = family;
        this.store = family.database();
        this.options = options;
        this.readOptions = readOptions;
        this.snapshot = snapshot;
        this.misfit = misfit;
        this.advice = advice;
        this.failures = failures;
    }

    /** Starts a call, if the family can be read with these options. */
    public Scratch enter() {
        Scratch scratch = family.enter();
        if (misfit != null) {
            scratch.close();
            throw misfit.get();
        }
        return scratch;
    }

    /** Keeps the snapshot for the time of a call, if there is one. */
    @Nullable
    public Scratch enterSnapshot() {
        return snapshot == null ? null : snapshot.enter();
    }

    public byte @Nullable [] get(byte[] key) {
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            return bytes(scratch, NativeCall.key(scratch, key), key.length);
        } finally {
            SlowReadEvent.end(event, family, key.length);
            Reference.reachabilityFence(options);
        }
    }

    public byte @Nullable [] get(MemorySegment key) {
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            return bytes(scratch, NativeCall.key(scratch, key, failures), key.byteSize());
        } finally {
            SlowReadEvent.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    public long get(MemorySegment key, MemorySegment buffer) {
        NativeCall.requireWritable(buffer);
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            MemorySegment nativeKey = NativeCall.key(scratch, key, failures);
            return NativeCall.isDirect(buffer)
                    ? copy(scratch, nativeKey, key.byteSize(), buffer, buffer.byteSize())
                    : intoHeap(scratch, nativeKey, key.byteSize(), buffer);
        } finally {
            SlowReadEvent.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public void lookUp(FamilyHandle of, long count, long slices, long pins, long errors, boolean isSorted) {
        if (count > 1) {
            CApi.rocksdb_batched_multi_get_cf_slice(store.db, readOptions, of.handle, count, slices, pins, errors,
                    isSorted);
            return;
        }
        // RocksDB takes a tenth longer for a batch of one key than for the key.
        long length = NativeCalls.readLong(slices + Long.BYTES);
        long pin = CApi.rocksdb_get_pinned_cf(store.db, readOptions, of.handle,
                NativeCalls.view(NativeCalls.readLong(slices), length), length, errors);
        NativeCalls.view(pins, Long.BYTES).set(ValueLayout.JAVA_LONG, 0, pin);
    }

    public boolean keyMayExist(MemorySegment key) {
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            MemorySegment nativeKey = NativeCall.key(scratch, key, failures);
            CallbackFailures.forget();
            boolean mayExist = CApi.rocksdb_key_may_exist_cf(store.db, readOptions, family.handle, nativeKey,
                    key.byteSize(), 0, 0, MemorySegment.NULL, 0, 0) != 0;
            CallbackFailures.rethrow();
            return mayExist || existsAfterAll(scratch, nativeKey, key.byteSize());
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    public long keyMayExist(MemorySegment key, MemorySegment buffer) {
        NativeCall.requireWritable(buffer);
        // The value may not be in memory, and then nothing else would look at the buffer.
        NativeCall.requireAccessible(buffer);
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            MemorySegment nativeKey = NativeCall.key(scratch, key, failures);
            scratch.setWord(VALUE, 0);
            scratch.setWord(FOUND, 0);
            CallbackFailures.forget();
            boolean mayExist = CApi.rocksdb_key_may_exist_cf(store.db, readOptions, family.handle, nativeKey,
                    key.byteSize(), scratch.wordAddress(VALUE), scratch.wordAddress(LENGTH), MemorySegment.NULL, 0,
                    scratch.wordAddress(FOUND)) != 0;
            // Allocated by RocksDB whenever the flag is set, even if the key is not there.
            long value = scratch.word(VALUE);
            try {
                CallbackFailures.rethrow();
                if (!mayExist) {
                    return existsAfterAll(scratch, nativeKey, key.byteSize()) ? MAY_EXIST : NOT_FOUND;
                }
                if ((scratch.word(FOUND) & FIRST_BYTE) == 0) {
                    return MAY_EXIST;
                }
                long size = scratch.word(LENGTH);
                copyIfItFits(NativeCalls.view(value, size), size, buffer);
                return size;
            } finally {
                CApi.rocksdb_free(value);
            }
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Looks a key up that is said not to be there. RocksDB says so of every key if it refuses the timestamp that is read at, for example
     * because history before it has gone, and the exception is to be seen.
     */
    private boolean existsAfterAll(Scratch scratch, MemorySegment key, long keyLength) {
        return family.timestampSize != 0 && copy(scratch, key, keyLength, MemorySegment.NULL, 0) != NOT_FOUND;
    }

    private byte @Nullable [] bytes(Scratch scratch, MemorySegment key, long keyLength) {
        if (!family.sizes.nextIsLarge(scratch)) {
            MemorySegment room = scratch.secondArea();
            long size = copy(scratch, key, keyLength, room, Scratch.AREA_BYTES);
            if (size < 0) {
                return null;
            }
            if (size <= Scratch.AREA_BYTES) {
                return array(room, size);
            }
        }
        long pin = lookUp(scratch, key, keyLength);
        if (pin == 0) {
            return null;
        }
        try {
            MemorySegment value = value(pin);
            family.sizes.seen(scratch, value.byteSize() > Scratch.AREA_BYTES);
            return array(value, value.byteSize());
        } finally {
            CApi.rocksdb_pinnable_handle_destroy(pin);
        }
    }

    private long intoHeap(Scratch scratch, MemorySegment key, long keyLength, MemorySegment buffer) {
        if (!family.sizes.nextIsLarge(scratch)) {
            MemorySegment room = scratch.secondArea();
            long size = copy(scratch, key, keyLength, room, Scratch.AREA_BYTES);
            if (size <= Scratch.AREA_BYTES) {
                copyIfItFits(room, size, buffer);
                return size;
            }
        }
        long pin = lookUp(scratch, key, keyLength);
        if (pin == 0) {
            return NOT_FOUND;
        }
        try {
            MemorySegment value = value(pin);
            family.sizes.seen(scratch, value.byteSize() > Scratch.AREA_BYTES);
            copyIfItFits(value, value.byteSize(), buffer);
            return value.byteSize();
        } finally {
            CApi.rocksdb_pinnable_handle_destroy(pin);
        }
    }

    /** Reads a value into native memory; returns what {@link #get(MemorySegment, MemorySegment)} does. */
    private long copy(Scratch scratch, MemorySegment key, long keyLength, MemorySegment buffer, long room) {
        CApi.rocksdb_get_into_buffer_cf(store.db, readOptions, family.handle, key, keyLength, buffer, room,
                scratch.wordAddress(LENGTH), scratch.wordAddress(FOUND), NativeCall.error(scratch));
        // The flag is the first byte of its word in memory.
        if ((scratch.word(FOUND) & FIRST_BYTE) == 0) {
            NativeCall.check(scratch, failures);
            return NOT_FOUND;
        }
        CallbackFailures.rethrow();
        return scratch.word(LENGTH);
    }

    /** The native pin of a key's value, or 0 if the key is not there. */
    private long lookUp(Scratch scratch, MemorySegment key, long keyLength) {
        long pin = CApi.rocksdb_get_pinned_cf_v2(store.db, readOptions, family.handle, key, keyLength,
                NativeCall.error(scratch));
        try {
            NativeCall.check(scratch, failures);
        } catch (Throwable e) {
            if (pin != 0) { // a callback has thrown
                CApi.rocksdb_pinnable_handle_destroy(pin);
            }
            throw e;
        }
        return pin;
    }

    /** The bytes of a pin, valid until it is destroyed. */
    private static MemorySegment value(long pin) {
        return NativeCalls.view(PinLayout.address(pin), PinLayout.size(pin));
    }

    /**
     * Copies a value that is not larger than {@code room}, and pins a larger one. The store holds a lease for a pin. The caller has
     * seen to the stack.
     *
     * <p>In one piece on purpose: longer than the 325 bytecodes up to which HotSpot inlines. Its callers make objects for the value,
     * and they must stay small to be inlined into the user's code, where alone the JIT compiler can remove these objects.
     *
     * @return the size of a value that was copied; -1 if there is none; otherwise {@code ~pin}, with {@link #BEYOND_BUDGET}
     *         if it must not be kept
     */
    public long find(MemorySegment key, MemorySegment buffer, long room) {
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            long pin = 0;
            try {
                MemorySegment nativeKey = NativeCall.key(scratch, key, failures);
                boolean mayCopy = room > 0;
                if (mayCopy && NativeCall.isDirect(buffer) && !family.sizes.nextIsLarge(scratch)) {
                    long size = copy(scratch, nativeKey, key.byteSize(), buffer, room);
                    if (size <= room) {
                        return size;
                    }
                    family.sizes.seen(scratch, true);
                }
                pin = lookUp(scratch, nativeKey, key.byteSize());
                if (pin == 0) {
                    return NOT_FOUND;
                }
                long size = PinLayout.size(pin);
                if (mayCopy) {
                    boolean large = size > room;
                    family.sizes.seen(scratch, large);
                    if (!large) {
                        MemorySegment.copy(NativeCalls.view(PinLayout.address(pin), size), 0, buffer, 0, size);
                        CApi.rocksdb_pinnable_handle_destroy(pin);
                        return size;
                    }
                }
                family.hold(scratch);
                if (store.lifetime.lease(scratch, size)) {
                    return ~pin;
                }
                store.lifetime.lease(scratch);
                return ~(pin | BEYOND_BUDGET);
            } catch (Throwable e) {
                // Before the scratch goes: after it a racing close() may have freed the database, and the pin's block with it.
                if (pin != 0) {
                    CApi.rocksdb_pinnable_handle_destroy(pin);
                }
                throw e;
            }
        } finally {
            SlowReadEvent.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    private static void copyIfItFits(MemorySegment value, long size, MemorySegment buffer) {
        if (size > 0 && size <= buffer.byteSize()) {
            MemorySegment.copy(value, 0, buffer, 0, size);
        }
    }

    private byte[] array(MemorySegment value, long size) {
        byte[] array = NativeCall.newArray(size, advice, failures);
        NativeCalls.copy(value, array);
        return array;
    }
}
