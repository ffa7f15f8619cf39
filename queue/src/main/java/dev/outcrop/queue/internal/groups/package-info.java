/**
 * How records are shared out. A {@code Group} is one lock, under which its members take, acknowledge and give back; {@code GroupReader}
 * finds what comes next, {@code InFlight} remembers who has what, and {@code GroupFile} what is acknowledged, by one store of a word that
 * survives a kill -9. A {@code Batch} is taken at once, because the lock would cost more than a record.
 * The only consumer of a group that is far behind is left a run instead, whose records it finds itself while it is shown them: each header
 * is read where the processor already loads ahead. Nothing of a run is delivered before it was found, so there is nothing to be undone if it
 * ends early; whoever gets the lock first delivers what was found.
 * {@code Acknowledgements}, {@code Redelivery} and {@code DeadLetters} are the ways in which a record leaves the hands of a member: done, to
 * come again, or to be put away. Those who wait are a {@code WaitQueue}, of which only the first looks out.
 *
 * <p>What all {@code Groups} have acknowledged is given back by {@code Retention}, in an order that a power cut cannot break:
 * acknowledgements are made durable, then that a segment is retired, then its name changes. {@code Housekeeper} is the thread that does it,
 * and prepares the next file.
 */
@NullMarked
package dev.outcrop.queue.internal.groups;

import org.jspecify.annotations.NullMarked;
