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
 * <p>All segments are read-only, and usable only by the calling thread until the method returns; afterwards they throw. The list of
 * operands is valid as long as its segments.
 *
 * <p>If a method throws, the exception is logged and the merge fails: a read reports {@link Status.Code#CORRUPTION}, and a flush or a
 * compaction stops, after which the database cannot be written until it is opened again. If a method of the database led to the call on the
 * same thread, that method throws the exception itself.
 *
 * <p>An operator can read the database that it belongs to, but cannot change it. It cannot read a column family that the same thread is
 * reading, and cannot read at all while that thread writes. In RocksDB's own threads, it cannot wait for flushes and compactions, of other
 * databases too. Calls that are not possible throw {@link IllegalStateException}; an operator that waits for another thread that makes such
 * a call may deadlock.
 */
public interface MergeFunction {
    /**
     * Returns the name, which RocksDB stores with the database.
     *
     * @return the name, always the same
     */
    String name();

    /**
     * Applies operands to a value.
     *
     * @param key      the key
     * @param existing its value before, or null if it had none
     * @param operands the operands since then, the oldest first; at least one
     * @param result   takes the new value, which the method must set
     */
    void fullMerge(MemorySegment key, @Nullable MemorySegment existing, List<MemorySegment> operands, ValueSink result);

    /**
     * Combines operands into one, without knowing the value that they are for. Applying the result instead of the operands must give the
     * same value. By default, operands are kept until the value is known.
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
