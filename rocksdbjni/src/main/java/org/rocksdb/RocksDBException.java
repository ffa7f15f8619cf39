package org.rocksdb;

/** An operation of RocksDB failed. */
public class RocksDBException extends Exception {

    private static final long serialVersionUID = -5187634878466267120L;

    /** Null if only a message is known. */
    private final Status status;

    /**
     * With a message only.
     *
     * @param message what failed
     */
    public RocksDBException(String message) {
        this(message, null);
    }

    /**
     * With both.
     *
     * @param message what failed
     * @param status  what RocksDB said
     */
    public RocksDBException(String message, Status status) {
        super(message);
        this.status = status;
    }

    /**
     * With the message that the status has.
     *
     * @param status what RocksDB said
     */
    public RocksDBException(Status status) {
        super(status.getState() != null ? status.getState() : status.getCodeString());
        this.status = status;
    }

    /**
     * What RocksDB said.
     *
     * @return null if only a message is known
     */
    public Status getStatus() {
        return status;
    }
}
