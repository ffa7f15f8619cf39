package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTimestamps;
import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.PointReads;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.SlowReads;
import dev.outcrop.rocksdb.engine.ValueSizePredictor;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a column family with one set of options. */
final class FamilyReader implements KeyValueReader {
    private static final String ADVICE = "read it with getPinned(key), whose segment has no such limit";

    private final Family family;
    private final OpenDatabase database;
    private final ReadOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long readOptions;
    /** The snapshot of the options; entered for each call, because closing it frees memory that the options point to. */
    private final @Nullable Snapshot snapshot;
    /**
     * Whether this view has no timestamp although the family needs one. Its reads throw; it exists because each database has a view with
     * default options.
     */
    private final boolean isMisfit;
    private final Iterators iterators;

    FamilyReader(Family family, ReadOptions options) {
        this.family = family;
        this.database = family.database;
        this.options = options;
        this.readOptions = options.use(family.database);
        this.iterators = Iterators.of(family, options);
        int timestampSize = options.timestampSize();
        this.isMisfit = timestampSize == 0 && family.timestampSize != 0;
        if (!isMisfit) {
            family.requireReadTimestamp(timestampSize);
        }
        this.snapshot = options.snapshot();
    }

    /** Starts a call, if the family can be read with these options. */
    private Scratch enter() {
        Scratch scratch = family.enter();
        if (isMisfit) {
            scratch.close();
            throw family.wrongReadTimestamp(0);
        }
        return scratch;
    }

