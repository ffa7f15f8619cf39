/**
 * How records are shared out. A {@code Group} is one lock, under which its members take, acknowledge and give back records. {@code Fetcher}
 * takes them, with {@code GroupReader}, which finds the next ones; {@code InFlight} knows which member has which record, and {@code GroupFile}
 * what is acknowledged, by one store of a word that survives a kill -9. A {@code Batch} is taken at once, because the lock costs more than a
 * record. {@code Acknowledgements}, {@code Redelivery} and {@code DeadLetters} are the ways in which a record leaves a member. Waiting threads
 * are in a {@code WaitQueue}, of which only the first looks out.
 *
 * <p>The only consumer of a group that is far behind gets a run instead of a batch: it finds the records itself while it is shown them, so that
 * each header is read where the processor already loads ahead. Nothing of a run is delivered before it was found, so nothing has to be undone
 * if the run ends early; the next thread with the lock delivers what was found.
 *
 * <p>{@code Retention} gives back what all {@code Groups} have acknowledged, in an order that a power cut cannot break: acknowledgements are made
 * durable, then that a segment is retired, then its name changes. {@code Housekeeper} is the thread for that, and prepares the next file.
 */
@NullMarked
package dev.outcrop.queue.internal.groups;

import org.jspecify.annotations.NullMarked;
