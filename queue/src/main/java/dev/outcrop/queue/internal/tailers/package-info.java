/**
 * Readers in other processes: each has a small file with what it still needs, and a lock on it, so that it counts as long as its process
 * lives ({@code TailerFile}, and {@code Tailers} for the writer, which asks). A {@code TailerCursor} reads segments by what the files say
 * alone. That they find each other without a common lock rests on two fences, which {@code docs/queue-format.md} explains in its section
 * "Tailers".
 */
@NullMarked
package dev.outcrop.queue.internal.tailers;

import org.jspecify.annotations.NullMarked;
