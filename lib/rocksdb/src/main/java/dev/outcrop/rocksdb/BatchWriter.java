package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Adds operations on one column family to a batch. Keys and values may also consist of several parts; the batch joins the parts as it
 * copies them.
 *
 * <p>Nothing reaches a database before the batch is written. Not thread-safe: threads that share a batch must take turns.
 */
public interface BatchWriter extends KeyValueWriter {
    /**
     * Stores a value under a key, see {@link #put(MemorySegment, MemorySegment)}; key and value are parts of segments. A {@link WriteBatch}
     * makes no slice or other object for that.
     *
     * @param key         the segment with the key in it
     * @param keyOffset   where the key begins
     * @param keyLength   how many bytes it has
     * @param value       the segment with the value in it; may be the same segment
     * @param valueOffset where the value begins
     * @param valueLength how many bytes it has
     * @throws IndexOutOfBoundsException if a segment does not contain its part completely
     */
    default void put(MemorySegment key, long keyOffset, long keyLength, MemorySegment value, long valueOffset,
            long valueLength) {
        put(key.asSlice(keyOffset, keyLength), value.asSlice(valueOffset, valueLength));
    }

    /**
     * Removes a key that is a part of a segment, see {@link #delete(MemorySegment)}.
     *
     * @param key       the segment with the key in it
     * @param keyOffset where the key begins
     * @param keyLength how many bytes it has
     * @throws IndexOutOfBoundsException if the segment does not contain the key completely
     */
    default void delete(MemorySegment key, long keyOffset, long keyLength) {
        delete(key.asSlice(keyOffset, keyLength));
    }

    /**
     * Merges an operand into the value of a key, see {@link #merge(MemorySegment, MemorySegment)}; key and operand are parts of segments,
     * as with {@link #put(MemorySegment, long, long, MemorySegment, long, long)}.
     *
     * @param key           the segment with the key in it
     * @param keyOffset     where the key begins
     * @param keyLength     how many bytes it has
     * @param operand       the segment with the operand in it; may be the same segment
     * @param operandOffset where the operand begins
     * @param operandLength how many bytes it has
     * @throws IndexOutOfBoundsException if a segment does not contain its part completely
     */
    default void merge(MemorySegment key, long keyOffset, long keyLength, MemorySegment operand, long operandOffset,
            long operandLength) {
        merge(key.asSlice(keyOffset, keyLength), operand.asSlice(operandOffset, operandLength));
    }

    /**
     * Stores a value under a key, see {@link #put(MemorySegment, MemorySegment)}.
     *
     * @param keyParts   the parts that the key is made of, in this order
     * @param valueParts the parts that the value is made of, in this order
     */
    void put(List<MemorySegment> keyParts, List<MemorySegment> valueParts);

    /**
     * Removes a key, see {@link #delete(MemorySegment)}.
     *
     * @param keyParts the parts that the key is made of, in this order
     */
    void delete(List<MemorySegment> keyParts);

    /**
     * Removes all keys of a range, see {@link #deleteRange(MemorySegment, MemorySegment)}.
     *
     * @param beginParts the parts that the first key is made of, in this order
     * @param endParts   the parts that the key behind the range is made of, in this order
     */
    void deleteRange(List<MemorySegment> beginParts, List<MemorySegment> endParts);

    /**
     * Merges an operand into the value of a key, see {@link #merge(MemorySegment, MemorySegment)}.
     *
     * @param keyParts     the parts that the key is made of, in this order
     * @param operandParts the parts that the operand is made of, in this order
     */
    void merge(List<MemorySegment> keyParts, List<MemorySegment> operandParts);
}
