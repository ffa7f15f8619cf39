package dev.outcrop.rocksdb;

/**
 * The merge operators that are built into RocksDB, apart from {@code sortlist}: that one ends the process when it meets a value that
 * is no list of integers.
 */
public enum MergeOperator {
    /**
     * Adds 8-byte little-endian unsigned integers. RocksDB treats operands and values of any other size as 0, and reports that only in its
     * log: write them with a {@link java.lang.foreign.ValueLayout} or a {@link java.nio.ByteBuffer} of that order, never as text.
     */
    UINT64_ADD("uint64add"),
    /** Keeps the greatest operand, compared byte by byte. */
    MAX("max"),
    /** Keeps the last operand: a merge is a put. */
    PUT("put"),
    /** Joins the operands with a comma. */
    STRING_APPEND("stringappend"),
    /** Combines the operands bitwise by exclusive or; a shorter operand counts as padded with zeros. */
    BYTES_XOR("bytesxor");

    private final String id;

    MergeOperator(String id) {
        this.id = id;
    }

    /** Returns its name in RocksDB's option strings. */
    String id() {
        return id;
    }
}
