/**
 * Write batches in RocksDB's own format, built in Java. A {@link dev.outcrop.rocksdb.engine.batch.BatchBuffer} is the bytes that a
 * user adds records to; {@link dev.outcrop.rocksdb.engine.batch.BatchCopy} makes RocksDB's copy of them, out of the
 * {@link dev.outcrop.rocksdb.engine.batch.SpareBatches} if it can;
 * {@link dev.outcrop.rocksdb.engine.batch.BatchReader} walks over bytes that may hold anything.
 * {@link dev.outcrop.rocksdb.engine.batch.BatchFormat} says how a batch looks.
 * {@link dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex} calls RocksDB's own batches with an index.
 */
@NullMarked
package dev.outcrop.rocksdb.engine.batch;

import org.jspecify.annotations.NullMarked;
