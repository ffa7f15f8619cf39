package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;

/**
 * Receives the records of a {@link WriteBatch}, in the order in which they were added. There is one method for each kind of record; by
 * default, the methods do nothing.
 *
 * <p>A column family is identified by its id, {@link ColumnFamily#id()}; the default one has id 0. In a column family with timestamps, the
 * timestamp stands at the end of each key. The segments are read-only, and only valid until the batch is changed.
 *
 * @see WriteBatch#forEach(WriteBatchHandler)
 */
public interface WriteBatchHandler {
    /**
     * A value is stored under a key.
     *
     * @param family the column family's id
     * @param key    the key
     * @param value  the value
     */
    default void put(int family, MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }

    /**
     * A key is removed.
     *
     * @param family the column family's id
     * @param key    the key
     */
    default void delete(int family, MemorySegment key) {
        Objects.requireNonNull(key, "key");
    }

    /**
     * A key is removed that was put exactly once.
     *
     * @param family the column family's id
     * @param key    the key
     */
    default void singleDelete(int family, MemorySegment key) {
        Objects.requireNonNull(key, "key");
    }

    /**
     * All keys of a range are removed.
     *
     * @param family the column family's id
     * @param begin  the first key of the range
     * @param end    the key behind the range
     */
    default void deleteRange(int family, MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
    }

    /**
     * An operand is merged into the value of a key.
     *
     * @param family  the column family's id
     * @param key     the key
     * @param operand the operand to merge into its value
     */
    default void merge(int family, MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
    }

    /**
     * A wide-column entity is stored under a key.
     *
     * @param family  the column family's id
     * @param key     the key
     * @param columns the columns, in the order of their names
     */
    default void putEntity(int family, MemorySegment key, List<WideColumn> columns) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(columns, "columns");
    }

    /**
     * Data that is in the write-ahead log only.
     *
     * @param data the data
     */
    default void logData(MemorySegment data) {
        Objects.requireNonNull(data, "data");
    }

    /** The following records belong to a prepared transaction. Only batches that come from a write-ahead log have such records. */
    default void beginPrepare() {
    }

    /**
     * The records since {@link #beginPrepare()} are prepared. Only batches that come from a write-ahead log have such records.
     *
     * @param transaction the transaction's name
     */
    default void endPrepare(MemorySegment transaction) {
        Objects.requireNonNull(transaction, "transaction");
    }

    /**
     * A prepared transaction is committed. Only batches that come from a write-ahead log have such records.
     *
     * @param transaction the transaction's name
     */
    default void commit(MemorySegment transaction) {
        Objects.requireNonNull(transaction, "transaction");
    }

    /**
     * A prepared transaction is rolled back. Only batches that come from a write-ahead log have such records.
     *
     * @param transaction the transaction's name
     */
    default void rollback(MemorySegment transaction) {
        Objects.requireNonNull(transaction, "transaction");
    }
}
