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
 * A consumer of a {@link ConsumerGroup}, which shares the group's records with the others. It holds a record from the delivery until it acknowledges it, gives
 * it back, {@linkplain #reject rejects} it, or is closed; meanwhile no other consumer of the group is given it, unless its {@linkplain
 * GroupOptions#visibilityTimeout time} passes.
 *
 * <p>Thread-safe; but while one thread is in {@link #poll(int, RecordHandler)}, another one, or its handler, cannot call that method too.
 * Payloads belong to the thread that has polled them.
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
    /** The record that a visitor is shown. */
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
     * <p>A damaged record stops its group, because the queue cannot know whether it may be left out. To go on behind it, close the queue
     * and run {@link QueueFiles#repair}, which withdraws it. Or, while the queue is open, acknowledge all that was delivered before it and
     * {@linkplain ConsumerGroup#seek(long) seek} with {@link QueueCorruptException#offset()} + 1: that counts it as acknowledged, with all
     * records before it, and no record behind it. It throws {@link QueueCorruptException} too if so much of the record is damaged that it
     * is not known where the next one begins.
     *
     * @return the record, to be closed by this thread; null if there is none, or too much is not acknowledged, see {@link ConsumerGroup}
     * @throws QueueCorruptException if the next record is damaged, each time until that is repaired or the group is behind it
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
     * @return the record, to be closed by this thread; null if there was none in time
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
     * Takes the next records, and shows them to a handler, one after the other. If the handler throws, all records that it was shown in
     * this call and that are not acknowledged are given back, and the exception is thrown on. It may call everything except this method; if
     * it closes the consumer, it is shown nothing further.
     *
     * @param max     how many at most; more than 0
     * @param handler what to do with them
     * @return how many it was shown; 0 if there are none, or too much is not acknowledged, see {@link ConsumerGroup}
     * @throws QueueCorruptException if the next record is damaged, each time until that is repaired or the group is behind it; see
     *                               {@link #poll()}
     * @throws IllegalStateException if the consumer, its group or the queue is closed, or another call of this method runs
     */
    public int poll(int max, RecordHandler handler) {
        return show(max, Objects.requireNonNull(handler, "handler"), null);
    }

    /**
     * Takes the next records, and shows them to a visitor as {@link #poll(int, RecordHandler)} does to a handler, but without an object for
     * each: this leaves no garbage, whatever the JIT compiler does.
     *
     * @param max     how many at most; more than 0
     * @param visitor what to do with them
     * @return how many it was shown; 0 if there are none, or too much is not acknowledged, see {@link ConsumerGroup}
     * @throws QueueCorruptException if the next record is damaged, each time until that is repaired or the group is behind it; see
     *                               {@link #poll()}
     * @throws IllegalStateException if the consumer, its group or the queue is closed, or another call of this method or that one runs
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
     * @return how many it was shown; 0 if there were none in time
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
     * @return how many it was shown; 0 if there were none in time
     * @throws InterruptedException  if the thread is interrupted while it waits
     * @throws IllegalStateException also if the consumer, its group or the queue is closed meanwhile
     */
    public int poll(int max, Duration timeout, RecordHandler handler) throws InterruptedException {
        return showOrWait(max, timeout, Objects.requireNonNull(handler, "handler"), null);
    }

    /**
     * Returns when the record was appended that {@link #poll(int, RecordHandler)} is showing to its handler. Only for the handler, in its
     * thread.
     *
     * @return milliseconds since 1970-01-01 UTC, to some 10 ms
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
     * Streams the records that there are now, one after the other, for tools and tests. Ends behind the last one of those that were appended before
     * this call, or when there is none to be had, because other consumers have the rest, or it was put with the dead letters. If records are given back meanwhile, they come
     * again, but not more records in all than the group had to do at this call.
     *
     * <p>Each delivery can be read until the next one is asked for, or the stream is closed; collect what is in them, not them. They are
     * acknowledged or given back by the code that uses the stream; what is not is still in this consumer's hands.
     *
     * <pre>{@code
     * try (Stream<Delivery> there = consumer.stream()) {
     *     there.filter(delivery -> isStale(delivery.segment())).forEach(Delivery::acknowledge);
     * }
     * }</pre>
     *
     * @return to be closed by the caller, and used by the thread that calls this; sequential
     * @throws IllegalStateException if the consumer, its group or the queue is closed; the stream's own methods throw it too
     */
    public Stream<Delivery> stream() {
        long most = group.read(group::unacknowledged);
        long end = group.nextOffset();
        return DeliveryStream.of(() -> pollBefore(end), most);
    }

    /**
     * Streams all records, as {@link #stream()}, and then waits for those that are appended from now on. The stream ends when the consumer,
     * its group or the queue is closed, for example by another thread, or its thread is interrupted, which stays so.
     *
     * @return to be closed by the caller, and used by the thread that calls this; sequential
     */
    public Stream<Delivery> follow() {
        return DeliveryStream.of(this::pollWithoutEnd, Long.MAX_VALUE);
    }

    /** Polls the next record; null if the consumer, its group or the queue is closed, or the thread interrupted, which stays so. */
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
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        return System.nanoTime() + Nanos.of(timeout);
    }

    // --- Acknowledging and giving back ---

    /**
     * Acknowledges a record: it is not delivered again, however the process ends from now on.
     *
     * @param offset of a record in this consumer's hands
     * @return false if it is acknowledged already, another one was given it because this one's {@linkplain GroupOptions#visibilityTimeout
     *         time} has passed, or the group was moved since it was delivered and this consumer has been given nothing since; nothing has
     *         happened then
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back
     * @throws QueueException           if the disk fails where that matters; nothing has happened then
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
     * @throws QueueException           if the disk fails where that matters; some may be acknowledged then, the others are still in this
     *                                  consumer's hands
     */
    public int acknowledge(long[] offsets) {
        return group.acknowledgements().acknowledge(member, offsets);
    }

    /**
     * Acknowledges all records that this consumer holds, up to an offset; see {@link #acknowledge(long)}. Those that a
     * running {@link #poll(int, RecordHandler)} has not shown yet are not among them.
     *
     * @param offset of the last one; {@link Long#MAX_VALUE} is: of all
     * @return how many there were
     * @throws IllegalArgumentException if it is negative
     * @throws QueueException           if the disk fails where that matters; the first ones may be acknowledged then, the others are still
     *                                  in this consumer's hands
     */
    public int acknowledgeUpTo(long offset) {
        return group.acknowledgements().acknowledgeUpTo(member, offset);
    }

    /**
     * Gives a record back, which is delivered again at once, to the consumer of the group that asks next. This repeats without an end if no
     * consumer can handle the record: look at how often it was delivered, or give it back with a delay.
     *
     * @param offset of a record in this consumer's hands
     * @return false if it is acknowledged already, or the group was moved since it was delivered and this consumer has been given nothing
     *         since; nothing has happened then
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back before
     */
    public boolean giveBack(long offset) {
        return giveBack(offset, Duration.ZERO);
    }

    /**
     * Gives a record back, which is delivered again later. Delays are not remembered when the queue is closed, nor is how often a record
     * was delivered.
     *
     * @param offset of a record in this consumer's hands
     * @param delay  how long it is kept back; not at all if it is negative
     * @return false if it is acknowledged already, or the group was moved since it was delivered and this consumer has been given nothing
     *         since; nothing has happened then
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back before
     */
    public boolean giveBack(long offset, Duration delay) {
        return group.redelivery().giveBack(member, offset, Member.ANY_DELIVERY, delay);
    }

    /**
     * Extends the time for a record: it is delivered again when this has passed, and not earlier, if it is neither
     * acknowledged nor given back by then. Also in a group without a {@link GroupOptions#visibilityTimeout}.
     *
     * @param offset of a record in this consumer's hands
     * @param time   from now on; more than 0. It may take a 64th of it longer, and a millisecond
     * @return false if it is acknowledged already, its time has passed, or the group was moved since it was delivered and this consumer has
     *         been given nothing since; nothing has happened then
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back before,
     *                                  or the time is not more than 0
     */
    public boolean extend(long offset, Duration time) {
        return group.redelivery().extend(member, offset, Member.ANY_DELIVERY, time);
    }

    /**
     * Rejects a record, which no consumer can handle: it is put with the group's dead letters, and then acknowledged. Waits until it is on the disk
     * there; until then no consumer holds the record, however long that takes.
     *
     * @param offset of a record in this consumer's hands
     * @param reason for people; becomes {@link DeadLetter#reason()}
     * @return false if it is acknowledged already or another thread is rejecting it, its time has passed, or the group was moved since it
     *         was delivered and this consumer has been given nothing since; nothing has happened then, unless the group was moved during
     *         this call
     * @throws IllegalStateException    if the group has no {@link GroupOptions#deadLetters(int, Queue)}
     * @throws IllegalArgumentException if it was not delivered to this consumer since the group was last moved, or was given back before
     * @throws QueueException           if it cannot be put there; it is in this consumer's hands again, where the group's
     *                                  {@link GroupOptions#visibilityTimeout} begins anew
     */
    public boolean reject(long offset, String reason) {
        return group.deadLetters().reject(member, offset, Member.ANY_DELIVERY,
                Objects.requireNonNull(reason, "reason"));
    }

    // --- Ending ---

    /**
     * Gives back all records that this consumer holds, which are delivered to others at once. One that is being put with the dead letters
     * is given back only if that fails. Open {@linkplain Delivery deliveries} can still be read. Closing twice is harmless, and so is
     * closing after the queue.
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
