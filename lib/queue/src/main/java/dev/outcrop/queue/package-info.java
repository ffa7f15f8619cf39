/**
 * A durable queue in memory-mapped files: any number of threads of one process append records, any number of consumer groups read them,
 * acknowledge them in any order and go on where they were after a restart or a crash.
 *
 * <p>Priorities, in this order:
 * <ol>
 * <li>nothing that was promised is lost, and nothing is called durable before it is;
 * <li>nothing is returned that was not appended just so: whatever a disk or another program has done to the files;
 * <li>a producer that is faster than the consumers is told, or waits;
 * <li>appending and polling cost little more than the copy, and no garbage.
 * </ol>
 *
 * <p>{@link dev.outcrop.queue.Queue} is where everything begins: records are appended with it, or with its views
 * {@link dev.outcrop.queue.Appender} and {@link dev.outcrop.queue.AsyncAppender}, and read with a {@link dev.outcrop.queue.ConsumerGroup}.
 * {@link dev.outcrop.queue.Tailer} reads along in another process, {@link dev.outcrop.queue.QueueFiles} verifies and repairs what no process
 * has open. This package only says what users may do; how it is done is in packages that are not exported. The files are described in
 * {@code docs/queue-format.md}.
 */
@NullMarked
package dev.outcrop.queue;

import org.jspecify.annotations.NullMarked;
