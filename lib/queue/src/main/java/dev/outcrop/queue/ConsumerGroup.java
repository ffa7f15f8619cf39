package dev.outcrop.queue;

import dev.outcrop.queue.internal.groups.Group;
import dev.outcrop.queue.internal.groups.Member;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads all records of a queue once, with any number of {@linkplain #consumer() consumers}, which share them: each record goes to one of
 * them, until it is acknowledged. Acknowledgements are kept in a file and survive the end of the process, however it ends. To survive that
 * of the machine too, they must have been written to the disk, which the queue does before it gives records up. So after a power cut,
 * acknowledged records may be delivered again.
 *
 * <p>Records are acknowledged in any order. All before the {@linkplain #position() position} are acknowledged; behind it, the group tells
 * apart some 65,536 records, exactly between 65,505 and 65,536. Further ones are not delivered before the one at the position is
 * acknowledged.
 *
 * <p>{@link GroupOptions} say how it delivers: when a record that a consumer keeps is delivered again, where a record goes that no consumer
 * can handle, and how long after it was appended a record is delivered.
 *
 * <p>A new group begins with the first record that is kept. Get groups from {@link Queue#group}; they end with the queue. All methods are
 * thread-safe, and throw {@link IllegalStateException} after the queue was closed or the group deleted.
 */
public final class ConsumerGroup {
    private final Group group;
    /** The options that were given last. */
    private final AtomicReference<@Nullable GroupOptions> options = new AtomicReference<>();

    ConsumerGroup(Group group) {
        this.group = group;
    }

    /** Applies options. Returns those before; null if there were none. */
    @Nullable
    GroupOptions use(GroupOptions other) {
        other.applyTo(group);
        return options.getAndSet(other);
    }

    boolean isOf(Group other) {
        return group == other;
    }

    /**
     * Returns the name of the group.
     *
     * @return its name
     */
    public String name() {
        return group.name();
    }

    /**
     * Makes a consumer, which shares the group's records with its other consumers.
     *
     * @return to be closed by the caller
     */
    public Consumer consumer() {
        return consumer(false);
    }

    /**
     * Makes an exclusive consumer: the group has no other until it is closed. It sees the records in the order of their offsets, for
     * example.
     *
     * @return to be closed by the caller
     * @throws IllegalStateException also if another consumer of the group is open; as does {@link #consumer()} as long as this one is
     */
    public Consumer exclusiveConsumer() {
        return consumer(true);
    }

    private Consumer consumer(boolean alone) {
        Member member = group.join(alone);
        try {
            return new Consumer(this, group, member);
        } catch (Throwable e) {
            // Out of memory: the member would count as open.
            member.close();
            throw e;
        }
    }

    /**
     * Returns the position of the group: all records before it are acknowledged.
     *
     * @return the offset of the first record that is not acknowledged, or that of the next record to be appended
     */
    public long position() {
        return group.position();
    }

    /**
     * Returns how much there is to do.
     *
     * @return in records, bytes and time
     */
    public Lag lag() {
        return group.read(() -> group.unacknowledged() == 0
                ? new Lag(0, 0, Duration.ZERO)
                : new Lag(group.unacknowledged(), group.unacknowledgedBytes(),
                        Duration.ofMillis(group.unacknowledgedMillis())));
    }

    /**
     * Returns how many records consumers hold.
     *
     * @return the number of records that consumers hold: delivered, and neither acknowledged nor given back
     */
    public int inFlight() {
        return group.inFlight();
    }

    // --- Moving ---

    /**
     * Moves the group: its consumers go on with the record of an offset, whatever they held or had acknowledged. They lose the records that
     * they hold, and acknowledging those has no effect. Records before the offset count as acknowledged, those from there on do not. The
     * move is on the disk when this returns.
     *
     * @param offset not negative, at most {@link Queue#nextOffset()}; waits for those who are still copying records before it
     * @return the offset, or that of the first record that is kept, if that is higher
     * @throws IllegalArgumentException if the offset is out of range
     * @throws IllegalStateException    also if called by a {@link RecordWriter}
     * @throws QueuePoisonedException   if a record before the offset may never be there, because writing to the disk has failed
     * @throws QueueCorruptException    if a record before the offset is so damaged that it is not known where the next one begins
     * @throws UncheckedIOException     if the disk fails; after the next start, the group may be where it was or where it was to go
     */
    public long seek(long offset) {
        return group.seeking().seek(offset);
    }

    /**
     * Moves the group to the first record that is kept; see {@link #seek(long)}.
     *
     * @return its offset
     */
    public long seekToBeginning() {
        return group.seeking().seekToBeginning();
    }

    /**
     * Moves the group behind the last record; see {@link #seek(long)}. Records that are being appended at this moment may still be
     * delivered.
     *
     * @return the offset of the next record that consumers will get
     */
    public long seekToEnd() {
        return group.seeking().seekToEnd();
    }

    /**
     * Moves the group to the first record that was appended at or after a time, or behind the last record if there is none; see
     * {@link #seek(long)}. Reads a whole file of the queue at worst. Records know their time to some 10 ms, or, while the queue's own
     * thread waits for the disk, to as long as that takes; and one that was being appended when a
     * file was full may be in it with a later time than the first ones of the next file.
     *
     * @param time by the system's clock
     * @return the offset of the next record that consumers will get
     * @throws QueueCorruptException if a record that had to be read is damaged; the group was not moved
     */
    public long seek(Instant time) {
        return group.seeking().seek(time);
    }

    @Override
    public String toString() {
        return group.toString();
    }
}
