package dev.outcrop.jruby;

import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueFullException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/**
 * A durable queue of Ruby objects: what {@code Outcrop::Queue} and {@code Outcrop::SizedQueue} are made of. Every object is appended to the
 * {@link Queue}; a bounded one keeps it in memory too, so that popping it needs no reading. Thread-safe.
 */
final class ItemQueue {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long HOLE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int LOOKS = 20;

    /** Queues that were closed and not emptied, by their directories. A thread that opens one of these again takes it over. */
    private static final Map<Path, ItemQueue> LEFT = new ConcurrentHashMap<>();

    private final Queue queue;
    private final String group;
    private final ItemSerializer serializer;
    private final boolean isEveryPushDurable;
    private final Head head;
    /** Those of other groups that are open, and need the files until they have seen everything. */
    private final Set<Consumer> consumers = ConcurrentHashMap.newKeySet();
    private final @Nullable ObjectRing ring;
    private final WaitingRoom items = new WaitingRoom(() -> true);
    private final WaitingRoom room = new WaitingRoom(this::isMuchRoom);
    /** Pushes that go on: what they push is counted on, although the queue may be closed meanwhile. */
    private final Pushers pushing = new Pushers();
    private final AtomicBoolean isClosed = new AtomicBoolean();
    private final AtomicBoolean isReleased = new AtomicBoolean();
    /** Why the files could not be closed, until somebody was told. */
    private final AtomicReference<@Nullable RuntimeException> unclosed = new AtomicReference<>();
    /** What was left when the files were released. */
    private volatile long left;

    /**
     * Takes over an open queue.
     *
     * @param max how many items it takes; 0 is: as many as come, and none of them in memory
     */
    ItemQueue(Queue queue, String group, ItemSerializer serializer, boolean isEveryPushDurable, int max) {
        this.queue = queue;
        this.group = group;
        this.serializer = serializer;
        this.isEveryPushDurable = isEveryPushDurable;
        this.head = new Head(queue.group(group).consumer());
        if (max == 0) {
            this.ring = null;
        } else {
            // What an earlier run has left counts. If it is more than is read ahead, some of what is counted may have been withdrawn.
            int read = head.readAhead();
            int there = read >= 0 ? read : (int) Math.min(queue.group(group).lag().records(), Integer.MAX_VALUE / 2);
            this.ring = new ObjectRing(max, queue.nextOffset(), there, pushing);
            head.use(ring, read >= 0 ? 0 : there - head.ahead());
        }
    }

    /** Lets go of a queue that this process has closed and not emptied. */
    static void takeOver(Path directory) {
        ItemQueue other = LEFT.get(directory);
        if (other != null) {
            other.release();
        }
    }

    Queue queue() {
        return queue;
    }

    String group() {
        return group;
    }

    ItemSerializer serializer() {
        return serializer;
    }

    // --- Pushing ---

    /**
     * Appends an object.
     *
     * @return false if there was no room in time
     */
    boolean push(ThreadContext context, IRubyObject object, boolean isNonBlocking, long deadline) {
        requireOpen(context);
        RubyString string = serializer.string(context, object);
        StackRoom.require();
        try {
            while (true) {
                Outcome outcome = tryPush(context, object, string);
                if (outcome == Outcome.PUSHED) {
                    return true;
                }
                if (isNonBlocking) {
                    throw QueueErrors.thread(context, "queue full");
                }
                // By bytes: then there is nobody who would open the room at the right time.
                boolean isInTime = outcome == Outcome.FULL_OF_BYTES
                        ? room.pause(context, RETRY_NANOS, deadline)
                        : room.await(context, this::untilThereMayBeRoom, deadline);
                if (!isInTime) {
                    return false;
                }
            }
        } catch (RuntimeException e) {
            throw ruby(context, e);
        }
    }

    private enum Outcome {
        PUSHED,
        FULL,
        FULL_OF_BYTES
    }

