/**
 * How records get into the queue, and to the disk. {@code Log} has the open segments: a producer claims offset and place with one
 * compare-and-set ({@code SegmentTail}), copies ({@code PayloadWriter}), and commits. It waits only where the queue is full ({@code
 * QueueBounds}) or rolls to the next file. {@code Cursor} reads committed records in order, and {@code Readers} are the threads that wait
 * for them.
 *
 * <p>{@code Syncer} writes the committed prefix to the disk, one thread for all threads that wait; {@code Committer} is the thread for
 * producers that do not wait. One failed write poisons the log, and nothing more is appended.
 *
 * <p>An append makes no object and takes no lock, which {@code AppendGarbageTest} checks. JDK Flight Recorder takes a tenth of a second for
 * the first event of a process, so events are made only while it runs.
 */
@NullMarked
package dev.outcrop.queue.internal.append;

import org.jspecify.annotations.NullMarked;
