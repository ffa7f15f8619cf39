package dev.outcrop.queue;

import dev.outcrop.queue.internal.Nanos;
import dev.outcrop.queue.internal.groups.DeadLetters;
import dev.outcrop.queue.internal.groups.Group;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How a {@link ConsumerGroup} delivers, as long as the queue is open: the options are not stored. The setters return this object;
 * {@link Queue#group(String, GroupOptions)} copies it. Not thread-safe.
 *
 * <pre>{@code
 * ConsumerGroup senders = queue.group("senders", new GroupOptions()
 *         .visibilityTimeout(Duration.ofSeconds(30))
 *         .deadLetters(5, undeliverable));
 * }</pre>
 */
public final class GroupOptions {
    private Duration visibilityTimeout = Duration.ZERO;
    private Duration delay = Duration.ZERO;
    private int maxDeliveries = Integer.MAX_VALUE;
    private @Nullable Queue deadLetterQueue;
    private @Nullable DeadLetterHandler deadLetters;

    /** Options with their defaults: records stay with their consumer, are delivered at once, and without a maximum of deliveries. */
    public GroupOptions() {
    }

    GroupOptions(GroupOptions other) {
        this.visibilityTimeout = other.visibilityTimeout;
        this.delay = other.delay;
        this.maxDeliveries = other.maxDeliveries;
        this.deadLetterQueue = other.deadLetterQueue;
        this.deadLetters = other.deadLetters;
    }

    /** Describes what other options change. Handlers cannot be compared. */
    String changesTo(GroupOptions other) {
        List<String> changes = new ArrayList<>();
        addChange(changes, "visibilityTimeout", visibilityTimeout, other.visibilityTimeout);
        addChange(changes, "delay", delay, other.delay);
        addChange(changes, "deadLetters", deadLettersText(), other.deadLettersText());
        return String.join(", ", changes);
    }

    private static void addChange(List<String> changes, String name, Object before, Object now) {
        if (!now.equals(before)) {
            changes.add(name + " is " + now + " and was " + before);
        }
    }

    private String deadLettersText() {
        if (deadLetters == null) {
            return "none";
        }
        return "after " + maxDeliveries + " deliveries" + (deadLetterQueue == null ? "" : " to " + deadLetterQueue);
    }

    /**
     * Sets how long a consumer may keep a record. If the consumer has neither acknowledged the record nor given it back when the time has
     * passed, the next consumer that polls gets the record. The time begins when the record is taken from the queue. A
     * {@link Consumer#poll(int, RecordHandler) poll with a handler} takes up to 256 records at once, and does not show a record that is
     * late when the poll comes to it. {@link Consumer#extend} gives more time for a record.
     *
     * <p>A late consumer can still acknowledge the record, as long as it was not delivered again. Afterwards, acknowledging it has no
     * effect and returns false. Once a consumer of the group has been late, the same applies to records that a consumer never held, because
     * the group does not remember who held a record.
     *
     * @param time not negative; {@link Duration#ZERO}, without a limit, by default. The record may come back later by a 64th of the time
     *             plus a millisecond
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public GroupOptions visibilityTimeout(Duration time) {
        this.visibilityTimeout = requireNotNegative("visibilityTimeout", time);
        return this;
    }

    /**
     * Delivers records some time after they were appended, in their order. Redeliveries are not delayed.
     *
     * @param time by the system's clock: if the clock is set back, records come later; not negative; {@link Duration#ZERO} by default
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public GroupOptions delay(Duration time) {
        this.delay = requireNotNegative("delay", time);
        return this;
    }

    /**
     * Moves records to another queue that were delivered too often or were {@linkplain Consumer#reject rejected}. The group appends each
     * record there, as {@link DeadLetter} describes, and acknowledges it here when it is on the disk there. If the process ends between the
     * two steps, there are two dead letters of one record.
     *
     * <p>If the record cannot be appended, because the other queue is closed, full or poisoned, it stays in the group. A poll throws a
     * {@link QueueException} that says so, other polls get other records, and the group tries again after a second. While the other queue
     * is full, a poll waits up to that queue's {@link QueueOptions#fullTimeout}.
     *
     * @param maxDeliveries how often a record is delivered at most; from 1 to 65,535. Counting begins anew when the queue is opened or the
     *                      group is moved, so it misses a record that ends the process each time
     * @param queue         another queue, which the caller must close after this one
     * @return this
     * @throws IllegalArgumentException if the number is out of range
     */
    public GroupOptions deadLetters(int maxDeliveries, Queue queue) {
        Objects.requireNonNull(queue, "queue");
        GroupOptions _ = deadLetters(maxDeliveries,
                letter -> queue.with(Durability.SYNCED).append(letter.size(), letter::writeTo));
        this.deadLetterQueue = queue;
        return this;
    }

    /**
     * Passes records to a handler that were delivered too often or were {@linkplain Consumer#reject rejected}. When the handler returns,
     * the record is acknowledged. If the handler throws, the record stays in the group, as {@link #deadLetters(int, Queue)} says.
     *
     * @param maxDeliveries how often a record is delivered at most; from 1 to 65,535
     * @param handler       called by the thread that polls or rejects; several threads may call it at the same time
     * @return this
     * @throws IllegalArgumentException if the number is out of range
     */
    public GroupOptions deadLetters(int maxDeliveries, DeadLetterHandler handler) {
        Objects.requireNonNull(handler, "handler");
        if (maxDeliveries < 1 || maxDeliveries > Character.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "maxDeliveries must be from 1 to " + (int) Character.MAX_VALUE + ", not " + maxDeliveries);
        }
        this.maxDeliveries = maxDeliveries;
        this.deadLetterQueue = null;
        this.deadLetters = handler;
        return this;
    }

    private static Duration requireNotNegative(String name, Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative: " + time);
        }
        return time;
    }

    void requireOtherQueue(Queue source) {
        if (source.equals(deadLetterQueue)) {
            throw new IllegalArgumentException("The dead letters of a group of " + source
                    + " cannot go to the same queue: the group would be given them again. Open another one for them");
        }
    }

    /** Applies these options to a group. */
    void applyTo(Group group) {
        DeadLetterHandler handler = deadLetters;
        group.use(Nanos.of(visibilityTimeout), (Nanos.of(delay) + 999_999) / 1_000_000, maxDeliveries,
                handler == null ? null : dead -> failureOf(handler, group.name(), dead));
    }

    private static @Nullable Exception failureOf(DeadLetterHandler handler, String group, DeadLetters.Dead dead) {
        try (Arena arena = Arena.ofConfined()) {
            handler.handle(new DeadLetter(group, dead.offset(), dead.deliveries(), Instant.ofEpochMilli(dead.millis()),
                    Instant.ofEpochMilli(System.currentTimeMillis()), dead.reason(), dead.payload(arena)));
            return null;
        } catch (Exception e) {
            return e;
        }
    }
}