    private Outcome tryPush(ThreadContext context, IRubyObject object, RubyString string) {
        // Before the look at isClosed: a thread that closes, and then finds nobody here, knows that all items are there.
        pushing.enter();
        try {
            requireOpen(context);
            if (ring != null && !ring.reserve()) {
                return Outcome.FULL;
            }
            append(object, string);
            if (isEveryPushDurable) {
                queue.sync();
            }
            return Outcome.PUSHED;
        } catch (QueueFullException e) {
            return Outcome.FULL_OF_BYTES;
        } finally {
            pushing.leave();
            // What was pushed may be popped already, by somebody who has seen that this still goes on.
            releaseAfterwards();
        }
    }

    private void append(IRubyObject object, RubyString string) {
        long offset;
        try {
            offset = queue.append(StringRecord.bytes(string), StringRecord.end(string));
        } catch (RuntimeException e) {
            // Nothing was appended. After an Error that is not known, and the room stays taken, for the record that may be there.
            freeRoom();
            throw e;
        }
        if (ring != null) {
            ring.put(offset, object);
        }
        items.open();
    }

    private void freeRoom() {
        if (ring != null) {
            ring.free(1);
            room.open();
        }
    }

    private long untilThereMayBeRoom() {
        return ring == null || ring.hasRoom() || isClosed.get() ? 0 : WaitingRoom.FOREVER;
    }

    private boolean isMuchRoom() {
        return ring == null || ring.hasMuchRoom();
    }

    private void requireOpen(ThreadContext context) {
        if (isClosed.get()) {
            throw QueueErrors.closed(context);
        }
    }

    private RuntimeException ruby(ThreadContext context, RuntimeException e) {
        return e instanceof IllegalStateException && isReleased.get()
                ? QueueErrors.closed(context)
                : QueueErrors.ruby(context, e);
    }

    // --- Taking ---

    /**
     * Takes the next item, which is then to be acknowledged or given back.
     *
     * @return null if there was none in time, or the queue was closed and is empty
     */
    @Nullable
    Item take(ThreadContext context, long deadline) {
        return take(context, deadline, false);
    }

    /** As {@link #take}, but the item is acknowledged already if that is possible without reading it. */
    @Nullable
    Item pop(ThreadContext context, long deadline) {
        Item item = take(context, deadline, true);
        if (item != null && item.isAcknowledged) {
            releaseAfterwards();
        }
        return item;
    }

    private @Nullable Item take(ThreadContext context, long deadline, boolean isForGood) {
        StackRoom.require();
        try {
            Item item = take(isForGood);
            for (int i = 0; item == null; i++) {
                if (isClosed.get()) {
                    // Before the last look: afterwards everything is there that was pushed before the queue was closed.
                    boolean isLast = pushing.isNobodyInside();
                    item = take(isForGood);
                    if (item == null && isLast) {
                        releaseIfDrained();
                        throwUnclosed();
                        return null;
                    }
                    if (item == null && !items.pause(context, HOLE_NANOS, deadline)) {
                        return null;
                    }
                    continue;
                }
                boolean isThere = items.await(context, this::untilWorthTrying, deadline);
                item = take(isForGood);
                if (item == null && (!isThere || (i > LOOKS && !items.pause(context, HOLE_NANOS, deadline)))) {
                    return null;
                }
            }
            return item;
        } catch (IllegalStateException e) {
            if (isReleased.get()) {
                return null;
            }
            throw QueueErrors.ruby(context, e);
        } catch (RuntimeException e) {
            throw QueueErrors.ruby(context, e);
        }
    }

    private @Nullable Item take(boolean isForGood) {
        Item item = head.take(isForGood);
        if (item != null && ring != null) {
            room.open();
        }
        return item;
    }

    private long untilWorthTrying() {
        return isClosed.get() ? 0 : head.untilWorthTrying(queue.nextOffset());
    }

    /** What was pushed. If the serializer cannot read it, the item is given back. */
    IRubyObject object(ThreadContext context, Item item) {
        IRubyObject object = item.object;
        if (object != null) {
            return object;
        }
        try {
            return serializer.item(context, Objects.requireNonNull(item.record));
        } catch (Throwable e) {
            giveBack(item);
            throw e;
        }
    }

    /** Says that an item is done. Returns false if it was removed meanwhile. */
    boolean acknowledge(ThreadContext context, Item item) {
        boolean isDone;
        try {
            isDone = head.acknowledge(item);
        } catch (RuntimeException e) {
            if (!isReleased.get()) {
                giveBack(item);
            }
            throw QueueErrors.ruby(context, e);
        }
        releaseAfterwards();
        return isDone;
    }

