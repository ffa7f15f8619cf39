package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Writes entries. Each operation is atomic, and as durable as the {@link WriteOptions} request. Without options, the operation is in the
 * write-ahead log when the method returns, but the log is not yet synced to the device.
 *
 * <p>Keys and values are bytes, of any length from zero on, in one of three forms: a {@link MemorySegment}, native or on the heap; a {@code
 * byte[]}; a {@link ByteBuffer}, direct or not, from its position to its limit. The buffer's position does not change. Pass a slice for a
 * part of one. RocksDB has its own copy when the method returns.
 *
 * <p>Thread-safe, except for batches. Every method throws {@link RocksDBException} if RocksDB refuses or fails, {@link
 * IllegalStateException} if the database or a segment's arena is closed, {@link WrongThreadException} for a segment confined to another
 * thread, and {@link NullPointerException} for a null argument.
 */
public interface KeyValueWriter {
    /**
     * Returns a view that writes with a timestamp, for column families with a comparator that needs one, such as {@code new
     * Options().set("comparator=leveldb.BytewiseComparator.u64ts")}. Such column families cannot be written without a timestamp.
     *
     * <p>RocksDB orders the versions of a key by their timestamps; write newer versions with greater ones. Read with
     * {@link ReadOptions#timestamp(byte[])}.
     *
     * @param timestamp as long as the column family's timestamps; copied
     * @return a view, which can be kept and shared; there is nothing to close
     * @throws IllegalArgumentException if timestamps of the column family have another size, or if it has none
     * @throws RocksDBException         with {@link Status.Code#NOT_SUPPORTED} if this object cannot write with timestamps
     */
    default KeyValueWriter at(MemorySegment timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        throw RocksDBException.of(Status.Code.NOT_SUPPORTED,
                "A " + getClass().getSimpleName() + " cannot be written with timestamps like this");
    }

    /**
     * Returns a view that writes with a timestamp that is a number, see {@link #at(MemorySegment)}.
     *
     * @param timestamp an unsigned number, for RocksDB's comparators {@code …u64ts}
     * @return a view, which can be kept and shared; there is nothing to close
     */
    default KeyValueWriter at(long timestamp) {
        return at(MemorySegment.ofArray(TimestampedValue.bytes(timestamp)));
    }

    /**
     * Stores a value under a key, in place of any value it had.
     *
     * @param key   the key
     * @param value the value
     */
    void put(MemorySegment key, MemorySegment value);

    /**
     * Stores a value under a key, in place of any value it had.
     *
     * @param key   the key
     * @param value the value
     */
    default void put(byte[] key, byte[] value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        put(MemorySegment.ofArray(key), MemorySegment.ofArray(value));
    }

    /**
     * Stores a value under a key, in place of any value it had.
     *
     * @param key   the key
     * @param value the value
     */
    default void put(ByteBuffer key, ByteBuffer value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        put(MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(value));
    }

    /**
     * Removes a key. Nothing happens if it is not there.
     *
     * @param key the key
     */
    void delete(MemorySegment key);

    /**
     * Removes a key. Nothing happens if it is not there.
     *
     * @param key the key
     */
    default void delete(byte[] key) {
        Objects.requireNonNull(key, "key");
        delete(MemorySegment.ofArray(key));
    }

    /**
     * Removes a key. Nothing happens if it is not there.
     *
     * @param key the key
     */
    default void delete(ByteBuffer key) {
        Objects.requireNonNull(key, "key");
        delete(MemorySegment.ofBuffer(key));
    }

    /**
     * Removes a key that was put exactly once since it was last removed, and never merged. Cheaper than {@link #delete}, because a
     * compaction drops both records as soon as they meet. For any other key, RocksDB does not define the result.
     *
     * @param key the key
     */
    void singleDelete(MemorySegment key);

    /**
     * Removes a key that was put exactly once, see {@link #singleDelete(MemorySegment)}.
     *
     * @param key the key
     */
    default void singleDelete(byte[] key) {
        Objects.requireNonNull(key, "key");
        singleDelete(MemorySegment.ofArray(key));
    }

    /**
     * Removes a key that was put exactly once, see {@link #singleDelete(MemorySegment)}.
     *
     * @param key the key
     */
    default void singleDelete(ByteBuffer key) {
        Objects.requireNonNull(key, "key");
        singleDelete(MemorySegment.ofBuffer(key));
    }

    /**
     * Removes all keys of a range with a single record, however many they are.
     *
     * @param begin the first key of the range
     * @param end   the key behind the range; not removed
     * @throws RocksDBException with {@link Status.Code#INVALID_ARGUMENT} if {@code end} comes before {@code begin}; nothing happens if they
     *                          are equal. With {@link Status.Code#NOT_SUPPORTED} if the table format is not the block-based one
     */
    void deleteRange(MemorySegment begin, MemorySegment end);

    /**
     * Removes all keys of a range with a single record, however many they are.
     *
     * @param begin the first key of the range
     * @param end   the key behind the range; not removed
     */
    default void deleteRange(byte[] begin, byte[] end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        deleteRange(MemorySegment.ofArray(begin), MemorySegment.ofArray(end));
    }

    /**
     * Removes all keys of a range with a single record, however many they are.
     *
     * @param begin the first key of the range
     * @param end   the key behind the range; not removed
     */
    default void deleteRange(ByteBuffer begin, ByteBuffer end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        deleteRange(MemorySegment.ofBuffer(begin), MemorySegment.ofBuffer(end));
    }

    /**
     * Merges an operand into the value of a key, with the database's {@link MergeOperator}, without reading the value now.
     *
     * @param key     the key
     * @param operand the operand to merge into its value
     */
    void merge(MemorySegment key, MemorySegment operand);

    /**
     * Merges an operand into the value of a key, see {@link #merge(MemorySegment, MemorySegment)}.
     *
     * @param key     the key
     * @param operand the operand to merge into its value
     */
    default void merge(byte[] key, byte[] operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        merge(MemorySegment.ofArray(key), MemorySegment.ofArray(operand));
    }

    /**
     * Merges an operand into the value of a key, see {@link #merge(MemorySegment, MemorySegment)}.
     *
     * @param key     the key
     * @param operand the operand to merge into its value
     */
    default void merge(ByteBuffer key, ByteBuffer operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        merge(MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(operand));
    }
}
