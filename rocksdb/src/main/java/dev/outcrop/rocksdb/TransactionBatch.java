package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Does in a transaction what the records of a batch say, or looks whether a transaction can do it. RocksDB could do it in one call, but
 * looks up column families there without the lock that this needs.
 */
final class TransactionBatch implements WriteBatchHandler {
    private final Transaction transaction;
    private final Store store;
    private final boolean isInEarnest;
    /** The family of the last record. */
    private @Nullable TransactionFamily family;
    private int id = -1;
    private int timestampSize;

    TransactionBatch(Transaction transaction, Store store, boolean isInEarnest) {
        this.transaction = transaction;
        this.store = store;
        this.isInEarnest = isInEarnest;
    }

    @Override
    public void put(int of, MemorySegment key, MemorySegment value) {
        TransactionFamily in = family(of);
        if (isInEarnest) {
            in.put(user(key), value);
        }
    }

    @Override
    public void delete(int of, MemorySegment key) {
        TransactionFamily in = family(of);
        if (isInEarnest) {
            in.delete(user(key));
        }
    }

    @Override
    public void merge(int of, MemorySegment key, MemorySegment operand) {
        TransactionFamily in = family(of);
        in.family.requireMergeOperator();
        if (isInEarnest) {
            in.merge(user(key), operand);
        }
    }

    @Override
    public void logData(MemorySegment data) {
        if (isInEarnest) {
            transaction.putLogData(data);
        }
    }

    @Override
    public void singleDelete(int of, MemorySegment key) {
        throw refuse("single deletes");
    }

    @Override
    public void deleteRange(int of, MemorySegment begin, MemorySegment end) {
        throw refuse("deletions of ranges");
    }

    @Override
    public void putEntity(int of, MemorySegment key, List<WideColumn> columns) {
        throw refuse("entities");
    }

    @Override
    public void beginPrepare() {
        throw refuse("marks of prepared transactions");
    }

    @Override
    public void endPrepare(MemorySegment name) {
        throw refuse("marks of prepared transactions");
    }

    @Override
    public void commit(MemorySegment name) {
        throw refuse("marks of prepared transactions");
    }

    @Override
    public void rollback(MemorySegment name) {
        throw refuse("marks of prepared transactions");
    }

    private static RocksDBException refuse(String what) {
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                "The batch has " + what + ", which are not possible in a transaction");
    }

    private TransactionFamily family(int of) {
        TransactionFamily last = family;
        if (last != null && id == of) {
            return last;
        }
        Family found = of == 0 ? store.defaultFamily().family() : store.family(of);
        if (found == null) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "The " + store + " has no column family with the id " + Integer.toUnsignedString(of));
        }
        id = of;
        timestampSize = found.timestampSize;
        TransactionFamily in = new TransactionFamily(transaction, found);
        family = in;
        return in;
    }

    /** The key without its timestamp. */
    private MemorySegment user(MemorySegment key) {
        if (key.byteSize() < timestampSize) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, "The batch has a key of "
                    + key.byteSize() + " bytes, shorter than its timestamp of " + timestampSize);
        }
        return key.asSlice(0, key.byteSize() - timestampSize);
    }
}
