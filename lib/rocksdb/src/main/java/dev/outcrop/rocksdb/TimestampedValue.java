package dev.outcrop.rocksdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** A value and the timestamp that it was written with, see {@link KeyValueReader#getTimestamped(byte[])}. */
public final class TimestampedValue {
    private final byte[] value;
    private final byte[] timestamp;

    TimestampedValue(byte[] value, byte[] timestamp) {
        this.value = value;
        this.timestamp = timestamp;
    }

    /**
     * Returns the value.
     *
     * @return its bytes, which belong to the caller
     */
    public byte[] value() {
        return value;
    }

    /**
     * Returns the timestamp that the value was written with.
     *
     * @return its bytes, as many as the column family's comparator asks for; they belong to the caller
     */
    public byte[] timestamp() {
        return timestamp;
    }

    /**
     * Returns the timestamp as a number, for RocksDB's comparators {@code …u64ts}.
     *
     * @return an unsigned number
     * @throws IllegalStateException if the timestamp does not have 8 bytes
     */
    public long timestampAsLong() {
        if (timestamp.length != Long.BYTES) {
            throw new IllegalStateException(
                    "The timestamp has " + timestamp.length + " bytes, and is not a number of 8");
        }
        return ByteBuffer.wrap(timestamp).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    /** Returns a number as a timestamp of RocksDB's comparators {@code …u64ts}. */
    static byte[] bytes(long timestamp) {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(timestamp).array();
    }
}
