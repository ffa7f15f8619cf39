package dev.outcrop.queue;

import dev.outcrop.queue.internal.groups.Group;
import dev.outcrop.queue.internal.groups.Member;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads all records of a queue once. Any number of {@linkplain #consumer() consumers} share the records: each record goes to one of them,
 * until it is acknowledged. Acknowledgements are kept in a file and survive the end of the process, however it ends. To survive a crash of
 * the machine, they must be on the disk; the queue writes them there before it gives records up. So after a power cut, acknowledged records
 * may be delivered again.
 *
 * <p>Records can be acknowledged in any order. All records before the {@linkplain #position() position} are acknowledged. Behind it, the
 * group keeps track of some 65,536 records, exactly between 65,505 and 65,536. Later records are not delivered until the record at the
 * position is acknowledged.
 *
 * <p>{@link GroupOptions} say how the group delivers: when it delivers a record again that a consumer keeps, where it puts a record that no
 * consumer can handle, and how long after the append it delivers a record.
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
     * @return the consumer, which the caller must close
     */
    public Consumer consumer() {
        return consumer(false, false);
    }

    /**
     * Makes an exclusive consumer: until it is closed, the group has no other consumer. So it sees the records in the order of their
     * offsets, for example.
     *
     * @return the consumer, which the caller must close
     * @throws IllegalStateException also if another consumer of the group is open; {@link #consumer()} throws it too while this one is open
     */
    public Consumer exclusiveConsumer() {
        return consumer(true, false);
    }

    /**
     * Makes an exclusive consumer for a program that stores its own position, such as in the database that the records change. The queue
     * then deletes nothing from the program's position on, not even withdrawn records: their files are kept until
     * {@link Consumer#acknowledgeUpTo} covers them, or a later record is acknowledged. When no record comes, the program stores
     * {@link Consumer#nextOffset()} and acknowledges up to the offset before: a queue with a bound may otherwise stay full.
     *
     * @return the consumer, which the caller must close
     * @throws IllegalStateException also if another consumer of the group is open
     */
    public Consumer positionedConsumer() {
        return consumer(true, true);
    }

    private Consumer consumer(boolean alone, boolean keepsWithdrawn) {
        Member member = group.join(alone, keepsWithdrawn);
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
     * @return the offset of the first record that is not acknowledged; if there is none, the offset of the next record to be appended
     */
    public long position() {
        return group.position();
    }

    /**
     * Returns how far the group lags behind the queue's end.
     *
     * @return the lag in records, bytes and time
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
     * Moves the group to an offset: its consumers continue with the record there, whatever they held or had acknowledged. They lose the
     * records that they hold, and acknowledging these records has no effect. Records before the offset count as acknowledged, the others do
     * not. All records count as never delivered: {@link Delivery#deliveries()} begins with 1 again. The move is on the disk when this
     * returns.
     *
     * @param offset not negative, at most {@link Queue#nextOffset()}; this method waits for producers that are still copying records before
     *               it
     * @return the offset, or the offset of the first record that is kept if that is higher
     * @throws IllegalArgumentException if the offset is out of range
     * @throws IllegalStateException    also if called by a {@link RecordWriter}
     * @throws QueuePoisonedException   if a record before the offset may never be there, because writing to the disk has failed
     * @throws QueueCorruptException    if a record before the offset is so damaged that it is not known where the next one begins
     * @throws UncheckedIOException     if the disk fails; after the next start, the group may be at its old or at its new position
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
     * {@link #seek(long)}. Reads a whole file of the queue at worst. The time of a record is accurate to some 10 ms or, while the queue's
     * own thread waits for the disk, to the duration of that wait. A record that was being appended when a file was full may be in that
     * file with a later time than the first records of the next file.
     *
     * @param time by the system's clock
     * @return the offset of the next record that consumers will get
     * @throws QueueCorruptException if a record that had to be read is damaged; the group was not moved
     */
    public long seek(Instant time) {
        return group.seeking().seek(Objects.requireNonNull(time, "time"));
    }

    @Override
    public String toString() {
        return group.toString();
    }
}
