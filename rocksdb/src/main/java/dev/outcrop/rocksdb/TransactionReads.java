package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Reads of a column family within a transaction. */
final class TransactionReads extends PinningReads {
    private final Transaction transaction;
    /** Which of its beginnings these reads belong to; 0 for any. */
    private final long beginning;

    TransactionReads(Transaction transaction, Family family, ReadOptions options, long beginning) {
        super(family, options);
        this.transaction = transaction;
        this.beginning = beginning;
    }

    @Override
    void begin() {
        transaction.enter(beginning);
    }

    @Override
    void end() {
        transaction.exit();
    }

    @Override
    long lookUp(MemorySegment key, long keyLength, @Nullable LockMode mode, long error) {
        if (mode == null) {
            return CApi.rocksdb_transaction_get_pinned_cf(transaction.address(), readOptions, family.handle, key,
                    keyLength, error);
        }
        transaction.requireChangeable();
        return CApi.rocksdb_transaction_get_pinned_for_update_cf(transaction.address(), readOptions, family.handle, key,
                keyLength, (byte) (mode == LockMode.EXCLUSIVE ? 1 : 0), error);
    }
}
