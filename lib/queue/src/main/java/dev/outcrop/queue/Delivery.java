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
 * A record that a {@link Consumer} has got, where it lies in the mapped file. Close it soon: as long as it is open, the file stays. Closing
 * neither acknowledges the record nor gives it back; the consumer can do both later, by the record's offset.
 *
 * <p>When its {@linkplain GroupOptions#visibilityTimeout time} has passed, any consumer may get the record again, including the consumer of
 * this delivery. That is another delivery, which this delivery does not affect: from then on the methods of this delivery return false.
 *
 * <p>It can be read even after its consumer or the queue was closed. Only the thread that has polled it may read and close it.
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
    /** Once given back, this delivery cannot change the record, whether or not the record was delivered again. */
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
     * @return the time, accurate to some 10 ms
     */
    public Instant time() {
        return Instant.ofEpochMilli(millis);
    }

    /**
     * Returns how often the record was delivered since the queue was opened or the group was last moved, this time included.
     *
     * @return at most 65,535
     */
    public int deliveries() {
        return deliveries;
    }

    /**
     * Acknowledges the record; see {@link Consumer#acknowledge(long)}.
     *
     * @return false, without any effect, if the record is acknowledged already, or the group was moved since the delivery
     * @throws IllegalArgumentException if this delivery was given back, even if this consumer has got the record again since: that is
     *                                  another delivery
     * @throws IllegalStateException    after {@link #close()}
     */
    public boolean acknowledge() {
        requireOpen();
        return isCurrent() && group.acknowledgements().acknowledge(member, offset, delivery);
    }

    /**
     * Gives the record back, so that it is delivered again at once; see {@link Consumer#giveBack(long)}.
     *
     * @return false, without any effect, if the record is acknowledged already, or the group was moved since the delivery
     * @throws IllegalArgumentException if it was given back before
     * @throws IllegalStateException    after {@link #close()}
     */
    public boolean giveBack() {
        return giveBack(Duration.ZERO);
    }

    /**
     * Gives the record back, so that it is delivered again later; see {@link Consumer#giveBack(long, Duration)}.
     *
     * @param delay how long the record is held back; not at all if it is negative
     * @return false, without any effect, if the record is acknowledged already, or the group was moved since the delivery
     * @throws IllegalArgumentException if it was given back before
     * @throws IllegalStateException    after {@link #close()}
     */
    public boolean giveBack(Duration delay) {
        requireOpen();
        Objects.requireNonNull(delay, "delay");
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
     * @return false, without any effect, if the record is acknowledged already, its time has passed, or the group was moved since the
     *         delivery
     * @throws IllegalArgumentException if it was given back before, or the time is not more than 0
     * @throws IllegalStateException    after {@link #close()}
     */
    public boolean extend(Duration time) {
        requireOpen();
        Objects.requireNonNull(time, "time");
        return isCurrent() && group.redelivery().extend(member, offset, delivery, time);
    }

    /**
     * Rejects the record, because no consumer can handle it; see {@link Consumer#reject}.
     *
     * @param reason for people
     * @return false if the record is acknowledged already, another thread is rejecting it, its time has passed, or the group was moved
     *         since the delivery
     * @throws IllegalArgumentException if it was given back before
     * @throws IllegalStateException    after {@link #close()}, or if the group has no dead letters
     * @throws QueueException           if the record cannot be put with the dead letters; the consumer holds it again
     */
    public boolean reject(String reason) {
        requireOpen();
        Objects.requireNonNull(reason, "reason");
        return isCurrent() && group.deadLetters().reject(member, offset, delivery, reason);
    }

    /** Returns whether the group was not moved since the delivery. If the group has ended, the consumer throws. */
    private boolean isCurrent() {
        if (!group.isCurrent(moves)) {
            return false;
        }
        if (isGivenBack) {
            throw new IllegalArgumentException("This delivery of record " + offset
                    + " was given back. Acknowledge the record by its next delivery");
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
     * @throws WrongThreadException if a thread calls this that has not polled the delivery; the delivery stays open
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
