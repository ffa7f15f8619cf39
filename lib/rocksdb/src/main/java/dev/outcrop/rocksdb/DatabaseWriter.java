package dev.outcrop.rocksdb;

/**
 * Writes to a whole database: to its default column family, and batches for all column families.
 *
 * <p>Thread-safe.
 */
public interface DatabaseWriter extends KeyValueWriter {
    /**
     * Writes a batch, all of it or nothing. The batch stays unchanged and can be written again.
     *
     * @param batch the operations
     * @throws RocksDBException         with {@link Status.Code#INVALID_ARGUMENT} if a record cannot be written: a range that ends before it
     *                                  begins, a missing timestamp, an unknown column family; with {@link Status.Code#NOT_SUPPORTED} for a
     *                                  merge where there is no merge operator; with {@link Status.Code#CORRUPTION} if several threads have
     *                                  corrupted the batch; if RocksDB refuses or fails
     * @throws IllegalArgumentException if the batch has column families of another database
     */
    void write(WriteBatch batch);

    /**
     * Writes a batch with an index, all of it or nothing. The batch stays unchanged and can be written again.
     *
     * @param batch the operations
     * @throws RocksDBException         with {@link Status.Code#INVALID_ARGUMENT} if timestamps are missing; if RocksDB refuses or fails
     * @throws IllegalArgumentException if the batch belongs to another database
     */
    void write(WriteBatchWithIndex batch);
}
