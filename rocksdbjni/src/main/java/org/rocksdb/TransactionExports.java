package org.rocksdb;

/**
 * Exports for transactions, see {@link Exports}. They take the C++ object, which is the first word of a {@code rocksdb_transaction_t} or
 * {@code rocksdb_transactiondb_t}.
 */
final class TransactionExports {

    /** It only calls the object it is given. */
    static final Export SET_SNAPSHOT = new Export("Transaction_setSnapshot",
            "(J)V");
    /** It only calls the object it is given. */
    static final Export CLEAR_SNAPSHOT = new Export("Transaction_clearSnapshot",
            "(J)V");
    /** It only calls the object it is given, with no notifier. */
    static final Export SET_SNAPSHOT_ON_NEXT_OPERATION = new Export("Transaction_setSnapshotOnNextOperation__J",
            "(J)V");
    /** It only calls the object it is given. */
    static final Export ENABLE_INDEXING = new Export("Transaction_enableIndexing",
            "(J)V");
    /** It only calls the object it is given. */
    static final Export DISABLE_INDEXING = new Export("Transaction_disableIndexing",
            "(J)V");
    /** It only calls the object it is given. */
    static final Export SET_LOCK_TIMEOUT = new Export("Transaction_setLockTimeout",
            "(JJ)V");
    /** It only calls the object it is given, or stores a field. */
    static final Export SET_LOG_NUMBER = new Export("Transaction_setLogNumber",
            "(JJ)V");
    /** It only calls the object it is given. */
    static final Export SET_WRITE_OPTIONS = new Export("Transaction_setWriteOptions",
            "(JJ)V");
    /** It only calls the object it is given. */
    static final Export NUM_KEYS = new Export("Transaction_getNumKeys",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export NUM_PUTS = new Export("Transaction_getNumPuts",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export NUM_MERGES = new Export("Transaction_getNumMerges",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export NUM_DELETES = new Export("Transaction_getNumDeletes",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export ELAPSED_MILLIS = new Export("Transaction_getElapsedTime",
            "(J)J");
    /** It only calls the object it is given, or reads a field. */
    static final Export LOG_NUMBER = new Export("Transaction_getLogNumber",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export TRANSACTION_ID = new Export("Transaction_getID",
            "(J)J");
    /** It reads a field. */
    static final Export TRANSACTION_COUNTER = new Export("Transaction_getId",
            "(J)J");
    /** It reads a field. */
    static final Export TRANSACTION_STATE = new Export("Transaction_getState",
            "(J)B");
    /** It only calls the object it is given. */
    static final Export IS_DEADLOCK_DETECT = new Export("Transaction_isDeadlockDetect",
            "(J)Z");
    /** It only calls the object it is given. */
    static final Export WRITE_OPTIONS = new Export("Transaction_getWriteOptions",
            "(J)J");
    /** It only calls the object it is given. */
    static final Export SET_DEADLOCK_INFO_BUFFER_SIZE = new Export("TransactionDB_setDeadlockInfoBufferSize",
            "(JI)V");

    private TransactionExports() {
    }
}
