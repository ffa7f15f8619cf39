/**
 * What lies on the disk: the layout of segments and of the file {@code queue} ({@code QueueLayout}), one mapped file of each kind, the
 * lock, and the directory with its spares, from which segments are made and which they become again.
 *
 * <p>A {@code SegmentFile} is one use of a file. Its record is committed by one store with release, of a word that says offset and length;
 * and a reader believes a record because of its checksum, which is seeded with the generation of that use. So nothing has to be zeroed, and
 * nothing that an earlier use has left can pass for a record. A reader holds a lease, and a leased file is neither unmapped nor used again.
 *
 * <p>{@code docs/queue-format.md} describes the format for people, and is the reference.
 */
@NullMarked
package dev.outcrop.queue.internal.files;

import org.jspecify.annotations.NullMarked;
