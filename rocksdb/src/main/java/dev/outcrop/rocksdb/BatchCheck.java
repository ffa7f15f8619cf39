package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import dev.outcrop.rocksdb.engine.batch.WideColumns;
import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks a batch before it is written. What RocksDB finds wrong with a record it finds after it has logged the whole batch, and then it
 * refuses all writes until the database is opened again; some things it does not find at all.
 *
 * <p>Keeps the column families of the batch from being dropped until this object is closed. Used by one thread.
 */
final class BatchCheck implements AutoCloseable {
    private final Store store;
    private final WriteBatch batch;
    private final boolean ignoreMissingFamilies;
    /** The default column family, which its caller has entered. */
    private final Family defaultFamily;
    /** The others that were found, and what was entered for each of them; made when there is one. */
    private @Nullable List<Family> families;
    private @Nullable List<Scratch> entered;
    /** The one found last. */
    private @Nullable Family family;

    BatchCheck(Store store, Family defaultFamily, WriteBatch batch, boolean ignoreMissingFamilies) {
        this.store = store;
        this.batch = batch;
        this.ignoreMissingFamilies = ignoreMissingFamilies;
        this.defaultFamily = defaultFamily;
        this.family = defaultFamily;
    }

    /**
     * Checks all records.
     *
     * @param data  the batch's bytes, where nobody can change them any more
     * @param kinds what kinds of records RocksDB may have been told of, a bit for each
     */
    void check(MemorySegment data, int kinds) {
        if (batch.isUnstamped()) {
            throw refuse("it has records without timestamps; set them with updateTimestamps(timestamp)");
        }
        BatchReader record = new BatchReader(data);
        while (Native.next(record)) {
            if ((kinds & BatchFormat.kind(record.tag())) == 0) {
                throw Native.failure(record.damaged("it has a record of a kind that was never added to it"));
            }
            switch (record.tag()) {
                case BatchFormat.LOG_DATA, BatchFormat.NOOP -> {
                }
                case BatchFormat.PUT, BatchFormat.DELETE, BatchFormat.SINGLE_DELETE, BatchFormat.DELETE_RANGE,
                        BatchFormat.MERGE, BatchFormat.PUT_ENTITY -> {
                    Native.requireSize(record.keyLength() + record.valueLength());
                    Family of = family(record.family());
                    if (of != null) {
                        check(record, of);
                    }
                }
                default -> throw BatchVisit.notSupported(record.tag());
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
            // RocksDB would not look at it before somebody reads it.
            case BatchFormat.PUT_ENTITY -> Native.check(WideColumns.Entity.read(record.value()).problem());
            default -> {
            }
        }
    }

    /** Transactions that lock would lock the key with its timestamp, which is another one than the key without. */
    static RocksDBException noTimestamps() {
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                "A database whose transactions lock keys cannot write batches with timestamps");
    }

    private void checkTimestamp(BatchReader record, Family of) {
        if (!store.kind().takesTimestamps()) {
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

    /** Finds a column family by its id and keeps it; null if it is missing and that is to be ignored. */
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
        Family found = store.family(id);
        if (found != null) {
            entered.add(found.enter());
            families.add(found);
            return found;
        }
        if (ignoreMissingFamilies) {
            return null;
        }
        throw refuse("the " + store + " has no column family with the id " + Integer.toUnsignedString(id));
    }

    private static RocksDBException refuse(String why) {
        return RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                "The write batch cannot be written: " + why);
    }

    @Override
    public void close() {
        if (entered != null) {
            entered.forEach(Scratch::close);
        }
    }
}
