package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A merge operator in Java, which computes values for {@link KeyValueWriter#merge}. Set it with {@link
 * Options#mergeOperator(MergeFunction)}. RocksDB calls it while reading, flushing and compacting, from any thread, from several at the same
 * time. It must always give the same result for the same arguments.
 *
 * <p>All segments are read-only, and usable only by the calling thread until the method returns; afterwards they throw. The list
 * of operands is valid as long as they are.
 *
 * <p>If a method throws, the exception is logged and the merge has failed: a read reports {@link Status.Code#CORRUPTION}, and a flush
 * or a compaction stops, which ends writing until the database is opened again. Where a method of the database led to the call, on
 * the same thread, that method throws the exception itself.
 *
 * <p>An operator can read the database that it belongs to, except a column family that the same thread is reading, and anything while that
 * thread writes; and it cannot change it. Flushes and compactions, of other databases too, cannot be waited for in RocksDB's own threads.
 * Calls that are not possible throw {@link IllegalStateException}; an operator that waits for another thread that does it may deadlock.
 */
public interface MergeFunction {
    /**
     * Its name. RocksDB stores it with the database.
     *
     * @return always the same
     */
    String name();

    /**
     * Applies operands to a value.
     *
     * @param key      the key
     * @param existing its value before, or null if it had none
     * @param operands the operands since then, the oldest first; at least one
     * @param result   takes the new value; one must be given
     */
    void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands, ValueSink result);

    /**
     * Combines operands into one, without knowing the value that they are for. Applying the result in place of the operands must
     * give the same value. If not overridden, operands are kept until the value is known.
     *
     * @param key      the key
     * @param operands adjacent operands, the oldest first; at least two
     * @param result   takes the combined operand
     * @return whether they were combined; false keeps them as they are
     */
    default boolean partialMerge(MemorySegment key, List<MemorySegment> operands, ValueSink result) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operands, "operands");
        Objects.requireNonNull(result, "result");
        return false;
    }
}
