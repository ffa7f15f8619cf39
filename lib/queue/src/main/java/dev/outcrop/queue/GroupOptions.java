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
 * How a {@link ConsumerGroup} delivers, as long as the queue is open: nothing of this is stored. The setters return this object; it is
 * copied when {@link Queue#group(String, GroupOptions)} is called with it. Not thread-safe.
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

    /** Options with their defaults: records stay with their consumer, are delivered at once, and as often as it takes. */
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
     * How long a consumer may keep a record. If it has neither acknowledged it nor given it back by then, the record is delivered again, to
     * whichever consumer asks next. The time begins when the record is taken from the queue; a
     * {@link Consumer#poll(int, RecordHandler) poll with a handler} takes up to 256 at once, and does not show those that are late when it comes to them. {@link Consumer#extend} gives more time for a record.
     *
     * <p>As long as it was not delivered again, it can still be acknowledged; then it is not. Afterwards,
     * acknowledging it has no effect, and returns false. From the first time that a consumer of the group is late, the same goes for
     * records that a consumer never held, because that is not remembered.
     *
     * @param time not negative; {@link Duration#ZERO}, for as long as it likes, by default. It may take a 64th of it longer, and a
     *             millisecond
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public GroupOptions visibilityTimeout(Duration time) {
        this.visibilityTimeout = requireNotNegative("visibilityTimeout", time);
        return this;
    }

    /**
     * Delivers records some time after they were appended, in their order. It does not delay what is delivered again.
     *
     * @param time by the system's clock: if that is set back, they come later; not negative; {@link Duration#ZERO} by default
     * @return this
     * @throws IllegalArgumentException if it is negative
     */
    public GroupOptions delay(Duration time) {
        this.delay = requireNotNegative("delay", time);
        return this;
    }

    /**
     * Puts records away that were delivered too often, and those that are {@linkplain Consumer#reject rejected}: each is appended to
     * another queue, as {@link DeadLetter} describes, and when it is on the disk there, it is acknowledged here. If the process ends
     * between the two, there are two dead letters of one record.
     *
     * <p>If it cannot be appended, because that queue is closed, full or poisoned, the record stays in the group. A poll throws a
     * {@link QueueException} that says so, and others get other records; it is tried again after a second. While that queue is full, a poll
     * waits as long as its {@link QueueOptions#fullTimeout} says.
     *
     * @param maxDeliveries how often a record is delivered at most; more than 0. It is counted from when the queue was opened, so a record that ends the process each time is not counted
     * @param queue         another one, which stays the caller's to close, after this one
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
     * Hands records to a handler that were delivered too often, and those that are {@linkplain Consumer#reject rejected}. When it returns,
     * the record is acknowledged. If it throws, the record stays, as {@link #deadLetters(int, Queue)} says.
     *
     * @param maxDeliveries how often a record is delivered at most; from 1 to 65,535
     * @param handler       called by the thread that polls or rejects, by several at the same time
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
        if (time.isNegative()) {
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
