package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.Metric;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/**
 * Puts records that no consumer could handle with the dead letters of their group. The thread that would have got the record calls the
 * handler, without a lock. No consumer holds the record meanwhile, so it is put away once. The acknowledgement comes afterwards, so the
 * record is always in one of the two places.
 */
public final class DeadLetters {
    private final Group group;
    private final Log log;
    private final GroupReader reader;

    DeadLetters(Group group, Log log, GroupReader reader) {
        this.group = group;
        this.log = log;
        this.reader = reader;
    }

    private volatile int mostDeliveries = Integer.MAX_VALUE;
    /** Takes dead records, and returns its failure; null if the group has no dead letters. */
    private volatile @Nullable Function<Dead, @Nullable Exception> handler;

    /** A record that is being put away. */
    public record Dead(int moves, SegmentFile leased, int position, int length, long offset, int deliveries,
            String reason, Function<Dead, @Nullable Exception> handler) {
        public long millis() {
            return leased.time(position);
        }

        /** Lends the payload until an arena is closed. */
        public MemorySegment payload(Arena arena) {
            return leased.lend(position, length, arena);
        }
    }

    /** Sets the maximum of deliveries and the handler. With the group's lock held. */
    void use(int most, @Nullable Function<Dead, @Nullable Exception> taker) {
        mostDeliveries = most;
        handler = taker;
    }

    /** Whether the next record is before an offset and dead. With the group's lock held. */
    boolean isNextDead(long before) {
        long offset = handler == null ? -1 : reader.window.firstReady();
        return offset >= 0 && offset < before && reader.window.count(offset) >= mostDeliveries;
    }

    /**
     * Puts the next record away if it is dead.
     *
     * @param before only a record before this offset
     * @return whether it was dead: then there may be another record to deliver
     * @throws QueueException if it could not be put away: a later poll tries again
     */
    boolean putNextAway(Member member, long before) {
        if (handler == null || !isOneThere(before)) {
            return false;
        }
        Dead dead = takeDead(member, before);
        if (dead == null) {
            return false;
        }
        try {
            putAway(dead);
        } catch (Throwable e) {
            try {
                group.redelivery().giveBackLeaving(member, dead.moves, dead.offset);
            } catch (Throwable again) {
                // Without a call, for which there may be no stack: otherwise no consumer would get the record.
                group.isBroken = true;
                throw again;
            }
            throw e;
        }
        return true;
    }

    private boolean isOneThere(long before) {
        return group.locked(() -> isNextDead(before));
    }

    private @Nullable Dead takeDead(Member member, long before) {
        return group.locked(() -> {
            group.prepare(member);
            Function<Dead, @Nullable Exception> taker = handler;
            if (taker == null || !isNextDead(before)) {
                return null;
            }
            int count = reader.window.count(reader.window.firstReady());
            if (!group.fetcher().take(member, before)) {
                return null;
            }
            long offset = reader.takenOffset();
            // Not one less than now: the greatest count does not grow when a record is taken.
            reader.window.count(offset, count);
            try {
                return leaving(offset, "it was delivered " + reader.takenCount() + " times and not acknowledged",
                        taker);
            } catch (Throwable e) {
                // Out of memory: no consumer holds it.
                reader.window.giveBack(offset);
                throw e;
            }
        });
    }

    private Dead leaving(long offset, String reason, Function<Dead, @Nullable Exception> taker) {
        SegmentFile segment = reader.takenFrom();
        Dead dead = new Dead(group.moves(), segment, reader.takenPosition(), reader.takenLength(), offset,
                reader.takenCount(), reason, taker);
        Batch.lease(segment);
        reader.window.leave(offset);
        return dead;
    }

    /**
     * Puts a record away that a consumer holds.
     *
     * @param delivery by which the member holds it, or {@link Member#ANY_DELIVERY}
     * @return false, without any effect, if the consumer no longer holds it
     */
    public boolean reject(Member member, long offset, int delivery, String reason) {
        Dead dead = group.locked(() -> leaving(member, offset, delivery, reason));
        if (dead == null) {
            return false;
        }
        try {
            return putAway(dead);
        } catch (Throwable e) {
            try {
                group.redelivery().keepLeaving(member, dead.moves, offset);
            } catch (Throwable again) {
                group.isBroken = true;
                throw again;
            }
            throw e;
        }
    }

    private @Nullable Dead leaving(Member member, long offset, int delivery, String reason) {
        group.requireOpen(member);
        Function<Dead, @Nullable Exception> taker = handler;
        if (taker == null) {
            throw new IllegalStateException("Record " + offset + " cannot be rejected: consumer group " + group.name()
                    + " has no dead letters. Give it some with GroupOptions.deadLetters, or acknowledge the record");
        }
        if (!group.redelivery().holds(member, offset, delivery)) {
            return null;
        }
        reader.takeAgain(offset);
        return leaving(offset, reason, taker);
    }

    /** Puts a record away and acknowledges it. Returns whether it was not acknowledged before. */
    private boolean putAway(Dead dead) {
        try {
            Exception failure = dead.handler.apply(dead);
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            if (failure != null) {
                throw Failures.make()
                        .refused("Record " + dead.offset + " of consumer group " + group.name() + ", delivered "
                                + dead.deliveries + " times, could not be put with the dead letters: "
                                + FailureText.of(failure) + ". It stays in its group", failure);
            }
        } finally {
            if (group.release(dead.leased)) {
                group.retire();
            }
        }
        log.metrics().accept(Metric.DEAD_LETTER, 1);
        if (FlightRecorder.isInitialized()) {
            new DeadLetterEvent().commit(log.directory(), group.name(), dead.offset, dead.deliveries, dead.reason);
        }
        return group.acknowledgements().acknowledgeLeaving(dead.moves, dead.offset);
    }
}
