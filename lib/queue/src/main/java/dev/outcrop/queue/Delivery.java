package dev.outcrop.queue;

import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.groups.Group;
import dev.outcrop.queue.internal.groups.Member;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * A record that a {@link Consumer} was given, where it lies in the mapped file. Close it soon: as long as it is open, the file stays.
 * Closing neither acknowledges it nor gives it back; both can also be done later, by its offset, with the consumer.
 *
 * <p>When its {@linkplain GroupOptions#visibilityTimeout time} has passed, any consumer may be given the record again, also this one's.
 * That is another delivery, which this one does not touch: from then on its methods return false.
 *
 * <p>It can be read even after its consumer or the queue was closed. To be read and closed by the thread that has polled it.
 */
public final class Delivery implements AutoCloseable {
    private final Group group;
    private final Member member;
    private final int moves;
    private final long offset;
    /** The number that tells it from later deliveries of the same record, perhaps to the same consumer. */
    private final int delivery;
    private final long millis;
    private final int deliveries;
    private final SegmentFile leased;
    private final MemorySegment segment;
    private final Arena arena;
    private boolean isClosed;
    /** Afterwards it cannot change the record, whether or not that was delivered again. */
    private volatile boolean isGivenBack;

    Delivery(Group group, Member member, int moves, long offset, int delivery, long millis, int deliveries,
            SegmentFile leased, MemorySegment segment, Arena arena) {
        this.group = group;
        this.member = member;
        this.moves = moves;
        this.offset = offset;
        this.delivery = delivery;
        this.millis = millis;
        this.deliveries = deliveries;
        this.leased = leased;
        this.segment = segment;
        this.arena = arena;
    }

    /**
     * Returns the offset of the record.
     *
     * @return its offset
     */
    public long offset() {
        return offset;
    }

    /**
     * Returns the payload, without a copy.
     *
     * @return read-only; accessing it after {@link #close()} throws {@link IllegalStateException}
     * @throws IllegalStateException after {@link #close()}
     */
    public MemorySegment segment() {
        requireOpen();
        return segment;
    }

    /**
     * Returns when the record was appended.
     *
     * @return to some 10 ms
     */
    public Instant time() {
        return Instant.ofEpochMilli(millis);
    }

    /**
     * Returns how often the record was delivered since the queue was opened, this time included.
     *
     * @return at most 65,535
     */
    public int deliveries() {
        return deliveries;
    }

    /**
     * Acknowledges the record; see {@link Consumer#acknowledge(long)}.
     *
     * @return false if it is acknowledged already, or the group was moved since it was delivered; nothing has happened then
     * @throws IllegalArgumentException if it was given back, also if this consumer was given it again since: that is another delivery
     * @throws IllegalStateException    after {@link #close()}
     */
    public boolean acknowledge() {
        requireOpen();
        return isCurrent() && group.acknowledgements().acknowledge(member, offset, delivery);
    }

    /**
     * Gives the record back, which is delivered again at once; see {@link Consumer#giveBack(long)}.
     *
     * @return false if it is acknowledged already, or the group was moved since it was delivered; nothing has happened then
     * @throws IllegalArgumentException if it was given back before
     * @throws IllegalStateException    after {@link #close()}
     */
    public boolean giveBack() {
        return giveBack(Duration.ZERO);
    }

    /**
     * Gives the record back, which is delivered again later; see {@link Consumer#giveBack(long, Duration)}.
     *
     * @param delay how long it is kept back; not at all if it is negative
     * @return false if it is acknowledged already, or the group was moved since it was delivered; nothing has happened then
     * @throws IllegalArgumentException if it was given back before
     * @throws IllegalStateException    after {@link #close()}
     */
    public boolean giveBack(Duration delay) {
        requireOpen();
        if (!isCurrent() || !group.redelivery().giveBack(member, offset, delivery, delay)) {
            return false;
        }
        isGivenBack = true;
        return true;
    }

    /**
     * Extends the time for the record; see {@link Consumer#extend}.
     *
     * @param time from now on; more than 0
     * @return false if it is acknowledged already, its time has passed, or the group was moved since it was delivered; nothing has happened
     *         then
     * @throws IllegalArgumentException if it was given back before, or the time is not more than 0
     * @throws IllegalStateException    after {@link #close()}
     */
    public boolean extend(Duration time) {
        requireOpen();
        return isCurrent() && group.redelivery().extend(member, offset, delivery, time);
    }

    /**
     * Rejects the record, which no consumer can handle; see {@link Consumer#reject}.
     *
     * @param reason for people
     * @return false if it is acknowledged already or another thread is rejecting it, its time has passed, or the group was moved since it
     *         was delivered
     * @throws IllegalArgumentException if it was given back before
     * @throws IllegalStateException    after {@link #close()}, or if the group has no dead letters
     * @throws QueueException           if it cannot be put there; it is in the consumer's hands again
     */
    public boolean reject(String reason) {
        requireOpen();
        Objects.requireNonNull(reason, "reason");
        return isCurrent() && group.deadLetters().reject(member, offset, delivery, reason);
    }

    /** Whether the group was not moved since. If the group has ended, the consumer throws. */
    private boolean isCurrent() {
        if (!group.isCurrent(moves)) {
            return false;
        }
        if (isGivenBack) {
            throw new IllegalArgumentException("This delivery of record " + offset
                    + " was given back. What is delivered again is to be acknowledged by its own delivery");
        }
        return true;
    }

    private void requireOpen() {
        if (isClosed) {
            throw new IllegalStateException("The delivery of record " + offset + " is closed");
        }
    }

    /**
     * Ends the use of the payload. Closing twice is harmless.
     *
     * @throws WrongThreadException if called by another thread than the one that has polled it; it stays open
     */
    @Override
    public void close() {
        if (!isClosed) {
            arena.close();
            isClosed = true;
            if (group.release(leased)) {
                group.retire();
            }
        }
    }

    /** Names the record, its size, and its beginning as long as that can be read. */
    @Override
    public String toString() {
        return "delivery of record " + offset + ", " + segment.byteSize()
                + (isClosed ? " bytes, closed" : " bytes: " + PayloadText.of(segment));
    }
}
