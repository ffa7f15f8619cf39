/**
 * A durable queue in memory-mapped files. Any number of threads of one process append records. Any number of consumer groups read them,
 * acknowledge them in any order, and continue where they were after a restart or a crash.
 *
 * <p>Priorities, in this order:
 * <ol>
 * <li>nothing that was promised is lost, and nothing is called durable before it is;
 * <li>every record is returned exactly as it was appended, or not at all, whatever a disk or another program has done to the files;
 * <li>a producer that is faster than the consumers waits, or gets an exception;
 * <li>appending and polling cost little more than the copy, and leave no garbage.
 * </ol>
 *
 * <p>Start with {@link dev.outcrop.queue.Queue}. It appends records, directly or with its views {@link dev.outcrop.queue.Appender} and
 * {@link dev.outcrop.queue.AsyncAppender}, and a {@link dev.outcrop.queue.ConsumerGroup} reads them. {@link dev.outcrop.queue.Tailer} reads
 * along in another process. {@link dev.outcrop.queue.QueueFiles} verifies and repairs a queue that no process has open. This package only
 * says what users may do; the implementation is in packages that are not exported. {@code docs/queue-format.md} describes the files.
 */
@NullMarked
package dev.outcrop.queue;

import org.jspecify.annotations.NullMarked;
