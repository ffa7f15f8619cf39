/**
 * How the consumers of a group share records. A {@code Group} is one lock, under which its members take, acknowledge and give back records.
 * {@code Fetcher} takes them, with {@code GroupReader}, which finds the next ones; {@code InFlight} knows which member has which record,
 * and {@code GroupFile} what is acknowledged, by one store of a word that survives a kill -9. A {@code Batch} is taken at once, because the
 * lock costs more than a record. {@code Acknowledgements}, {@code Redelivery} and {@code DeadLetters} are the ways in which a record leaves
 * a member. Waiting threads are in a {@code WaitQueue}; only the first of them watches for records.
 *
 * <p>The only consumer of a group that is far behind gets a run instead of a batch: it finds the records itself while they are shown, so
 * that each header is read where the processor already loads ahead. No record of a run is delivered before it was found, so nothing has to
 * be undone if the run ends early; the next thread with the lock delivers the records that were found.
 *
 * <p>{@code Retention} gives back what all {@code Groups} have acknowledged, in an order that a power cut cannot break: first it makes
 * acknowledgements durable, then that a segment is retired, then it changes the segment's name. {@code Housekeeper} is the thread for that,
 * and prepares the next file.
 */
@NullMarked
package dev.outcrop.queue.internal.groups;

import org.jspecify.annotations.NullMarked;
