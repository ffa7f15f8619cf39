/**
 * The files of a queue: the layout of segments and of the file {@code queue} ({@code QueueLayout}), a mapped file of each kind, the lock,
 * and the directory with its spare files. Segments are made from spare files, and become spare files again.
 *
 * <p>A {@code SegmentFile} is one use of a file. A record is committed by one store with release, of a word with offset and length; readers
 * believe a record because of its checksum, which is seeded with the generation of that use. So nothing has to be zeroed, and no leftover
 * of an earlier use passes for a record of this use. A reader holds a lease, and a leased file is neither unmapped nor used again.
 *
 * <p>{@code docs/queue-format.md} is the reference of the format.
 */
@NullMarked
package dev.outcrop.queue.internal.files;

import org.jspecify.annotations.NullMarked;
