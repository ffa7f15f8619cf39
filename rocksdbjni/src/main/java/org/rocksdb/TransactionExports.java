package org.rocksdb;

/**
 * Exports for transactions, see {@link Exports}. They take the C++ object, which is the first word of a {@code rocksdb_transaction_t} or
 * {@code rocksdb_transactiondb_t}.
 */
final class TransactionExports {

    /** It only calls the object it is given. */
    private static final Export SET_SNAPSHOT = new Export("Transaction_setSnapshot",
            "(J)V");
    /** It only calls the object it is given. */
    private static final Export CLEAR_SNAPSHOT = new Export("Transaction_clearSnapshot",
            "(J)V");
    /** It only calls the object it is given, with no notifier. */
    private static final Export SET_SNAPSHOT_ON_NEXT_OPERATION = new Export("Transaction_setSnapshotOnNextOperation__J",
            "(J)V");
    /** It only calls the object it is given. */
    private static final Export ENABLE_INDEXING = new Export("Transaction_enableIndexing",
            "(J)V");
    /** It only calls the object it is given. */
    private static final Export DISABLE_INDEXING = new Export("Transaction_disableIndexing",
            "(J)V");
    /** It only calls the object it is given. */
    private static final Export SET_LOCK_TIMEOUT = new Export("Transaction_setLockTimeout",
            "(JJ)V");
    /** It only calls the object it is given, or stores a field. */
    private static final Export SET_LOG_NUMBER = new Export("Transaction_setLogNumber",
            "(JJ)V");
    /** It only calls the object it is given. */
    private static final Export SET_WRITE_OPTIONS = new Export("Transaction_setWriteOptions",
            "(JJ)V");
    /** It only calls the object it is given. */
    private static final Export NUM_KEYS = new Export("Transaction_getNumKeys",
            "(J)J");
    /** It only calls the object it is given. */
    private static final Export NUM_PUTS = new Export("Transaction_getNumPuts",
            "(J)J");
    /** It only calls the object it is given. */
    private static final Export NUM_MERGES = new Export("Transaction_getNumMerges",
            "(J)J");
    /** It only calls the object it is given. */
    private static final Export NUM_DELETES = new Export("Transaction_getNumDeletes",
            "(J)J");
    /** It only calls the object it is given. */
    private static final Export ELAPSED_MILLIS = new Export("Transaction_getElapsedTime",
            "(J)J");
    /** It only calls the object it is given, or reads a field. */
    private static final Export LOG_NUMBER = new Export("Transaction_getLogNumber",
            "(J)J");
    /** It only calls the object it is given. */
    private static final Export TRANSACTION_ID = new Export("Transaction_getID",
            "(J)J");
    /** It reads a field. */
    private static final Export TRANSACTION_COUNTER = new Export("Transaction_getId",
            "(J)J");
    /** It reads a field. */
    private static final Export TRANSACTION_STATE = new Export("Transaction_getState",
            "(J)B");
    /** It only calls the object it is given. */
    private static final Export IS_DEADLOCK_DETECT = new Export("Transaction_isDeadlockDetect",
            "(J)Z");
    /** It only calls the object it is given. */
    private static final Export WRITE_OPTIONS = new Export("Transaction_getWriteOptions",
            "(J)J");
    /** It only calls the object it is given. */
    private static final Export SET_DEADLOCK_INFO_BUFFER_SIZE = new Export("TransactionDB_setDeadlockInfoBufferSize",
            "(JI)V");

    private TransactionExports() {
    }

    static void setSnapshot(long transaction) {
        SET_SNAPSHOT.call(transaction);
    }

    static void clearSnapshot(long transaction) {
        CLEAR_SNAPSHOT.call(transaction);
    }

    static void setSnapshotOnNextOperation(long transaction) {
        SET_SNAPSHOT_ON_NEXT_OPERATION.call(transaction);
    }

    static void enableIndexing(long transaction) {
        ENABLE_INDEXING.call(transaction);
    }

    static void disableIndexing(long transaction) {
        DISABLE_INDEXING.call(transaction);
    }

    static void setLockTimeout(long transaction, long value) {
        SET_LOCK_TIMEOUT.call(transaction, value);
    }

    static void setLogNumber(long transaction, long value) {
        SET_LOG_NUMBER.call(transaction, value);
    }

    static void setWriteOptions(long transaction, long value) {
        SET_WRITE_OPTIONS.call(transaction, value);
    }

    static long numKeys(long transaction) {
        return NUM_KEYS.call(transaction);
    }

    static long numPuts(long transaction) {
        return NUM_PUTS.call(transaction);
    }

    static long numMerges(long transaction) {
        return NUM_MERGES.call(transaction);
    }

    static long numDeletes(long transaction) {
        return NUM_DELETES.call(transaction);
    }

    static long elapsedMillis(long transaction) {
        return ELAPSED_MILLIS.call(transaction);
    }

    static long logNumber(long transaction) {
        return LOG_NUMBER.call(transaction);
    }

    static long transactionId(long transaction) {
        return TRANSACTION_ID.call(transaction);
    }

    static long transactionCounter(long transaction) {
        return TRANSACTION_COUNTER.call(transaction);
    }

    static long transactionState(long transaction) {
        return TRANSACTION_STATE.call(transaction);
    }

    static long isDeadlockDetect(long transaction) {
        return IS_DEADLOCK_DETECT.call(transaction);
    }

    static long writeOptions(long transaction) {
        return WRITE_OPTIONS.call(transaction);
    }

    static void setDeadlockInfoBufferSize(long database, int size) {
        SET_DEADLOCK_INFO_BUFFER_SIZE.call(database, size);
    }
}