    /** Keeps the snapshot for the time of a call, if there is one. */
    private @Nullable Scratch enterSnapshot() {
        return snapshot == null ? null : snapshot.lifetime().enter();
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        Objects.requireNonNull(key, "key");
        SlowReadEvent event = SlowReads.begin();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            return bytes(scratch, ApiCall.key(scratch, key), key.length);
        } finally {
            SlowReads.end(event, family, key.length);
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public byte @Nullable [] get(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        SlowReadEvent event = SlowReads.begin();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            return bytes(scratch, ApiCall.key(scratch, key), key.byteSize());
        } finally {
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public long get(MemorySegment key, MemorySegment buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        ApiCall.requireWritable(buffer);
        SlowReadEvent event = SlowReads.begin();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            MemorySegment nativeKey = ApiCall.key(scratch, key);
            return ApiCall.isDirect(buffer)
                    ? copy(scratch, nativeKey, key.byteSize(), buffer, buffer.byteSize())
                    : intoHeap(scratch, nativeKey, key.byteSize(), buffer);
        } finally {
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
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
        long pin = pin(scratch, key, keyLength);
        if (pin == 0) {
            return null;
        }
        try {
            MemorySegment value = value(pin);
            family.sizes.seen(scratch, value.byteSize() > Scratch.AREA_BYTES);
            return array(value, value.byteSize());
        } finally {
            PointReads.unpin(pin);
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
        long pin = pin(scratch, key, keyLength);
        if (pin == 0) {
            return NOT_FOUND;
        }
        try {
            MemorySegment value = value(pin);
            family.sizes.seen(scratch, value.byteSize() > Scratch.AREA_BYTES);
            copyIfItFits(value, value.byteSize(), buffer);
            return value.byteSize();
        } finally {
            PointReads.unpin(pin);
        }
    }

    /** Reads a value into native memory; returns the same as {@link #get(MemorySegment, MemorySegment)}. */
    private long copy(Scratch scratch, MemorySegment key, long keyLength, MemorySegment buffer, long room) {
        long size = PointReads.copy(scratch, database.db, readOptions, family.handle, key, keyLength, buffer, room);
        ApiCall.check(scratch);
        return size;
    }

    /** Returns the native pin of a key's value, or 0 if the key is not there. */
    private long pin(Scratch scratch, MemorySegment key, long keyLength) {
        long pin = PointReads.pin(scratch, database.db, readOptions, family.handle, key, keyLength);
        try {
            ApiCall.check(scratch);
        } catch (Throwable e) {
            if (pin != 0) { // a callback has thrown
                PointReads.unpin(pin);
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
     * Copies a value that is not larger than {@code room}, and pins a larger one. The database holds a lease for a pin. The caller has
     * checked the stack.
     *
     * <p>This method is in one piece on purpose: it is longer than the 325 bytecodes up to which HotSpot inlines a method. Its callers make
     * objects for the value. The callers must stay small to be inlined into the user's code, because only there can the JIT compiler remove
     * these objects.
     *
     * @return the size of a value that was copied; -1 if there is none; otherwise {@code ~pin}, with {@link PointReads#BEYOND_BUDGET}
     *         if it must not be kept
     */
    private long find(MemorySegment key, MemorySegment buffer, long room) {
        SlowReadEvent event = SlowReads.begin();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            long pin = 0;
            try {
                MemorySegment nativeKey = ApiCall.key(scratch, key);
                boolean mayCopy = room > 0;
                if (mayCopy && ApiCall.isDirect(buffer) && !family.sizes.nextIsLarge(scratch)) {
                    long size = copy(scratch, nativeKey, key.byteSize(), buffer, room);
                    if (size <= room) {
                        return size;
                    }
                    family.sizes.seen(scratch, true);
                }
                pin = pin(scratch, nativeKey, key.byteSize());
                if (pin == 0) {
                    return NOT_FOUND;
                }
                long size = PinLayout.size(pin);
                if (mayCopy) {
                    boolean large = size > room;
                    family.sizes.seen(scratch, large);
                    if (!large) {
                        MemorySegment.copy(NativeCalls.view(PinLayout.address(pin), size), 0, buffer, 0, size);
                        PointReads.unpin(pin);
                        return size;
                    }
                }
                family.hold(scratch);
                if (database.lifetime.lease(scratch, size)) {
                    return ~pin;
                }
                database.lifetime.lease(scratch);
                return ~(pin | PointReads.BEYOND_BUDGET);
            } catch (Throwable e) {
                // Before the scratch is closed: afterwards, a racing close() may have freed the database, and the pin's block with it.
                if (pin != 0) {
                    PointReads.unpin(pin);
                }
                throw e;
            }
        } finally {
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    private static void copyIfItFits(MemorySegment value, long size, MemorySegment buffer) {
        if (size > 0 && size <= buffer.byteSize()) {
            MemorySegment.copy(value, 0, buffer, 0, size);
        }
    }

    private static byte[] array(MemorySegment value, long size) {
        byte[] array = ApiCall.newArray(size, ADVICE);
        MemorySegment.copy(value, ValueLayout.JAVA_BYTE, 0, array, 0, array.length);
        return array;
    }

    @Override
    public @Nullable PinnedSlice getPinned(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        PinnedSlice.requireRoom();
        long pin = ~find(key, MemorySegment.NULL, 0);
        return pin == 0 ? null : PinnedSlice.of(family, pin);
    }

    @Override
    public @Nullable PinnedSlice getHybrid(MemorySegment key, MemorySegment buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        ApiCall.requireWritable(buffer);
        PinnedSlice.requireRoom();
        // Never more room than is worth copying into, so that a large value is not copied by accident.
        long found = find(key, buffer, Math.min(buffer.byteSize(), ValueSizePredictor.COPY_UP_TO));
        if (found >= 0) {
            return PinnedSlice.inBuffer(family, buffer.asSlice(0, found));
        }
        return found == NOT_FOUND ? null : PinnedSlice.of(family, ~found);
    }

    @Override
    public MultiGet multiGet() {
        // A closed database throws now.
        enter().close();
        return new MultiGet(family, options,
                (of, count, slices, pins, errors, isSorted) -> PointReads.pinOneOrAll(database.db,
                        readOptions, of.handle, count, slices, pins, errors, isSorted));
    }

    @Override
    public boolean keyMayExist(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            MemorySegment nativeKey = ApiCall.key(scratch, key);
            CallbackFailures.forget();
            boolean mayExist = PointReads.mayExist(database.db, readOptions, family.handle, nativeKey, key.byteSize());
            CallbackFailures.rethrow();
            return mayExist || existsAfterAll(scratch, nativeKey, key.byteSize());
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public long keyMayExist(MemorySegment key, MemorySegment buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        ApiCall.requireWritable(buffer);
        // If the value is not in memory, nothing else would check the buffer.
        ApiCall.requireAccessible(buffer);
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            MemorySegment nativeKey = ApiCall.key(scratch, key);
            CallbackFailures.forget();
            boolean mayExist = PointReads.mayExist(scratch, database.db, readOptions, family.handle, nativeKey,
                    key.byteSize());
            try {
                CallbackFailures.rethrow();
                if (!mayExist) {
                    return existsAfterAll(scratch, nativeKey, key.byteSize()) ? MAY_EXIST : NOT_FOUND;
                }
                if (!PointReads.isFound(scratch)) {
                    return MAY_EXIST;
                }
                long size = PointReads.length(scratch);
                copyIfItFits(NativeCalls.view(PointReads.value(scratch), size), size, buffer);
                return size;
            } finally {
                PointReads.freeValue(scratch);
            }
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /**
     * Looks up a key that is reported as missing. RocksDB reports every key as missing if it refuses the timestamp of the read, for example
     * because its history is gone; the look-up throws in that case.
     */
    private boolean existsAfterAll(Scratch scratch, MemorySegment key, long keyLength) {
        return family.timestampSize != 0 && copy(scratch, key, keyLength, MemorySegment.NULL, 0) != NOT_FOUND;
    }

    @Override
    public @Nullable TimestampedValue getTimestamped(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        SlowReadEvent event = SlowReads.begin();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            family.requireTimestamps();
            return getTimestamped(scratch, key);
        } finally {
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    private @Nullable TimestampedValue getTimestamped(Scratch scratch, MemorySegment key) {
        TimestampedValue value = NativeTimestamps.get(scratch, database.db, readOptions, family.handle,
                ApiCall.key(scratch, key), key.byteSize(), FamilyReader::timestamped);
        ApiCall.check(scratch);
        return value;
    }

    private static TimestampedValue timestamped(MemorySegment value, MemorySegment timestamp) {
        return new TimestampedValue(array(value), array(timestamp));
    }

    @Override
    public List<@Nullable TimestampedValue> multiGetTimestamped(List<byte[]> keys) {
        ApiCall.requireElements("keys", keys);
        SlowReadEvent event = SlowReads.begin();
        try (Scratch scratch = enter(); Scratch _ = enterSnapshot()) {
            family.requireTimestamps();
            if (family.order instanceof CheckedComparator) {
                // One by one: RocksDB sorts many keys, and runs beyond the end of their array if a comparator in Java contradicts itself.
                List<@Nullable TimestampedValue> values = new ArrayList<>(keys.size());
                for (byte[] key : keys) {
                    values.add(getTimestamped(scratch, MemorySegment.ofArray(key)));
                }
                return values;
            }
            List<@Nullable TimestampedValue> values = NativeTimestamps.get(scratch, database.db, readOptions,
                    family.handle, List.copyOf(keys), FamilyReader::timestamped);
            ApiCall.check(scratch);
            return values;
        } finally {
            SlowReads.end(event, family, keys);
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public KeyValueIterator iterator() {
        enter().close();
        return iterators.iterator();
    }

    @Override
    public KeyValueIterator iterator(KeyRange range) {
        enter().close();
        return iterators.iterator(range);
    }

    @Override
    public void scan(KeyRange range, ScanVisitor visitor) {
        enter().close();
        iterators.scan(range, visitor);
    }

    /** A value in a new array. */
    static byte[] array(MemorySegment value) {
        byte[] array = ApiCall.newArray(value.byteSize(), ADVICE);
        MemorySegment.copy(value, ValueLayout.JAVA_BYTE, 0, array, 0, array.length);
        return array;
    }
}
