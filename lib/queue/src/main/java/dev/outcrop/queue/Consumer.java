package dev.outcrop.queue;

import dev.outcrop.queue.internal.Nanos;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.groups.Batch;
import dev.outcrop.queue.internal.groups.Fetcher;
import dev.outcrop.queue.internal.groups.Group;
import dev.outcrop.queue.internal.groups.Member;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A consumer of a {@link ConsumerGroup}. The consumers of a group share its records. A consumer holds a record from the delivery until it
 * acknowledges the record, gives it back, {@linkplain #reject rejects} it, or is closed. Meanwhile no other consumer of the group gets the
 * record, unless its {@linkplain GroupOptions#visibilityTimeout time} passes.
 *
 * <p>Thread-safe. But while one thread is in {@link #poll(int, RecordHandler)}, neither another thread nor the handler can call that
 * method. Only the thread that has polled a payload may access it.
 *
 * <pre>{@code
 * try (Consumer consumer = queue.group("billing").consumer()) {
 *     consumer.poll(100, (offset, payload, deliveries) -> {
 *         bill(payload);
 *         consumer.acknowledge(offset);
 *     });
 * }
 * }</pre>
 */
public final class Consumer implements AutoCloseable {
    private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);
    private static final VarHandle SHOWN_TO;

    static {
        try {
            SHOWN_TO = MethodHandles.lookup().findVarHandle(Consumer.class, "shownTo", Thread.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Consumer.shownTo", e);
        }
    }

    private final ConsumerGroup owner;
    private final Group group;
    private final Member member;
    private final Fetcher.Delivering<Delivery> delivering;
    /** The thread that polls with a handler or a visitor; null if none does. */
    private volatile @Nullable Thread shownTo;
    /** Shows a record to a visitor. */
    private final RecordView view = new RecordView(this::segment, this::memory);
    private int viewed;

    Consumer(ConsumerGroup owner, Group group, Member member) {
        this.owner = owner;
        this.group = group;
        this.member = member;
        this.delivering = (moves, offset, delivery, millis, deliveries, leased, payload, lifetime) -> new Delivery(
                group, member, moves, offset, delivery, millis, deliveries, leased, payload, lifetime);
    }

    /**
     * Returns the consumer group.
     *
     * @return the group
     */
    public ConsumerGroup group() {
        return owner;
    }

    // --- Polling ---

    /**
     * Takes the next record, if there is one. Records that were given back come first, in the order of offsets, then new ones.
     *
     * <p>A damaged record stops its group, because the queue cannot know whether the record may be skipped. To continue behind it, close
     * the queue and run {@link QueueFiles#repair}, which withdraws the record. Or, while the queue is open, acknowledge all records that
     * were delivered before it and {@linkplain ConsumerGroup#seek(long) seek} to {@link QueueCorruptException#offset()} + 1. Then the
     * damaged record and all records before it count as acknowledged, and no record behind it does. The seek throws
     * {@link QueueCorruptException} too if the record is so damaged that it is not known where the next one begins.
     *
     * @return the record, which this thread must close; null if there is none, or the next one is too far ahead of the group's position,
     *         see {@link ConsumerGroup}
     * @throws QueueCorruptException if the next record is damaged; each poll throws until the record is repaired or the group has moved
     *                               past it
     * @throws IllegalStateException if the consumer, its group or the queue is closed
     */
    public @Nullable Delivery poll() {
        return pollBefore(Long.MAX_VALUE);
    }

    private @Nullable Delivery pollBefore(long offset) {
        return group.fetcher().takeOne(member, offset, delivering);
    }

    /**
     * Takes the next record, and waits until there is one; see {@link #poll()}.
     *
     * @param timeout how long to wait; not at all if it is negative
     * @return the record, which this thread must close; null if there was none in time
     * @throws InterruptedException  if the thread is interrupted
     * @throws IllegalStateException also if the consumer, its group or the queue is closed meanwhile
     */
    public @Nullable Delivery poll(Duration timeout) throws InterruptedException {
        long deadline = deadline(timeout);
        try {
            while (true) {
                Delivery delivery = poll();
                if (delivery != null || !group.await(member, deadline)) {
                    return delivery;
                }
            }
        } finally {
            group.leaveLine();
        }
    }

    /**
     * Takes the next records, and shows them to a handler, one after the other. If the handler throws, the consumer gives back all records
     * of this call that are not acknowledged, and this method throws the exception. The handler may call everything except this method. If
     * it closes the consumer, it gets no further records.
     *
     * @param max     how many at most; more than 0
     * @param handler what to do with them
     * @return how many records were shown; 0 if there are none, or the next one is too far ahead of the group's position, see
     *         {@link ConsumerGroup}
     * @throws QueueCorruptException if the next record is damaged; each poll throws until the record is repaired or the group has moved
     *                               past it; see {@link #poll()}
     * @throws IllegalStateException if the consumer, its group or the queue is closed, or another call of this method runs
     */
    public int poll(int max, RecordHandler handler) {
        return show(max, Objects.requireNonNull(handler, "handler"), null);
    }

    /**
     * Takes the next records, and shows them to a visitor as {@link #poll(int, RecordHandler)} does to a handler, but without an object for
     * each record. So it leaves no garbage, whatever the JIT compiler does.
     *
     * @param max     how many at most; more than 0
     * @param visitor what to do with them
     * @return how many records were shown; 0 if there are none, or the next one is too far ahead of the group's position, see
     *         {@link ConsumerGroup}
     * @throws QueueCorruptException if the next record is damaged; each poll throws until the record is repaired or the group has moved
     *                               past it; see {@link #poll()}
     * @throws IllegalStateException if the consumer, its group or the queue is closed, or another call of this method or of
     *                               {@link #poll(int, RecordHandler)} runs
     */
    public int visit(int max, RecordVisitor visitor) {
        return show(max, null, Objects.requireNonNull(visitor, "visitor"));
    }

    /**
     * Takes the next records and shows them to a visitor, and waits until there is one; see {@link #visit(int, RecordVisitor)}.
     *
     * @param max     how many at most; more than 0
     * @param timeout how long to wait; not at all if it is negative
     * @param visitor what to do with them
     * @return how many records were shown; 0 if there were none in time
     * @throws InterruptedException  if the thread is interrupted while it waits
     * @throws IllegalStateException also if the consumer, its group or the queue is closed meanwhile
     */
    public int visit(int max, Duration timeout, RecordVisitor visitor) throws InterruptedException {
        return showOrWait(max, timeout, null, Objects.requireNonNull(visitor, "visitor"));
    }

    private int showOrWait(int max, Duration timeout, @Nullable RecordHandler handler, @Nullable RecordVisitor visitor)
            throws InterruptedException {
        long deadline = deadline(timeout);
        try {
            while (true) {
                int count = show(max, handler, visitor);
                if (count > 0 || !group.await(member, deadline)) {
                    return count;
                }
            }
        } finally {
            group.leaveLine();
        }
    }

    /** Shows records to a handler or a visitor. */
    private int show(int max, @Nullable RecordHandler handler, @Nullable RecordVisitor visitor) {
        if (max < 1) {
            throw new IllegalArgumentException("max must be more than 0, not " + max);
        }
        if (!SHOWN_TO.compareAndSet(this, null, Thread.currentThread())) {
            throw new IllegalStateException("A consumer of group " + group.name()
                    + " is being polled, by another thread or by the handler that calls this. Make one consumer for each thread");
        }
        try {
            return showAll(max, handler, visitor);
        } finally {
            shownTo = null;
        }
    }

    /**
     * Takes the next records and shows them to a handler, and waits until there is one; see {@link #poll(int, RecordHandler)}.
     *
     * @param max     how many at most; more than 0
     * @param timeout how long to wait; not at all if it is negative
     * @param handler what to do with them
     * @return how many records were shown; 0 if there were none in time
     * @throws InterruptedException  if the thread is interrupted while it waits
     * @throws IllegalStateException also if the consumer, its group or the queue is closed meanwhile
     */
    public int poll(int max, Duration timeout, RecordHandler handler) throws InterruptedException {
        return showOrWait(max, timeout, Objects.requireNonNull(handler, "handler"), null);
    }

    /**
     * Returns when the record was appended that {@link #poll(int, RecordHandler)} is showing to its handler. Only the handler may call
     * this, in its thread.
     *
     * @return milliseconds since 1970-01-01 UTC, accurate to some 10 ms
     * @throws IllegalStateException if this thread is not in a handler of this consumer
     */
    public long time() {
        Batch shows = member.batch;
        int last = shows.shown - 1;
        if (last < 0 || !Thread.currentThread().equals(shownTo)) {
            throw new IllegalStateException("No record is being shown: time() of a consumer of group " + group.name()
                    + " is for the handler of its poll, while that runs");
        }
        return shows.segment().time(shows.positions()[last]);
    }

    // --- Streams ---

    /**
     * Streams the records that are there now, one after the other, for tools and tests. The stream ends behind the last record that was
     * appended before this call. It ends earlier if no record is left for this consumer, because other consumers hold the rest or the rest
     * was put with the dead letters. Records that are given back meanwhile come again, but the stream has at most as many records in all as
     * were not acknowledged at this call.
     *
     * <p>Each delivery can be read until the next one is asked for, or the stream is closed. So collect the content of deliveries, not the
     * deliveries. The code that uses the stream must acknowledge deliveries or give them back; this consumer holds them until then.
     *
     * <pre>{@code
     * try (Stream<Delivery> there = consumer.stream()) {
     *     there.filter(delivery -> isStale(delivery.segment())).forEach(Delivery::acknowledge);
     * }
     * }</pre>
     *
     * @return a sequential stream, which the caller must close, and use in this thread
     * @throws IllegalStateException if the consumer, its group or the queue is closed; the stream's own methods throw it too
     */
    public Stream<Delivery> stream() {
        long most = group.read(group::unacknowledged);
        long end = group.nextOffset();
        return DeliveryStream.of(() -> pollBefore(end), most);
    }

    /**
     * Streams all records, as {@link #stream()} does, and then waits for new ones. The stream ends when the consumer, its group or the
     * queue is closed, for example by another thread, or when its thread is interrupted. The thread stays interrupted.
     *
     * @return a sequential stream, which the caller must close, and use in this thread
     */
    public Stream<Delivery> follow() {
        return DeliveryStream.of(this::pollWithoutEnd, Long.MAX_VALUE);
    }

    /**
     * Polls the next record; null if the consumer, its group or the queue is closed, or the thread is interrupted. The thread stays
     * interrupted.
     */
    private @Nullable Delivery pollWithoutEnd() {
        if (!group.isOpenFor(member)) {
            return null;
        }
        try {
            return poll(LONGEST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return null;
        } catch (IllegalStateException e) {
            if (group.isOpenFor(member)) {
                throw e;
            }
            // It was closed meanwhile.
            return null;
        }
    }

    private int showAll(int max, @Nullable RecordHandler handler, @Nullable RecordVisitor visitor) {
        Batch batch = member.batch;
        int count = 0;
        batch.begin();
        try {
            while (true) {
                group.fetcher().take(member, batch, max - count, count == 0);
                // A run may be over, with records behind it.
                boolean isAll = (batch.size > 0 || batch.isRun) && (visitor != null
                        ? visitBatch(visitor)
                        : showBatch(Objects.requireNonNull(handler)));
                boolean isLast = !isAll || batch.isLast;
                count += batch.shown;
                if (isLast || count == max) {
                    return count;
                }
                batch.remember();
            }
        } catch (Throwable e) {
            try {
                group.redelivery().giveBackShown(member);
            } catch (Throwable again) {
                // Without a call, for which there may be no stack: records that were not shown must not be acknowledged with those that
                // were.
                group.isBroken = true;
                throw again;
            }
            throw e;
        } finally {
            group.fetcher().finish(member);
        }
    }

    /** Shows the batch to a handler. Returns whether all of it was shown. */
    private boolean showBatch(RecordHandler handler) {
        // In local variables, which the handler cannot change.
        Batch shows = member.batch;
        int size = shows.size;
        Group from = group;
        Member to = member;
        int moves = shows.moves;
        long deadline = shows.deadline;
        long first = shows.first;
        int deliveries = shows.deliveries;
        int[] positions = shows.positions();
        int[] lengths = shows.lengths();
        SegmentFile segment = shows.segment();
        long base = segment.base();
        int found = shows.isRun ? 0 : size;
        // Here, so that the JIT compiler sees all of its life and removes it.
        try (Arena lifetime = Arena.ofConfined()) {
            for (int i = 0; i < size; i++) {
                if (to.isClosed() || from.moves() != moves) {
                    return false;
                }
                if (deadline != 0 && i > 0 && from.redelivery().isPast(deadline)) {
                    from.redelivery().giveBackUnshown(to);
                    return false;
                }
                if (i == found) {
                    found = group.fetcher().find(member, i);
                    if (i == found) {
                        return true;
                    }
                }
                shows.shown = i + 1;
                handler.handle(first + i, segment.lend(base, positions[i], lengths[i], lifetime), deliveries);
            }
            return true;
        }
    }

    /** Shows the batch to a visitor, as {@link #showBatch}. */
    private boolean visitBatch(RecordVisitor visitor) {
        Batch shows = member.batch;
        int size = shows.size;
        int moves = shows.moves;
        int[] positions = shows.positions();
        int[] lengths = shows.lengths();
        SegmentFile segment = shows.segment();
        int found = shows.isRun ? 0 : size;
        try {
            for (int i = 0; i < size; i++) {
                if (member.isClosed() || group.moves() != moves) {
                    return false;
                }
                if (shows.deadline != 0 && i > 0 && group.redelivery().isPast(shows.deadline)) {
                    group.redelivery().giveBackUnshown(member);
                    return false;
                }
                if (i == found) {
                    found = group.fetcher().find(member, i);
                    if (i == found) {
                        return true;
                    }
                }
                shows.shown = i + 1;
                viewed = i;
                view.show(segment, positions[i], lengths[i], shows.first + i, shows.deliveries,
                        segment.placeOfLent(positions[i]));
                visitor.visit(view);
            }
            return true;
        } finally {
            view.end();
        }
    }

    /** Lends the payload that the visitor is shown. */
    private MemorySegment segment() {
        Batch shows = member.batch;
        int position = shows.positions()[viewed];
        int length = shows.lengths()[viewed];
        // A slice of the segment that is lent once for the batch, so only one object.
        return SegmentFile.isLentInPlace()
                ? shows.memory().asSlice(shows.segment().placeOfLent(position), length)
                : shows.segment().lend(position, length, shows.arena());
    }

    /** Lends the memory around that payload, or only the payload where that is a copy. */
    private MemorySegment memory() {
        return SegmentFile.isLentInPlace() ? member.batch.memory() : segment();
    }

    private static long deadline(Duration timeout) throws InterruptedException {
        Objects.requireNonNull(timeout, "timeout");
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return System.nanoTime() + Nanos.of(timeout);
    }

    // --- Acknowledging and giving back ---

    /**
     * Acknowledges a record: it is not delivered again, however the process ends from now on.
     *
     * @param offset of a record that this consumer holds
     * @return false, without any effect, if the record is acknowledged already, another consumer got it because this consumer's
     *         {@linkplain GroupOptions#visibilityTimeout time} has passed, or the group was moved since the delivery and this consumer has
     *         got no record since
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back
     * @throws QueueException           if the disk fails where that matters; the call has no effect then
     */
    public boolean acknowledge(long offset) {
        return group.acknowledgements().acknowledge(member, offset, Member.ANY_DELIVERY);
    }

    /**
     * Acknowledges several records; see {@link #acknowledge(long)}.
     *
     * @param offsets in any order
     * @return how many were not acknowledged before
     * @throws IllegalArgumentException if one of them was not delivered to this consumer, or was given back; none is acknowledged then
     * @throws QueueException           if the disk fails where that matters; some may be acknowledged then; this consumer still holds the
     *                                  others
     */
    public int acknowledge(long[] offsets) {
        return group.acknowledgements().acknowledge(member, Objects.requireNonNull(offsets, "offsets"));
    }

    /**
     * Acknowledges all records that this consumer holds, up to an offset; see {@link #acknowledge(long)}. Records that a running
     * {@link #poll(int, RecordHandler)} has not shown yet are not acknowledged.
     *
     * @param offset of the last record; {@link Long#MAX_VALUE} acknowledges all
     * @return how many there were
     * @throws IllegalArgumentException if it is negative
     * @throws QueueException           if the disk fails where that matters; the first ones may be acknowledged then; this consumer still
     *                                  holds the others
     */
    public int acknowledgeUpTo(long offset) {
        return group.acknowledgements().acknowledgeUpTo(member, offset);
    }

    /**
     * Returns the offset of the next new record of the group. All records before it were delivered, or are withdrawn.
     *
     * @return the offset
     */
    public long nextOffset() {
        return group.passed();
    }

    /**
     * Gives a record back. The group delivers it again at once, to the next consumer that polls. If no consumer can handle the record, this
     * repeats endlessly: check how often it was delivered, or give it back with a delay.
     *
     * @param offset of a record that this consumer holds
     * @return false, without any effect, if the record is acknowledged already, or the group was moved since the delivery and this consumer
     *         has got no record since
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back before
     */
    public boolean giveBack(long offset) {
        return giveBack(offset, Duration.ZERO);
    }

    /**
     * Gives a record back, so that it is delivered again later. When the queue is closed or the group is moved, delays are forgotten, and
     * so is how often a record was delivered.
     *
     * @param offset of a record that this consumer holds
     * @param delay  how long the record is held back; not at all if it is negative
     * @return false, without any effect, if the record is acknowledged already, or the group was moved since the delivery and this consumer
     *         has got no record since
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back before
     */
    public boolean giveBack(long offset, Duration delay) {
        return group.redelivery().giveBack(member, offset, Member.ANY_DELIVERY,
                Objects.requireNonNull(delay, "delay"));
    }

    /**
     * Extends the time for a record: it is delivered again when this time has passed, and not earlier, unless it is acknowledged or given
     * back before. This also works in a group without a {@link GroupOptions#visibilityTimeout}.
     *
     * @param offset of a record that this consumer holds
     * @param time   from now on; more than 0. The record may come back later by a 64th of the time plus a millisecond
     * @return false, without any effect, if the record is acknowledged already, its time has passed, or the group was moved since the
     *         delivery and this consumer has got no record since
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back before,
     *                                  or the time is not more than 0
     */
    public boolean extend(long offset, Duration time) {
        return group.redelivery().extend(member, offset, Member.ANY_DELIVERY,
                Objects.requireNonNull(time, "time"));
    }

    /**
     * Rejects a record that no consumer can handle: puts it with the group's dead letters, and then acknowledges it. Waits until it is on
     * the disk there; until then no consumer holds the record, however long that takes.
     *
     * @param offset of a record that this consumer holds
     * @param reason for people; becomes {@link DeadLetter#reason()}
     * @return false if the record is acknowledged already, another thread is rejecting it, its time has passed, or the group was moved
     *         since the delivery and this consumer has got no record since. The call has no effect then, unless the group was moved during
     *         the call
     * @throws IllegalStateException    if the group has no {@link GroupOptions#deadLetters(int, Queue)}
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back before
     * @throws QueueException           if the record cannot be put there; this consumer holds it again, and the group's
     *                                  {@link GroupOptions#visibilityTimeout} begins anew
     */
    public boolean reject(long offset, String reason) {
        return group.deadLetters().reject(member, offset, Member.ANY_DELIVERY,
                Objects.requireNonNull(reason, "reason"));
    }

    // --- Ending ---

    /**
     * Gives back all records that this consumer holds, so that other consumers get them at once. A record that is being put with the dead
     * letters is given back only if that fails. Open {@linkplain Delivery deliveries} can still be read. Closing twice, or after the queue,
     * is harmless.
     */
    @Override
    public void close() {
        member.close();
    }

    @Override
    public String toString() {
        return "consumer " + member.number + " of group " + group.name();
    }
}
