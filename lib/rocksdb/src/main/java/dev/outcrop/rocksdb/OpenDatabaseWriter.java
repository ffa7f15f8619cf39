package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.TransactionOperations.Conflicts;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchCopy;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.batch.WideColumns;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes to a database with one set of options. */
final class OpenDatabaseWriter implements DatabaseWriter {
    /** The word of scratch memory for a size that the C API returns. */
    private static final int SIZE = 1;

    private final OpenDatabase database;
    private final Family defaultFamily;
    private final WriteOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long writeOptions;
    private final boolean ignoreMissingFamilies;
    /** Writes single entries to the default column family. */
    private final KeyValueWriter writes;

    OpenDatabaseWriter(OpenDatabase database, WriteOptions options) {
        this.database = database;
        this.defaultFamily = database.defaultFamily().family();
        this.options = options;
        this.writeOptions = options.use();
        this.ignoreMissingFamilies = options.ignoreMissingColumnFamilies();
        this.writes = database.writer(defaultFamily, options);
    }

    @Override
    public void write(WriteBatch batch) {
        batch.requireFor(database);
        MemorySegment memory = batch.memory();
        long size = batch.byteSize();
        int kinds = batch.kinds();
        StackCheck.require(CallbackGuard.READING);
        try (Scratch scratch = defaultFamily.enterForWrite()) {
            long copy = BatchCopy.create(scratch, memory, size, kinds);
            try {
                write(scratch, batch, copy, kinds);
            } finally {
                NativeWriteBatch.destroy(copy);
            }
            Status status = ApiCall.status(scratch);
            if (status != null) {
                throw ApiCall.failure(Conflicts.ofBatch(status, database, batch, database.kind().lockTimeout()));
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** Checks RocksDB's own copy of a batch, which other threads can no longer change, and writes it. */
    private void write(Scratch scratch, WriteBatch batch, long copy, int kinds) {
        long address = NativeWriteBatch.data(copy, scratch.wordAddress(SIZE));
        long size = scratch.word(SIZE);
        if (defaultFamily.timestampSize == 0 && !batch.isUnstamped() && BatchCopy.isPlain(address, size, kinds)) {
            database.kind().write(database.db, writeOptions, copy, ApiCall.error(scratch));
            return;
        }
        try (BatchCheck check = new BatchCheck(database, defaultFamily, batch, ignoreMissingFamilies)) {
            check.check(NativeCalls.view(address, size), kinds);
            database.kind().write(database.db, writeOptions, copy, ApiCall.error(scratch));
        }
    }

    @Override
    public void write(WriteBatchWithIndex batch) {
        batch.requireFor(database);
        try (Scratch scratch = defaultFamily.enterForWrite()) {
            batch.write(scratch, writeOptions);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        return writes.at(timestamp);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        writes.put(key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        writes.put(key, value);
    }

    @Override
    public void delete(MemorySegment key) {
        writes.delete(key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        writes.singleDelete(key);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        writes.deleteRange(begin, end);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        writes.merge(key, operand);
    }

    /**
     * Checks a batch before it is written. RocksDB finds problems of a record only after it has logged the whole batch, and then refuses
     * all writes until the database is opened again; some problems it does not find at all.
     *
     * <p>Keeps the column families of the batch from being dropped until this object is closed. Used by one thread.
     */
    static final class BatchCheck implements AutoCloseable {
        private final OpenDatabase database;
        private final WriteBatch batch;
        private final boolean ignoreMissingFamilies;
        /** The default column family, which its caller has entered. */
        private final Family defaultFamily;
        /** The other families that were found, and the scratch that was entered for each; made when there is one. */
        private @Nullable List<Family> families;
        private @Nullable List<Scratch> entered;
        /** The family that was found last. */
        private @Nullable Family family;

        BatchCheck(OpenDatabase database, Family defaultFamily, WriteBatch batch, boolean ignoreMissingFamilies) {
            this.database = database;
            this.batch = batch;
            this.ignoreMissingFamilies = ignoreMissingFamilies;
            this.defaultFamily = defaultFamily;
            this.family = defaultFamily;
        }

        /**
         * Checks all records.
         *
         * @param data  the bytes of a copy that no thread can change
         * @param kinds the kinds of records that RocksDB may have been told of, a bit for each
         */
        void check(MemorySegment data, int kinds) {
            if (batch.isUnstamped()) {
                throw refuse("it has records without timestamps; set them with updateTimestamps(timestamp)");
            }
            BatchReader record = new BatchReader(data);
            while (ApiCall.next(record)) {
                if ((kinds & BatchFormat.kind(record.tag())) == 0) {
                    throw ApiCall.failure(record.damaged("it has a record of a kind that was never added to it"));
                }
                switch (record.tag()) {
                    case BatchFormat.LOG_DATA, BatchFormat.NOOP -> {
                    }
                    case BatchFormat.PUT, BatchFormat.DELETE, BatchFormat.SINGLE_DELETE, BatchFormat.DELETE_RANGE,
                            BatchFormat.MERGE, BatchFormat.PUT_ENTITY -> {
                        ApiCall.requireSize(record.keyLength() + record.valueLength());
                        Family of = family(record.family());
                        if (of != null) {
                            check(record, of);
                        }
                    }
                    default -> throw WriteBatch.notSupported(record.tag());
                }
            }
        }

        private void check(BatchReader record, Family of) {
            int timestampSize = of.timestampSize;
            if (timestampSize != 0) {
                checkTimestamp(record, of);
            }
            switch (record.tag()) {
                case BatchFormat.DELETE_RANGE -> {
                    of.requireRangeDeletions();
                    MemorySegment begin = record.key().asSlice(0, record.keyLength() - timestampSize);
                    MemorySegment end = record.value().asSlice(0, record.valueLength() - timestampSize);
                    if (of.order.compare(begin, end) > 0) {
                        throw refuse("it deletes the range from " + KeyText.of(begin) + " to before " + KeyText.of(end)
                                + " of the "
                                + of + ", which ends before it begins; give the smaller key first");
                    }
                }
                case BatchFormat.MERGE -> {
                    of.requireMergeOperator();
                }
                // RocksDB would parse the entity only when it is read.
                case BatchFormat.PUT_ENTITY -> ApiCall.check(WideColumns.Entity.read(record.value()).problem());
                default -> {
                }
            }
        }

        /**
         * Returns the exception for timestamps where transactions lock keys: they would lock the key with its timestamp, which is another
         * key than the one without.
         */
        static RocksDBException noTimestamps() {
            return RocksDBException.of(Status.Code.NOT_SUPPORTED,
                    "A database whose transactions lock keys cannot write batches with timestamps");
        }

        private void checkTimestamp(BatchReader record, Family of) {
            if (database.kind().locksKeys()) {
                throw noTimestamps();
            }
            if (of.isDefault() && batch.addedWithoutTimestamp(record.start())) {
                throw refuse("the default column family has timestamps, but the batch does not know that; ask for"
                        + " batch.in(db.defaultColumnFamily()) once, before anything is added");
            }
            if (record.tag() == BatchFormat.PUT_ENTITY) {
                throw refuse("it has an entity in the " + of + ", and RocksDB cannot store entities with timestamps");
            }
            boolean isRange = record.tag() == BatchFormat.DELETE_RANGE;
            if (record.keyLength() < of.timestampSize || (isRange && record.valueLength() < of.timestampSize)) {
                throw refuse("it has a key in the " + of + " that is shorter than a timestamp of " + of.timestampSize
                        + " bytes");
            }
        }

        /** Finds a column family by its id and keeps it; null if it is missing and missing families are ignored. */
        private @Nullable Family family(int id) {
            Family last = family;
            if (last != null && last.id == id) {
                return last;
            }
            Family found = id == 0 ? defaultFamily : find(id);
            if (found != null) {
                family = found;
            }
            return found;
        }

        private @Nullable Family find(int id) {
            if (families == null || entered == null) {
                families = new ArrayList<>();
                entered = new ArrayList<>();
            }
            for (Family known : families) {
                if (known.id == id) {
                    return known;
                }
            }
            Family found = database.family(id);
            if (found != null) {
                entered.add(found.enter());
                families.add(found);
                return found;
            }
            if (ignoreMissingFamilies) {
                return null;
            }
            throw refuse("the " + database + " has no column family with the id " + Integer.toUnsignedString(id));
        }

        private static RocksDBException refuse(String why) {
            return RocksDBException.of(Status.Code.INVALID_ARGUMENT, "The write batch cannot be written: " + why);
        }

        @Override
        public void close() {
            if (entered != null) {
                entered.forEach(Scratch::close);
            }
        }
    }
}
