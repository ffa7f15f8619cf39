package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads in a transaction: its own writes, and beneath them the database. Reading for update makes sure that no one else changes the key
 * before the transaction commits: by locking it now, or, in an {@link OptimisticTransactionDB}, by refusing to commit.
 *
 * <p>Every method that locks throws {@link RocksDBException} with {@link Status.Code#TIMED_OUT} if another transaction holds the lock for
 * too long, with {@link Status.Code#BUSY} if waiting would be a deadlock and {@link TransactionOptions#deadlockDetect(boolean)} is set, or
 * if the key was written after the transaction's snapshot, and with {@link Status.Code#EXPIRED} if the transaction is too old.
 */
public interface TransactionalReader extends KeyValueReader {
    /**
     * Reads a value in place, for update, see {@link #getPinned(MemorySegment)}.
     *
     * @param key  the key, which is locked whether or not it is there
     * @param mode how it is locked; an optimistic transaction locks nothing, and treats both alike
     * @return the slice, which this thread must close; null if the key is not there
     */
    @Nullable
    PinnedSlice getPinnedForUpdate(MemorySegment key, LockMode mode);

    /**
     * Reads a value for update.
     *
     * @param key  the key, which is locked whether or not it is there
     * @param mode how it is locked
     * @return the value, or null if the key is not there
     */
    default byte @Nullable [] getForUpdate(byte[] key, LockMode mode) {
        Objects.requireNonNull(key, "key");
        try (PinnedSlice slice = getPinnedForUpdate(MemorySegment.ofArray(key), mode)) {
            return slice == null ? null : FamilyReader.array(slice.segment());
        }
    }

    /**
     * Reads a value for update, and locks the key for this transaction alone.
     *
     * @param key the key, which is locked whether or not it is there
     * @return the value, or null if the key is not there
     */
    default byte @Nullable [] getForUpdate(byte[] key) {
        Objects.requireNonNull(key, "key");
        return getForUpdate(key, LockMode.EXCLUSIVE);
    }

    /**
     * Reads values for update, and locks their keys for this transaction alone.
     *
     * @param keys the keys, which are locked whether or not they are there; if one cannot be locked, those before it stay locked
     * @return the values in the same order, null for each key that is not there
     */
    default List<byte @Nullable []> multiGetForUpdate(List<byte[]> keys) {
        ApiCall.requireElements("keys", keys);
        List<byte @Nullable []> values = new ArrayList<>(keys.size());
        for (byte[] key : keys) {
            values.add(getForUpdate(key));
        }
        return values;
    }
}