    /** Makes an item the next one again. */
    void giveBack(Item item) {
        head.giveBack(item);
        items.open();
    }

    /** Gives an item back that nobody gets before some time has passed. Returns false if it was removed meanwhile. */
    boolean giveBack(ThreadContext context, Item item, Duration delay) {
        if (delay.isZero()) {
            giveBack(item);
            return true;
        }
        try {
            boolean isGivenBack = head.giveBack(item, delay);
            // All of them: who waits has to know when it comes.
            items.openAll();
            return isGivenBack;
        } catch (RuntimeException e) {
            throw QueueErrors.ruby(context, e);
        }
    }

    // --- What there is ---

    /** Items that are in the queue, without those that somebody is working at. */
    long size() {
        if (isReleased.get()) {
            return left;
        }
        return count();
    }

    private long count() {
        // Each of the two may be too large: the head's counts records that were withdrawn, the ring's counts room that was taken and not
        // used.
        long size = Math.max(0, head.size());
        return ring == null ? size : Math.min(size, ring.count());
    }

    /** Changes how many items it takes; for one that is bounded. */
    void max(int max) {
        ObjectRing bounded = Objects.requireNonNull(ring, "bounded");
        synchronized (bounded) {
            if (bounded.isLongEnough(max)) {
                bounded.max(max);
            } else {
                pushing.halt(() -> head.grow(bounded, max, queue.nextOffset()));
            }
        }
        room.openAll();
    }

    /** How many items it takes; 0 if it is not bounded. */
    int max() {
        return ring == null ? 0 : ring.max();
    }

    int waiting() {
        return items.present() + room.present();
    }

    boolean isClosed() {
        return isClosed.get();
    }

    boolean isReleased() {
        return isReleased.get();
    }

    // --- Ending ---

    /** Ends all pushing; what is in the queue can still be taken. */
    void close() {
        if (isClosed.compareAndSet(false, true)) {
            LEFT.put(queue.directory(), this);
            items.openAll();
            room.openAll();
            releaseAfterwards();
        }
        throwUnclosed();
    }

    /** A consumer of a group, until {@link #forget} is called. */
    Consumer consumer(String name) {
        Consumer consumer = queue.group(name).consumer();
        consumers.add(consumer);
        return consumer;
    }

    /** A consumer was closed: nothing is kept open for it any more. */
    void forget(Consumer consumer) {
        consumers.remove(consumer);
        releaseIfFinished();
    }

    /** To be called when a consumer has done something after which the files may not be needed any more. */
    void releaseIfFinished() {
        if (isClosed.get()) {
            releaseIfDrained();
        }
    }

    /** As {@link #releaseIfFinished}, after something that has succeeded, whatever happens now. What fails is told at the next call. */
    void releaseAfterwards() {
        try {
            releaseIfFinished();
        } catch (RuntimeException e) {
            unclosed.set(e);
        }
    }

    private void throwUnclosed() {
        RuntimeException e = unclosed.getAndSet(null);
        if (e != null) {
            throw e;
        }
    }

    private static boolean isDrained(Consumer consumer) {
        try {
            return consumer.group().lag().records() == 0;
        } catch (IllegalStateException e) {
            // Its group was deleted.
            return true;
        }
    }

    private void releaseIfDrained() {
        try {
            if (!isReleased.get() && pushing.isNobodyInside() && head.isDrained()
                    && consumers.stream().allMatch(ItemQueue::isDrained)) {
                release();
            }
        } catch (IllegalStateException e) {
            // Another thread has released it meanwhile.
            if (!isReleased.get()) {
                throw e;
            }
        }
    }

    /** Ends everything, and closes the files. What is in the queue is there when it is opened again. */
    void release() {
        if (isReleased.compareAndSet(false, true)) {
            left = count();
            isClosed.set(true);
            items.openAll();
            room.openAll();
            try {
                queue.close();
            } finally {
                boolean _ = LEFT.remove(queue.directory(), this);
            }
        }
        throwUnclosed();
    }
}
