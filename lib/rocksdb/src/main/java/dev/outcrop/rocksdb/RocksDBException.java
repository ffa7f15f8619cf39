package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeText;

/** RocksDB refused or failed an operation. A missing key never causes an exception. */
public final class RocksDBException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;

    RocksDBException(Status status) {
        this(status, status.toString());
    }

    RocksDBException(Status status, String message) {
        // Names that are no text are shown as bytes.
        super(NativeText.shown(message));
        this.status = status;
    }

    /** Makes the exception for a failure that was found before RocksDB was asked. */
    static RocksDBException of(Status.Code code, String message) {
        return of(code, Status.SubCode.NONE, message);
    }

    /** Makes the exception for a failure with a sub-code that was found before RocksDB was asked. */
    static RocksDBException of(Status.Code code, Status.SubCode subCode, String message) {
        return new RocksDBException(new Status(code, subCode, message), message);
    }

    /**
     * Returns why the operation failed.
     *
     * @return code, sub-code and message
     */
    public Status status() {
        return status;
    }

    /**
     * Returns whether the same work may succeed if it is tried again. Work that failed in a transaction needs a rollback and a new
     * transaction. A second attempt may succeed if the work met another transaction, write or operation ({@link Status.Code#BUSY}, which
     * includes deadlocks and the limit of locks, and {@link Status.Code#TRY_AGAIN}), or if a lock was not free or a deadline passed ({@link
     * Status.Code#TIMED_OUT}). A transaction that has {@linkplain Status.Code#EXPIRED expired} would take as long again. Changes that
     * RocksDB made before it failed are not undone.
     *
     * @return true if it makes sense to try again, a limited number of times and after a pause
     */
    public boolean isRetryable() {
        return switch (status.code()) {
            case BUSY, TRY_AGAIN, TIMED_OUT -> true;
            case ABORTED -> status.subCode() == Status.SubCode.LOCK_LIMIT;
            default -> false;
        };
    }

    /** Makes an exception like another one, with a text before its message. */
    RocksDBException within(String before) {
        RocksDBException told = new RocksDBException(status, before + ": " + getMessage());
        told.initCause(this);
        return told;
    }
}
