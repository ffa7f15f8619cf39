package dev.outcrop.rocksdb;

/** RocksDB refused or failed an operation. An absent key is never an exception. */
public final class RocksDBException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Status status;

    RocksDBException(Status status) {
        this(status, status.toString());
    }

    RocksDBException(Status status, String message) {
        super(message);
        this.status = status;
    }

    /** A failure found before RocksDB was asked. */
    static RocksDBException of(Status.Code code, Status.SubCode subCode, String message) {
        return new RocksDBException(new Status(code, subCode, message), message);
    }

    /**
     * Why the operation failed.
     *
     * @return code, sub-code and message
     */
    public Status status() {
        return status;
    }
}
