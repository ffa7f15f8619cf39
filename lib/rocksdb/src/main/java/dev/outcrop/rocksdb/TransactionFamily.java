package dev.outcrop.rocksdb;

/**
 * A column family as a transaction sees and changes it. There is nothing to close: it ends with its transaction. Like the transaction,
 * it may be used by one thread at a time.
 */
public final class TransactionFamily extends TransactionOperations {
    TransactionFamily(Transaction transaction, Family family) {
        this(transaction, family, new ReadOptions(), Transaction.ANY_BEGINNING);
    }

    TransactionFamily(Transaction transaction, Family family, ReadOptions options, long beginning) {
        super(transaction, family, options, beginning);
    }

    /** The transaction's and the column family's name, for messages. */
    @Override
    public String toString() {
        return family + " in " + transaction;
    }
}
