/**
 * How records get into the queue, and to the disk. {@code Log} has the open segments: a producer claims offset and place with one
 * compare-and-set ({@code SegmentTail}), copies ({@code PayloadWriter}), and commits. It waits only where the queue is full ({@code QueueBounds}),
 * or goes on to the next file. {@code Cursor} reads what is committed, in order, and {@code Readers} are those who wait for it.
 *
 * <p>{@code Syncer} brings the committed prefix to the disk, one thread for all who wait; {@code Committer} is a thread that does so for
 * those who do not wait. If writing fails once, the log is poisoned, and nothing more is appended.
 *
 * <p>An append makes no object and takes no lock. That is why some things here look as they do, and {@code AppendGarbageTest} holds them
 * so.
 */
@NullMarked
package dev.outcrop.queue.internal.append;

import org.jspecify.annotations.NullMarked;
