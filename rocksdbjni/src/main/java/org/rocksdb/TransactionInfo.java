package org.rocksdb;

import dev.outcrop.memory.Scratch;
import java.util.function.LongUnaryOperator;

/** What a transaction tells of itself, and settings of it. */
final class TransactionInfo {

    private TransactionInfo() {
    }

    /** Without the lock: a single number of the native object, which another thread may look at while this one waits. */
    private static long look(Transaction transaction, LongUnaryOperator number) {
        TransactionParts parts = transaction.parts_;
        try (Scratch _ = parts.database().use(); Scratch _ = parts.use()) {
            return number.applyAsLong(parts.object());
        }
    }

    private static long read(Transaction transaction, LongUnaryOperator number) {
        TransactionParts parts = transaction.parts_;
        try (Scratch _ = parts.database().use(); Scratch _ = parts.use()) {
            synchronized (parts.owner().lock()) {
                return number.applyAsLong(parts.object());
            }
        }
    }

    static long getId(Transaction transaction) {
        return look(transaction, object -> Exports.TRANSACTION_GET_ID.call(object));
    }

    static long getID(Transaction transaction) {
        return look(transaction, object -> Exports.TRANSACTION_GET_I_D.call(object));
    }

    static Transaction.TransactionState getState(Transaction transaction) {
        return Transaction.TransactionState
                .getTransactionState(
                        (byte) look(transaction, object -> Exports.TRANSACTION_GET_STATE.call(object)));
    }

    static long getElapsedTime(Transaction transaction) {
        return look(transaction, object -> Exports.TRANSACTION_GET_ELAPSED_TIME.call(object));
    }

    static boolean isDeadlockDetect(Transaction transaction) {
        return look(transaction, object -> Exports.TRANSACTION_IS_DEADLOCK_DETECT.call(object)) != 0;
    }

    static long getLogNumber(Transaction transaction) {
        return look(transaction, object -> Exports.TRANSACTION_GET_LOG_NUMBER.call(object));
    }

    static void setLogNumber(Transaction transaction, long number) {
        set(transaction, object -> Exports.TRANSACTION_SET_LOG_NUMBER.call(object, number));
    }

    static void setLockTimeout(Transaction transaction, long millis) {
        set(transaction, object -> Exports.TRANSACTION_SET_LOCK_TIMEOUT.call(object, millis));
    }

    private static void set(Transaction transaction, java.util.function.LongConsumer setting) {
        TransactionParts parts = transaction.parts_;
        try (Scratch _ = parts.database().use(); Scratch _ = parts.use()) {
            synchronized (parts.owner().lock()) {
                setting.accept(parts.object());
            }
        }
    }

    static long getNumKeys(Transaction transaction) {
        return read(transaction, object -> Exports.TRANSACTION_GET_NUM_KEYS.call(object));
    }

    static long getNumPuts(Transaction transaction) {
        return read(transaction, object -> Exports.TRANSACTION_GET_NUM_PUTS.call(object) + transaction.parts_.uncounted(0));
    }

    static long getNumMerges(Transaction transaction) {
        return read(transaction,
                object -> Exports.TRANSACTION_GET_NUM_MERGES.call(object) + transaction.parts_.uncounted(1));
    }

    static long getNumDeletes(Transaction transaction) {
        return read(transaction,
                object -> Exports.TRANSACTION_GET_NUM_DELETES.call(object) + transaction.parts_.uncounted(2));
    }

    static void setWriteOptions(Transaction transaction, WriteOptions options) {
        try (Scratch _ = options.use()) {
            set(transaction, object -> Exports.TRANSACTION_SET_WRITE_OPTIONS.call(object, options.nativeHandle_));
        }
    }

    static WriteOptions getWriteOptions(Transaction transaction) {
        return transaction.parts_.writeOptions();
    }
}
