package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.PointWrites;
import dev.outcrop.rocksdb.engine.PointWrites.OneArgument;
import dev.outcrop.rocksdb.engine.PointWrites.TwoArguments;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.Objects;

/** Writes to a column family with one set of options. */
class FamilyWriter implements KeyValueWriter {
    final Family family;
    /** The native database that is written to. */
    private final long db;
    private final WriteOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long writeOptions;

    FamilyWriter(Family family, WriteOptions options) {
        this(family, options, family.store.db);
    }

    FamilyWriter(Family family, WriteOptions options, long db) {
        this.family = family;
        this.db = db;
        this.options = options;
        this.writeOptions = options.use();
    }

    final void write(TwoArguments function, MemorySegment first, MemorySegment second) {
        try (Scratch scratch = enter()) {
            PointWrites.write(scratch, function, db, writeOptions, family.handle, first, second);
            if (scratch.word(Native.ERROR) != 0) {
                throw failure(scratch, first);
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** The same for arrays, without an object for each of them. */
    final void write(TwoArguments function, byte[] first, byte[] second) {
        try (Scratch scratch = enter()) {
            PointWrites.write(scratch, function, db, writeOptions, family.handle, first, 0, first.length, second, 0,
                    second.length);
            if (scratch.word(Native.ERROR) != 0) {
                throw failure(scratch, MemorySegment.ofArray(first));
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    final void write(OneArgument function, MemorySegment key) {
        try (Scratch scratch = enter()) {
            PointWrites.write(scratch, function, db, writeOptions, family.handle, key);
            if (scratch.word(Native.ERROR) != 0) {
                throw failure(scratch, key);
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private Scratch enter() {
        Scratch scratch = family.enterToWrite();
        if (family.timestampSize != 0) {
            scratch.close();
            throw Timestamps.misfit(family);
        }
        return scratch;
    }

    private RuntimeException failure(Scratch scratch, MemorySegment key) {
        return Native.failure(failure(Objects.requireNonNull(Native.status(scratch)), key));
    }

    /** What to throw when RocksDB could not write a key. */
    RocksDBException failure(Status status, MemorySegment key) {
        return new RocksDBException(status);
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        return new TimestampedFamilyWriter(family, options, timestamp);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        write(PointWrites.PUT, key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        write(PointWrites.PUT, key, value);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        // RocksDB refuses it too, and says neither where nor how. Without a timestamp that is needed, that is said first.
        if (family.timestampSize == 0) {
            family.requireMergeOperator();
        }
        write(PointWrites.MERGE, key, operand);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        family.requireRangeDeletions();
        // RocksDB checks this too late as well.
        if (family.order.compare(begin, end) > 0) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    KeyBounds.reversed("delete", family.toString(), begin, end));
        }
        write(PointWrites.DELETE_RANGE, begin, end);
    }

    @Override
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        write(PointWrites.DELETE, key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        write(PointWrites.SINGLE_DELETE, key);
    }
}
