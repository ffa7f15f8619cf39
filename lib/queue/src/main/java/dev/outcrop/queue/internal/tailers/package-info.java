/**
 * Readers in other processes. Each has a small file with what it needs and a lock on it, so that it counts as long as its process lives:
 * {@code TailerFile}, and {@code Tailers} for the writer. A {@code TailerCursor} relies on the queue's files alone. Tailers and writer find
 * each other without a common lock because of two fences, which {@code docs/queue-format.md} explains in its section "Tailers".
 */
@NullMarked
package dev.outcrop.queue.internal.tailers;

import org.jspecify.annotations.NullMarked;
