package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * What can be added to a batch for one column family: what can be written to a database, and keys and values that lie in several
 * places, which are gathered as they are copied.
 *
 * <p>Nothing reaches a database before the batch is written. Not thread-safe: threads that share a batch take turns.
 */
public interface BatchWriter extends KeyValueWriter {
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
