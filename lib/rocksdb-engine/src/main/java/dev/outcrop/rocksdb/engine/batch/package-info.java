/**
 * Write batches in RocksDB's format ({@link dev.outcrop.rocksdb.engine.batch.BatchFormat}), built in Java. Users add records to a
 * {@link dev.outcrop.rocksdb.engine.batch.BatchBuffer}; {@link dev.outcrop.rocksdb.engine.batch.BatchCopy} makes RocksDB's copy;
 * {@link dev.outcrop.rocksdb.engine.batch.BatchReader} reads any bytes.
 * {@link dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex} calls RocksDB's own batches with an index.
 */
@NullMarked
package dev.outcrop.rocksdb.engine.batch;

import org.jspecify.annotations.NullMarked;
