package dev.outcrop.rocksdb;

/** Begins native transactions of one database with one set of options. */
@FunctionalInterface
interface TransactionStarter {
    /**
     * Begins a transaction, called while the store is entered.
     *
     * @param ended a {@code rocksdb_transaction_t *} to use again, or 0 for a new one
     * @return the {@code rocksdb_transaction_t *}
     */
    long begin(long ended);

    /** For how long its transactions wait for a lock, for messages. */
    default String lockTimeout() {
        return "its lock time-out";
    }
}
