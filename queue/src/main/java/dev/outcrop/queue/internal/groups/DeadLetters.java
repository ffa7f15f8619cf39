package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.StackNeed;
import dev.outcrop.queue.internal.append.FlightRecording;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.Arena;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Puts away the records of a group that nobody could handle. The sink is called without any lock, by the thread that would have been given
 * the record. That is in nobody's hands meanwhile, so that nobody else handles it, or puts it away, however long the sink takes. First the
 * sink, then the acknowledgement: whatever comes in between, the record is in one of both.
 */
public final class DeadLetters {
    /** How long a record is left alone that could not be put away, so that others come first. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Group group;
    private final Log log;
    private final GroupReader reader;

    DeadLetters(Group group, Log log, GroupReader reader) {
        this.group = group;
        this.log = log;
        this.reader = reader;
    }

    /** A record that is being put away. */
    private record Dead(int moves, SegmentFile leased, int position, int length, long offset, int deliveries,
            DeadLetterSink sink) {
    }

    /** Whether the next record is before an offset, and not to be delivered any more. With the group's lock. */
    boolean isNextDead(long before) {
        GroupPolicy policy = group.policy();
        long offset = policy.deadLetters() == null ? -1 : reader.window.firstReady();
        return offset >= 0 && offset < before && reader.window.count(offset) >= policy.mostDeliveries();
    }

    /**
     * Puts the next record away if it is dead.
     *
     * @param before only one before this offset
     * @return whether it was: then there may be another one to be delivered
     * @throws QueueException if it could not be: it is tried again later
     */
    boolean putNextAway(Member member, long before) {
        if (group.policy().deadLetters() == null || !isOneThere(before)) {
            return false;
        }
        Dead dead = takeDead(member, before);
        if (dead == null) {
            return false;
        }
        try {
            putAway(dead, "it was delivered " + dead.deliveries + " times and not acknowledged");
        } catch (Throwable e) {
            group.returns().giveBackLeaving(dead.moves, dead.offset, PAUSE);
            throw e;
        }
        return true;
    }

    private boolean isOneThere(long before) {
        group.lock();
        try {
            return isNextDead(before);
        } finally {
            group.unlock();
        }
    }

    private @Nullable Dead takeDead(Member member, long before) {
        StackNeed.FILES.require();
        group.lock();
        try {
            group.prepare(member);
            DeadLetterSink sink = group.policy().deadLetters();
            if (sink == null || !isNextDead(before) || !group.take(member, before)) {
                return null;
            }
            long offset = reader.takenOffset();
            reader.window.uncount(offset);
            try {
                return leaving(offset, sink);
            } catch (Throwable e) {
                // Out of memory: nobody has it.
                reader.window.giveBack(offset);
                throw e;
            }
        } finally {
            group.unlock();
        }
    }

    private Dead leaving(long offset, DeadLetterSink sink) {
        SegmentFile segment = reader.takenFrom();
        Dead dead = new Dead(group.moves(), segment, reader.takenPosition(), reader.takenLength(), offset,
                reader.takenCount(), sink);
        Batch.lease(segment);
        reader.window.leave(offset);
        return dead;
    }

    /**
     * Puts a record away that a consumer holds.
     *
     * @return false if it no longer holds it; then nothing has happened
     */
    public boolean reject(Member member, long offset, String reason) {
        return reject(member, offset, Member.ANY_DELIVERY, reason);
    }

    /** As above, unless the record was delivered again since a delivery. */
    public boolean reject(Member member, long offset, int delivery, String reason) {
        StackNeed.FILES.require();
        Dead dead;
        group.lock();
        try {
            group.requireOpen(member);
            DeadLetterSink sink = group.policy().deadLetters();
            if (sink == null) {
                throw new IllegalStateException("Record " + offset + " cannot be rejected: consumer group "
                        + group.name() + " has no dead letters. Give it some with GroupOptions.deadLetters, or"
                        + " acknowledge the record");
            }
            if (!group.returns().holds(member, offset, delivery)) {
                return false;
            }
            reader.takeAgain(offset);
            dead = leaving(offset, sink);
        } finally {
            group.unlock();
        }
        try {
            return putAway(dead, reason);
        } catch (Throwable e) {
            group.returns().keepLeaving(member, dead.moves, offset);
            throw e;
        }
    }

    /** Returns whether it was still to be acknowledged. */
    private boolean putAway(Dead dead, String reason) {
        try (Arena arena = Arena.ofConfined()) {
            dead.sink.take(group.name(), dead.offset, dead.deliveries, dead.leased.time(dead.position), reason,
                    dead.leased.lend(dead.position, dead.length, arena));
        } catch (Exception e) {
            if (e instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw Failures.refused("Record " + dead.offset + " of consumer group " + group.name() + ", delivered "
                    + dead.deliveries + " times, could not be put with the dead letters: " + FailureText.of(e)
                    + ". It stays in its group", e);
        } finally {
            if (group.release(dead.leased)) {
                group.retire();
            }
        }
        log.measurements().died();
        if (FlightRecording.isThere()) {
            new DeadLetterEvent().commit(log.directory(), group.name(), dead.offset, dead.deliveries, reason);
        }
        return group.acknowledgements().acknowledgeLeaving(dead.moves, dead.offset);
    }
}
