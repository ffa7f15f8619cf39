/**
 * Moves records of a {@linkplain dev.outcrop.queue.Queue durable queue} into a {@linkplain dev.outcrop.rocksdb.RocksDB database}. A
 * {@link dev.outcrop.pipeline.Pipeline} passes each record to a {@link dev.outcrop.pipeline.RecordMapper}, which says what to write. The
 * effect of each record is in the database exactly once, however often the process is killed.
 *
 * <p>Priorities, in this order:
 * <ol>
 * <li>no record's effect is missing, and no record's effect is there twice; if this cannot be guaranteed, a pipeline does not start, and
 * says why;
 * <li>a record that cannot be mapped stops the pipeline or becomes a dead letter, and never disappears;
 * <li>bytes go from the queue's file into RocksDB's memory without a copy on the heap.
 * </ol>
 */
@NullMarked
package dev.outcrop.pipeline;

import org.jspecify.annotations.NullMarked;
