package dev.outcrop.rocksdb;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Whether reads and writes have the timestamps that a column family's keys need; RocksDB's own words for it do not say what to do. */
final class Timestamps {
    private Timestamps() {
    }

    /**
     * Checks options against a column family that is to be read with them.
     *
     * @param size of the options' timestamp, 0 if they have none
     */
    static void requireFit(Family family, int size) {
        if (size != family.timestampSize) {
            throw misfit(family, size);
        }
    }

    static RocksDBException misfit(Family family, int size) {
        String problem;
        if (size == 0) {
            problem = "The keys of the " + family + " have timestamps of " + family.timestampSize
                    + " bytes; read it with new ReadOptions().timestamp(...)";
        } else if (family.timestampSize == 0) {
            problem = "The keys of the " + family + " have no timestamps; read it with options that have none either";
        } else {
            problem = "The keys of the " + family + " have timestamps of " + family.timestampSize
                    + " bytes, but the read options one of " + size;
        }
        return refused(problem);
    }

    /** Checks that a column family has timestamps to read. */
    static void requireAny(Family family) {
        if (family.timestampSize == 0) {
            throw refused("The keys of the " + family + " have no timestamps; read it with get(key)");
        }
    }

    /** What a write without a timestamp to a column family throws that needs one. */
    static RocksDBException misfit(Family family) {
        return refused("The keys of the " + family + " have timestamps of " + family.timestampSize
                + " bytes; write it with at(timestamp)");
    }

    /** Checks the size of a timestamp to write with. */
    static void requireSize(Family family, long size) {
        if (family.timestampSize == 0) {
            throw new IllegalArgumentException("The keys of the " + family + " have no timestamps");
        }
        if (size != family.timestampSize) {
            throw new IllegalArgumentException(
                    "The timestamp has " + size + " bytes, but those of the " + family + " have "
                            + family.timestampSize);
        }
    }

    static RocksDBException notReadable(KeyValueReader reader) {
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                "RocksDB's C API cannot tell the timestamps of what is read from a "
                        + reader.getClass().getSimpleName());
    }

    static RocksDBException notWritable(KeyValueWriter writer) {
        return RocksDBException.of(Status.Code.NOT_SUPPORTED, Status.SubCode.NONE,
                "A " + writer.getClass().getSimpleName() + " cannot be written with timestamps like this");
    }

    /** A number as RocksDB's comparators {@code …u64ts} take it. */
    static byte[] u64(long timestamp) {
        return ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN).putLong(timestamp).array();
    }

    /** The number in a timestamp of RocksDB's comparators {@code …u64ts}. */
    static long u64(byte[] timestamp) {
        if (timestamp.length != Long.BYTES) {
            throw new IllegalStateException("The timestamp has " + timestamp.length + " bytes, and is no number of 8");
        }
        return ByteBuffer.wrap(timestamp).order(ByteOrder.LITTLE_ENDIAN).getLong();
    }

    private static RocksDBException refused(String message) {
        return RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE, message);
    }
}
