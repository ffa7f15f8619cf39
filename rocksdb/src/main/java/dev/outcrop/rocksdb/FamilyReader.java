package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.PointReads;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.ValueSizes;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads a column family with one set of options. */
final class FamilyReader implements KeyValueReader {
    private static final String ADVICE = "read it with getPinned(key), whose segment has no such limit";

    private final Family family;
    private final ReadOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long readOptions;
    private final PointReads reads;
    private final Iterators iterators;

    FamilyReader(Family family, ReadOptions options) {
        this.family = family;
        this.options = options;
        this.readOptions = options.use(family.store);
        this.iterators = Iterators.of(family, options);
        int timestampSize = options.timestampSize();
        // A view with no timestamp of a family that has them can read nothing; it is said by each read, because there is such a view of
        // each database.
        boolean isMisfit = timestampSize == 0 && family.timestampSize != 0;
        if (!isMisfit) {
            Timestamps.requireFit(family, timestampSize);
        }
        Snapshot snapshot = options.snapshot();
        this.reads = new PointReads(family, options, readOptions, snapshot == null ? null : snapshot.lifetime(),
                isMisfit ? () -> Timestamps.misfit(family, 0) : null, ADVICE, Native.FAILURES);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        Objects.requireNonNull(key, "key");
        return reads.get(key);
    }

    @Override
    public byte @Nullable [] get(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        return reads.get(key);
    }

    @Override
    public long get(MemorySegment key, MemorySegment buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        return reads.get(key, buffer);
    }

    @Override
    public @Nullable PinnedSlice getPinned(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        PinnedSlice.requireRoom();
        long pin = ~reads.find(key, MemorySegment.NULL, 0);
        return pin == 0 ? null : PinnedSlice.of(family, pin);
    }

    @Override
    public @Nullable PinnedSlice getHybrid(MemorySegment key, MemorySegment buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        Native.requireWritable(buffer);
        PinnedSlice.requireRoom();
        // Never more room than is worth copying into, so that a large value is not copied by accident.
        long found = reads.find(key, buffer, Math.min(buffer.byteSize(), ValueSizes.COPY_UP_TO));
        if (found >= 0) {
            return PinnedSlice.inBuffer(family, buffer.asSlice(0, found));
        }
        return found == NOT_FOUND ? null : PinnedSlice.of(family, ~found);
    }

    @Override
    public MultiGet multiGet() {
        // So that a database that is closed says so now.
        reads.enter().close();
        return new MultiGet(family, options, reads);
    }

    @Override
    public boolean keyMayExist(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        return reads.keyMayExist(key);
    }

    @Override
    public long keyMayExist(MemorySegment key, MemorySegment buffer) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(buffer, "buffer");
        return reads.keyMayExist(key, buffer);
    }

    @Override
    public @Nullable TimestampedValue getTimestamped(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        try (Scratch scratch = reads.enter(); Scratch _ = reads.enterSnapshot()) {
            Timestamps.requireAny(family);
            return TimestampedReads.get(scratch, family, readOptions, key);
        } finally {
            SlowReadEvent.end(event, family, key.byteSize());
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public List<@Nullable TimestampedValue> multiGetTimestamped(List<byte[]> keys) {
        Objects.requireNonNull(keys, "keys");
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        try (Scratch scratch = reads.enter(); Scratch _ = reads.enterSnapshot()) {
            Timestamps.requireAny(family);
            return TimestampedReads.get(scratch, family, readOptions, keys);
        } finally {
            SlowReadEvent.end(event, family, keys);
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public KeyValueIterator iterator() {
        reads.enter().close();
        return iterators.iterator();
    }

    @Override
    public KeyValueIterator iterator(KeyRange range) {
        reads.enter().close();
        return iterators.iterator(range);
    }

    @Override
    public void scan(KeyRange range, ScanVisitor visitor) {
        reads.enter().close();
        iterators.scan(range, visitor);
    }

    /** A value in a new array. */
    static byte[] array(MemorySegment value) {
        byte[] array = Native.newArray(value.byteSize(), ADVICE);
        NativeCalls.copy(value, array);
        return array;
    }
}
