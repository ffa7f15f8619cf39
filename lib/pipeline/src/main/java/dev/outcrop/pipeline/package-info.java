/**
 * Records of a {@linkplain dev.outcrop.queue.Queue durable queue} into a {@linkplain dev.outcrop.rocksdb.RocksDB database}: a
 * {@link dev.outcrop.pipeline.Pipeline} gives each record to a {@link dev.outcrop.pipeline.RecordMapper}, which says what to write, and the
 * effect of each record is in the database exactly once, however often the process is killed.
 *
 * <p>Priorities, in this order:
 * <ol>
 * <li>the effect of no record is missing, and that of none is there twice; where that cannot be promised, a pipeline does not start, and
 * says why;
 * <li>a record that cannot be mapped stops the pipeline or is put away, and never disappears;
 * <li>bytes go from the queue's file into RocksDB's memory without the heap between them.
 * </ol>
 */
@NullMarked
package dev.outcrop.pipeline;

import org.jspecify.annotations.NullMarked;
