package org.rocksdb;

/** A failure of an operation of RocksDB. */
public class RocksDBException extends Exception {

    private static final long serialVersionUID = -5187634878466267120L;

    /** Null if there is only a message. */
    private final Status status;

    /**
     * Makes an exception with a message only.
     *
     * @param message the message
     */
    public RocksDBException(String message) {
        this(message, null);
    }

    /**
     * Makes an exception with a message and a status.
     *
     * @param message the message
     * @param status  RocksDB's status
     */
    public RocksDBException(String message, Status status) {
        super(message);
        this.status = status;
    }

    /**
     * Makes an exception with the message of a status.
     *
     * @param status RocksDB's status
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
