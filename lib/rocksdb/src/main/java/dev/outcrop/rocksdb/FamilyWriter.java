package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.PointWrites;
import dev.outcrop.rocksdb.engine.PointWrites.OneArgument;
import dev.outcrop.rocksdb.engine.PointWrites.TwoArguments;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
        this(family, options, family.database.db);
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
            if (scratch.word(ApiCall.ERROR) != 0) {
                throw failure(scratch, first);
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** Writes arrays, without an object for each of them. */
    final void write(TwoArguments function, byte[] first, byte[] second) {
        try (Scratch scratch = enter()) {
            PointWrites.write(scratch, function, db, writeOptions, family.handle, first, 0, first.length, second, 0,
                    second.length);
            if (scratch.word(ApiCall.ERROR) != 0) {
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
            if (scratch.word(ApiCall.ERROR) != 0) {
                throw failure(scratch, key);
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private Scratch enter() {
        Scratch scratch = family.enterForWrite();
        if (family.timestampSize != 0) {
            scratch.close();
            throw family.noWriteTimestamp();
        }
        return scratch;
    }

    private RuntimeException failure(Scratch scratch, MemorySegment key) {
        return ApiCall.failure(failure(Objects.requireNonNull(ApiCall.status(scratch)), key));
    }

    /** The exception for a key that RocksDB could not write. */
    RocksDBException failure(Status status, MemorySegment key) {
        return new RocksDBException(status);
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        return new WithTimestamp(family, options, timestamp);
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
        // RocksDB refuses the write too, but names neither the place nor the remedy. A missing timestamp is reported first.
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
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                    KeyRange.reversed("delete", family.toString(), begin, end));
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

    /** Writes to a column family with one set of options and one timestamp. */
    private static final class WithTimestamp implements KeyValueWriter {
        private final Family family;
        private final WriteOptions options;
        /** The native options; they live as long as {@link #options} is reachable, see the fences. */
        private final long writeOptions;
        private final byte[] timestamp;

        WithTimestamp(Family family, WriteOptions options, MemorySegment timestamp) {
            this.family = family;
            this.options = options;
            this.writeOptions = options.use();
            this.timestamp = timestamp.toArray(ValueLayout.JAVA_BYTE);
            family.requireWriteTimestamp(this.timestamp.length);
        }

        @Override
        public KeyValueWriter at(MemorySegment other) {
            return new WithTimestamp(family, options, other);
        }

        @Override
        public void put(MemorySegment key, MemorySegment value) {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(value, "value");
            ApiCall.requireSize(key.byteSize() + timestamp.length + value.byteSize());
            try (Scratch scratch = family.enterForWrite()) {
                CApi.rocksdb_put_cf_with_ts(family.database.db, writeOptions, family.handle, ApiCall.key(scratch, key),
                        key.byteSize(), timestamp(scratch), timestamp.length, ApiCall.in(scratch, value),
                        value.byteSize(),
                        ApiCall.error(scratch));
                ApiCall.check(scratch);
            } finally {
                Reference.reachabilityFence(options);
            }
        }

        @Override
        public void delete(MemorySegment key) {
            Objects.requireNonNull(key, "key");
            withOne(CApi::rocksdb_delete_cf_with_ts, key);
        }

        @Override
        public void singleDelete(MemorySegment key) {
            Objects.requireNonNull(key, "key");
            withOne(CApi::rocksdb_singledelete_cf_with_ts, key);
        }

        @Override
        public void deleteRange(MemorySegment begin, MemorySegment end) {
            Objects.requireNonNull(begin, "begin");
            Objects.requireNonNull(end, "end");
            throw notSupported("delete a range", begin, end);
        }

        @Override
        public void merge(MemorySegment key, MemorySegment operand) {
            Objects.requireNonNull(key, "key");
            Objects.requireNonNull(operand, "operand");
            throw notSupported("merge", key, operand);
        }

        /** Returns an exception. RocksDB itself supports both operations with timestamps, but its C API only in write batches. */
        private RocksDBException notSupported(String what, MemorySegment first, MemorySegment second) {
            ApiCall.requireSize(first.byteSize() + second.byteSize());
            family.enter().close();
            return RocksDBException.of(Status.Code.NOT_SUPPORTED,
                    "RocksDB's C API cannot " + what + " with a timestamp directly; write a batch to the " + family);
        }

        /** The shape of the C functions that take one key. */
        private interface WithOne {
            void call(long db, long options, long family, MemorySegment key, long keyLength, MemorySegment timestamp,
                    long timestampLength, long error);
        }

        private void withOne(WithOne function, MemorySegment key) {
            ApiCall.requireSize(key.byteSize() + timestamp.length);
            try (Scratch scratch = family.enterForWrite()) {
                function.call(family.database.db, writeOptions, family.handle, ApiCall.key(scratch, key),
                        key.byteSize(),
                        timestamp(scratch), timestamp.length, ApiCall.error(scratch));
                ApiCall.check(scratch);
            } finally {
                Reference.reachabilityFence(options);
            }
        }

        private MemorySegment timestamp(Scratch scratch) {
            return scratch.allocateFrom(ValueLayout.JAVA_BYTE, timestamp);
        }
    }
}
