package dev.outcrop.jruby.queue;

import dev.outcrop.jruby.common.WaitQueue;
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
import java.util.concurrent.atomic.AtomicReference;
import org.jruby.RubyString;
import org.jruby.runtime.ThreadContext;
import org.jruby.runtime.builtin.IRubyObject;
import org.jspecify.annotations.Nullable;

/**
 * A durable queue of Ruby objects, for {@code Outcrop::Queue} and {@code Outcrop::SizedQueue}. Every object is appended to the
 * {@link Queue}. A bounded queue also keeps the object in memory, so that popping it reads no file. Thread-safe.
 *
 * <p>After an {@link Error}, most likely for lack of stack or memory, the state in memory may be wrong. From then on all calls raise
 * Poisoned, except the calls that close the queue. Opening the queue again reads the files.
 */
final class ItemQueue {
    private static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long HOLE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int LOOKS = 20;

    /** Queues that were closed and not emptied, by their directories. Opening a directory again releases its old queue. */
    private static final Map<Path, ItemQueue> LEFT = new ConcurrentHashMap<>();

    private final Queue queue;
    private final String group;
    private final ItemSerializer serializer;
    private final boolean isEveryPushDurable;
    private final Prefetcher prefetcher;
    /** Open consumers of other groups, which need the files until they have seen everything. */
    private final Set<Consumer> consumers = ConcurrentHashMap.newKeySet();
    private final @Nullable ObjectRing ring;
    private final WaitQueue items = new WaitQueue(() -> true);
    private final WaitQueue room = new WaitQueue(this::isMuchRoom);
    /** The running pushes. Their items will come, even if the queue is closed meanwhile. */
    private final ActivePushes pushes = new ActivePushes();
    private volatile boolean isClosed;
    /** Whether the files were closed. */
    private volatile boolean isReleased;
    /** The exception from closing the files. The next call throws it, and sets this to null. */
    private final AtomicReference<@Nullable RuntimeException> unclosed = new AtomicReference<>();
    /** How many items were left when the files were released. */
    private volatile long left;

    /** Takes over an open queue. A bound of 0 means no bound, and no objects in memory. */
    ItemQueue(Queue queue, String group, ItemSerializer serializer, boolean isEveryPushDurable, int max) {
        this.queue = queue;
        this.group = group;
        this.serializer = serializer;
        this.isEveryPushDurable = isEveryPushDurable;
        this.prefetcher = new Prefetcher(queue.group(group).consumer());
        if (max == 0) {
            this.ring = null;
        } else {
            // Items of an earlier run count. If there are more of them than were read ahead, some of their records may have been withdrawn.
            int read = prefetcher.readAhead();
            int there = read >= 0 ? read : (int) Math.min(queue.group(group).lag().records(), Integer.MAX_VALUE / 2);
            this.ring = new ObjectRing(max, queue.nextOffset(), there, pushes);
            prefetcher.use(ring, read >= 0 ? 0 : there - prefetcher.ahead());
        }
    }

    /** Releases a queue that this process has closed and not emptied. */
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

    /** Appends an object. Returns false if there was no room in time. */
    boolean push(ThreadContext context, IRubyObject object, boolean isNonBlocking, long deadline) {
        requireOpen(context);
        RubyString string = serializer.string(context, object);
        try {
            while (true) {
                Outcome outcome = tryPush(context, object, string);
                if (outcome == Outcome.PUSHED) {
                    return true;
                }
                if (isNonBlocking) {
                    throw QueueErrors.thread(context, "queue full");
                }
                // No signal comes when there is room for more bytes.
                boolean isInTime = outcome == Outcome.FULL_OF_BYTES
                        ? room.pause(context, RETRY_NANOS, deadline)
                        : room.await(context, this::untilThereMayBeRoom, deadline);
                if (!isInTime) {
                    return false;
                }
            }
        } catch (RuntimeException e) {
            throw ruby(context, e);
        } catch (Error e) {
            pushes.brokenBy = e;
            throw e;
        }
    }

    private enum Outcome {
        PUSHED,
        FULL,
        FULL_OF_BYTES
    }

