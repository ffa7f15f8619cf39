package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import dev.outcrop.rocksdb.engine.MultiGetRequest;
import dev.outcrop.rocksdb.engine.NativePins;
import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.PointReads;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.SlowReads;
import dev.outcrop.rocksdb.engine.ValueSizePredictor;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads through a transaction, for which the C API can only pin values. Methods that copy a value pin, copy and unpin it. */
abstract class PinningReader implements TransactionalReader {
    final Family family;
    final ReadOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    final long readOptions;
    private final @Nullable Snapshot snapshot;

    PinningReader(Family family, ReadOptions options) {
        this.family = family;
        this.options = options;
        this.readOptions = options.use(family.database);
        this.snapshot = options.snapshot();
    }

    /** Enters the transaction, before the family is entered. */
    abstract void beginRead();

    /** Exits the transaction. */
    abstract void endRead();

    /** Looks up a key. Returns a {@code rocksdb_pinnableslice_t *}, or 0 if the key is not there or if there is an error. */
    abstract long lookUp(FamilyHandle of, MemorySegment key, long keyLength, @Nullable LockMode mode, long error);

    /** The exception for a key that could not be looked up. */
    RocksDBException failure(Status status, MemorySegment key) {
        return new RocksDBException(status);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        Objects.requireNonNull(key, "key");
        return newArray(MemorySegment.ofArray(key));
    }

    @Override
    public byte @Nullable [] get(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        return newArray(key);
    }

    private byte @Nullable [] newArray(MemorySegment key) {
        SlowReadEvent event = SlowReads.begin();
        beginRead();
        try (Scratch scratch = family.enter(); Scratch _ = enterSnapshot()) {
            long pin = lookUp(scratch, key, null);
            if (pin == 0) {
                return null;
            }
            try {
                return FamilyReader.array(value(pin));
            } finally {
                NativePins.destroySlice(pin);
            }
        } finally {
            endRead();
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public long get(MemorySegment key, MemorySegment buffer) {
        return copied(key, buffer);
    }

    private long copied(MemorySegment key, MemorySegment buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        requireUsable(buffer);
        SlowReadEvent event = SlowReads.begin();
        beginRead();
        try (Scratch scratch = family.enter(); Scratch _ = enterSnapshot()) {
            long pin = lookUp(scratch, key, null);
            if (pin == 0) {
                return NOT_FOUND;
            }
            try {
                MemorySegment value = value(pin);
                if (value.byteSize() <= buffer.byteSize()) {
                    buffer.copyFrom(value);
                }
                return value.byteSize();
            } finally {
                NativePins.destroySlice(pin);
            }
        } finally {
            endRead();
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public @Nullable PinnedSlice getPinned(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        return pinned(key, null);
    }

    @Override
    public @Nullable PinnedSlice getPinnedForUpdate(MemorySegment key, LockMode mode) {
        Objects.requireNonNull(key, "key");
        return pinned(key, Objects.requireNonNull(mode, "mode"));
    }

    @Override
    public @Nullable PinnedSlice getHybrid(MemorySegment key, MemorySegment buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        requireUsable(buffer);
        PinnedSlice pinned = pinned(key, null);
        if (pinned == null || pinned.size() > Math.min(buffer.byteSize(), ValueSizePredictor.COPY_UP_TO)) {
            return pinned;
        }
        try (pinned) {
            buffer.asSlice(0, pinned.size()).copyFrom(pinned.segment());
            return PinnedSlice.inBuffer(family, buffer.asSlice(0, pinned.size()));
        }
    }

    /** The source of its iterators. */
    abstract Iterators.Source iteratorSource();

    private Iterators iterators() {
        return new Iterators(family, options, iteratorSource());
    }

    @Override
    public KeyValueIterator iterator() {
        return iterators().iterator();
    }

    @Override
    public KeyValueIterator iterator(KeyRange range) {
        return iterators().iterator(range);
    }

    @Override
    public void scan(KeyRange range, ScanVisitor visitor) {
        iterators().scan(range, visitor);
    }

    @Override
    public MultiGet multiGet() {
        beginRead();
        try {
            // A closed database throws now.
            family.enter().close();
            return new MultiGet(family, options, new OneByOne());
        } finally {
            endRead();
        }
    }

    @Override
    public boolean keyMayExist(MemorySegment key) {
        // The C API has no such call for a transaction, so the key is read.
        return copied(key, MemorySegment.NULL) != NOT_FOUND;
    }

    @Override
    public long keyMayExist(MemorySegment key, MemorySegment buffer) {
        return copied(key, buffer);
    }

    private @Nullable PinnedSlice pinned(MemorySegment key, @Nullable LockMode mode) {
        long pin;
        SlowReadEvent event = SlowReads.begin();
        beginRead();
        try (Scratch scratch = family.enter(); Scratch _ = enterSnapshot()) {
            pin = lookUp(scratch, key, mode);
            if (pin == 0) {
                return null;
            }
            family.hold(scratch);
            if (family.database.lifetime.lease(scratch, size(pin))) {
                pin |= PinLayout.OF_TRANSACTION;
            } else {
                family.database.lifetime.lease(scratch);
                pin |= PinLayout.OF_TRANSACTION | PointReads.BEYOND_BUDGET;
            }
        } finally {
            endRead();
            SlowReads.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
        return PinnedSlice.of(family, pin);
    }

    private long lookUp(Scratch scratch, MemorySegment key, @Nullable LockMode mode) {
        MemorySegment nativeKey = ApiCall.key(scratch, key);
        long pin = lookUp(family, nativeKey, key.byteSize(), mode, ApiCall.error(scratch));
        try {
            Status status = ApiCall.status(scratch);
            if (status != null) {
                throw ApiCall.failure(failure(status, key));
            }
            CallbackFailures.rethrow();
        } catch (Throwable e) {
            if (pin != 0) { // a callback has thrown
                NativePins.destroySlice(pin);
            }
            throw e;
        }
        return pin;
    }

    /** Checks a buffer before the read: if there is no value that fits, nothing else would check the buffer. */
    private static void requireUsable(MemorySegment buffer) {
        ApiCall.requireWritable(buffer);
        ApiCall.requireAccessible(buffer);
    }

    /** Keeps the snapshot for the time of a call, if there is one. */
    final @Nullable Scratch enterSnapshot() {
        return snapshot == null ? null : snapshot.enter();
    }

    /** The bytes of a pin, valid until it is destroyed. */
    private static MemorySegment value(long pin) {
        return NativeCalls.view(PinLayout.address(pin | PinLayout.OF_TRANSACTION), size(pin));
    }

    private static long size(long pin) {
        return PinLayout.size(pin | PinLayout.OF_TRANSACTION);
    }

    /** Looks up many keys one by one: the C API can look up several keys at once only with copies of their values. */
    private final class OneByOne implements MultiGetRequest.BatchedGet {
        @Override
        public void begin() {
            beginRead();
        }

        @Override
        public void end() {
            endRead();
        }

        @Override
        public void lookUp(FamilyHandle of, long count, long slices, long pins, long errors, boolean isSorted) {
            MemorySegment found = NativeCalls.view(pins, count * Long.BYTES);
            for (long i = 0; i < count; i++) {
                long slice = slices + 2 * Long.BYTES * i;
                long length = NativeCalls.readLong(slice + Long.BYTES);
                MemorySegment key = NativeCalls.view(NativeCalls.readLong(slice), length);
                long pin = PinningReader.this.lookUp(of, key, length, null, errors + Long.BYTES * i);
                found.setAtIndex(ValueLayout.JAVA_LONG, i, pin);
            }
        }
    }
}
