package org.rocksdb;

/** A failure of an operation of RocksDB. */
public class RocksDBException extends Exception {

    private static final long serialVersionUID = -5187634878466267120L;

    /** Null if there is only a message. */
    private final Status status;

    /**
     * Makes an exception with a message only.
     *
     * @param message what failed
     */
    public RocksDBException(String message) {
        this(message, null);
    }

    /**
     * Makes an exception with a message and a status.
     *
     * @param message what failed
     * @param status  what RocksDB said
     */
    public RocksDBException(String message, Status status) {
        super(message);
        this.status = status;
    }

    /**
     * Makes an exception with the message of a status.
     *
     * @param status what RocksDB said
     */
    public RocksDBException(Status status) {
        super(status.getState() != null ? status.getState() : status.getCodeString());
        this.status = status;
    }

    /** {@return the status; null if there is only a message} */
    public Status getStatus() {
        return status;
    }
}