    private Outcome tryPush(ThreadContext context, IRubyObject object, RubyString string) {
        // Enter before the check of isClosed: a thread that closes the queue, and then finds no running push, knows that all items are
        // there.
        pushes.enter();
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
            pushes.leave();
            // Another thread may have popped the item already, and have left the files open because it saw this push running.
            releaseAfterwards();
        }
    }

    private void append(IRubyObject object, RubyString string) {
        long offset;
        try {
            offset = queue.append(StringRecord.bytes(string), StringRecord.end(string));
        } catch (RuntimeException e) {
            // Nothing was appended. After an Error this is not known: the record may be there, so its room stays taken.
            freeRoom();
            throw e;
        }
        if (ring != null) {
            ring.put(offset, object);
        }
        items.signal();
    }

    private void freeRoom() {
        if (ring != null) {
            ring.free(1);
            room.signal();
        }
    }

    private long untilThereMayBeRoom() {
        return ring == null || ring.hasRoom() || isClosed || pushes.brokenBy != null ? 0 : WaitQueue.NEVER;
    }

    private boolean isMuchRoom() {
        return ring == null || ring.hasMuchRoom();
    }

    private void requireOpen(ThreadContext context) {
        if (isClosed) {
            throw QueueErrors.closed(context);
        }
        requireSound(context);
    }

    private void requireSound(ThreadContext context) {
        Error cause = pushes.brokenBy;
        if (cause != null) {
            throw QueueErrors.error(context, "Poisoned", "The queue " + queue.directory()
                    + " cannot be used further, because a call ended half-way in " + cause.getClass().getSimpleName()
                    + "; close it and open it again: then the items that were pushed are there");
        }
    }

    private RuntimeException ruby(ThreadContext context, RuntimeException e) {
        return e instanceof IllegalStateException && isReleased
                ? QueueErrors.closed(context)
                : QueueErrors.ruby(context, e);
    }

    // --- Taking ---

    /**
     * Takes the next item; null if there was none in time, or the queue was closed and is empty. The caller must acknowledge the item or
     * give it back.
     */
    @Nullable
    Item take(ThreadContext context, long deadline) {
        return take(context, deadline, false);
    }

    /** Takes the next item, and acknowledges it if that is possible without reading it. */
    @Nullable
    Item pop(ThreadContext context, long deadline) {
        Item item = take(context, deadline, true);
        if (item != null && item.isAcknowledged) {
            releaseAfterwards();
        }
        return item;
    }

    private @Nullable Item take(ThreadContext context, long deadline, boolean isForGood) {
        try {
            requireSound(context);
            Item item = take(isForGood);
            for (int i = 0; item == null; i++) {
                requireSound(context);
                if (isClosed) {
                    // Check this before the last look: if no push runs, everything is there that was pushed before the queue was closed.
                    boolean isLast = pushes.isIdle();
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
            if (isReleased) {
                return null;
            }
            throw QueueErrors.ruby(context, e);
        } catch (RuntimeException e) {
            throw QueueErrors.ruby(context, e);
        } catch (Error e) {
            pushes.brokenBy = e;
            throw e;
        }
    }

    private @Nullable Item take(boolean isForGood) {
        Item item = prefetcher.take(isForGood);
        if (item != null && ring != null) {
            room.signal();
        }
        return item;
    }

    private long untilWorthTrying() {
        return isClosed || pushes.brokenBy != null ? 0 : prefetcher.untilWorthTrying(queue.nextOffset());
    }

    /** Returns the object that was pushed. Gives the item back if the serializer cannot read it. */
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

    /** Acknowledges an item. Returns false if it was removed meanwhile. */
    boolean acknowledge(ThreadContext context, Item item) {
        boolean isDone;
        try {
            isDone = prefetcher.acknowledge(item);
        } catch (RuntimeException e) {
            if (!isReleased) {
                giveBack(item);
            }
            throw QueueErrors.ruby(context, e);
        } catch (Error e) {
            pushes.brokenBy = e;
            throw e;
        }
        releaseAfterwards();
        return isDone;
    }

    /** Makes an item the next one again. */
    void giveBack(Item item) {
        try {
            prefetcher.giveBack(item);
        } catch (Error e) {
            pushes.brokenBy = e;
            throw e;
        }
        items.signal();
    }

    /** Gives an item back, to be delivered again after a delay. Returns false if it was removed meanwhile. */
    boolean giveBack(ThreadContext context, Item item, Duration delay) {
        if (delay.isZero()) {
            giveBack(item);
            return true;
        }
        try {
            boolean isGivenBack = prefetcher.giveBack(item, delay);
            // Wake all threads, because each waiting thread must know when the item comes.
            items.signalAll();
            return isGivenBack;
        } catch (RuntimeException e) {
            throw QueueErrors.ruby(context, e);
        } catch (Error e) {
            pushes.brokenBy = e;
            throw e;
        }
    }

    // --- Size ---

    /** Returns how many items there are, without delivered items. */
    long size(ThreadContext context) {
        if (isReleased) {
            return left;
        }
        requireSound(context);
        return count();
    }

    private long count() {
        // Each of the two counts may be too large: the prefetcher counts records that were withdrawn, and the ring counts room that was
        // reserved but not used.
        long size = Math.max(0, prefetcher.size());
        return ring == null ? size : Math.min(size, ring.count());
    }

    /** Changes how many items a bounded queue takes. */
    void max(int max) {
        ObjectRing bounded = Objects.requireNonNull(ring, "bounded");
        synchronized (bounded) {
            if (bounded.isLongEnough(max)) {
                bounded.max(max);
            } else {
                grow(bounded, max);
            }
        }
        room.signalAll();
    }

    private void grow(ObjectRing bounded, int max) {
        try {
            pushes.halt(() -> prefetcher.grow(bounded, max, queue.nextOffset()));
        } catch (Error e) {
            pushes.brokenBy = e;
            throw e;
        }
    }

    /** Returns how many items the queue takes; 0 if it is not bounded. */
    int max() {
        return ring == null ? 0 : ring.max();
    }

    int waiting() {
        return items.waiting() + room.waiting();
    }

    boolean isClosed() {
        return isClosed;
    }

    boolean isReleased() {
        return isReleased;
    }

    // --- Ending ---

    /** Ends all pushing. The items in the queue can still be taken. */
    void close() {
        isClosed = true;
        if (pushes.brokenBy != null) {
            release();
        } else if (!isReleased) {
            LEFT.put(queue.directory(), this);
            items.signalAll();
            room.signalAll();
            releaseAfterwards();
        }
        throwUnclosed();
    }

    /** Returns a consumer of a group. The queue keeps the files open for it until {@link #forget} is called. */
    Consumer consumer(String name) {
        Consumer consumer = queue.group(name).consumer();
        consumers.add(consumer);
        return consumer;
    }

    /** Forgets a consumer that was closed, so that the files are not kept open for it. */
    void forget(Consumer consumer) {
        consumers.remove(consumer);
        releaseIfFinished();
    }

    /** Closes the files if they are no longer needed. Called when a consumer may have taken the last item. */
    void releaseIfFinished() {
        if (isClosed) {
            releaseIfDrained();
        }
    }

    /** Does the same as {@link #releaseIfFinished} after a call that has succeeded. If it fails, the next call throws the exception. */
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
            if (!isReleased && pushes.isIdle() && prefetcher.isDrained()
                    && consumers.stream().allMatch(ItemQueue::isDrained)) {
                release();
            }
        } catch (IllegalStateException e) {
            // Another thread has released it meanwhile.
            if (!isReleased) {
                throw e;
            }
        }
    }

    /**
     * Ends everything, and closes the files. The items are there when the queue is opened again. If a call failed, a second call finishes
     * it.
     */
    synchronized void release() {
        isClosed = true;
        try {
            if (!isReleased && pushes.brokenBy == null) {
                left = count();
            }
        } finally {
            isReleased = true;
            items.signalAll();
            room.signalAll();
            try {
                queue.close();
            } finally {
                boolean _ = LEFT.remove(queue.directory(), this);
            }
        }
        throwUnclosed();
    }
}
