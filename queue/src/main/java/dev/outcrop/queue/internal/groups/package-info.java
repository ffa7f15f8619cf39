/**
 * How records are shared out. A {@code Group} is one lock, under which its members take, acknowledge and give back; {@code GroupReader} finds what comes
 * next, {@code InFlight} remembers who has what, and {@code GroupFile} what is acknowledged, by one store of a word that survives a kill -9. A {@code
 * Batch} is taken at once, because the lock would cost more than a record.
 *
 * <p>What all {@code Groups} have acknowledged is given back by {@code Retention}, in an order that a power cut cannot break: acknowledgements are made
 * durable, then that a segment is retired, then its name changes. {@code Housekeeper} is the thread that does it, and prepares the next file.
 */
@NullMarked
package dev.outcrop.queue.internal.groups;

import org.jspecify.annotations.NullMarked;
