package dev.outcrop.jruby.queue;

import dev.outcrop.jruby.common.WaitQueue;
import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.QueueCorruptException;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue's records ahead in batches, and hands them out one by one. After a crash, records that were read but not acknowledged are
 * delivered again. Thread-safe, with one monitor. Unlike a lock, a monitor is always released, even if the thread has no stack left.
 */
final class Prefetcher {
    private static final int MAX_AHEAD = 128;
    private static final long MAX_BYTES_AHEAD = 1 << 20;
    /** Limits how many items of an earlier run are read ahead. It is less than a consumer group can have in flight. */
    private static final int MAX_LEFT = 1 << 14;

    private final Consumer consumer;
    private final ArrayDeque<Item> ahead = new ArrayDeque<>();
    /** The size of {@link #ahead}, for readers without the lock. */
    private final AtomicInteger ready = new AtomicInteger();
    /** When records come again that were given back with a delay, in {@link System#nanoTime()}. */
    private final PriorityQueue<Long> dues = new PriorityQueue<>();
    private volatile long firstDue = WaitQueue.NEVER;
    /** The first offset that was not seen yet; written with the lock held. */
    private volatile long next;
    private int most = 1;
    private long bytes;
    /** How many records of the current batch were delivered before, and how many are new but from an earlier run. */
    private int again;
    private int left;
    private @Nullable ObjectRing ring;
    /** Records of an earlier run that the ring counts as items but that were not seen yet. Some of them may have been withdrawn. */
    private long unseen;

    Prefetcher(Consumer consumer) {
        this.consumer = consumer;
    }

    /** Reads some of the items that an earlier run has left. Returns the number of items if these are all, and -1 if there are more. */
    synchronized int readAhead() {
        try {
            long all = 0;
            while (all < MAX_BYTES_AHEAD && ahead.size() < MAX_LEFT) {
                if (read(most) == 0) {
                    return ahead.size();
                }
                all += bytes;
            }
            return -1;
        } finally {
            ready.setRelease(ahead.size());
        }
    }

    /** Returns how many items were read ahead. */
    int ahead() {
        return ready.get();
    }

    /** Begins to take new objects from memory. Called before the first of them is pushed. */
    void use(ObjectRing objects, long recordsUnseen) {
        ring = objects;
        unseen = recordsUnseen;
    }

    /** Makes room for more objects, while no push runs. */
    synchronized void grow(ObjectRing objects, int max, long end) {
        Item first = ahead.stream().filter(Prefetcher::isInRing).findFirst().orElse(null);
        objects.grow(max, first == null ? next : Math.min(first.offset, next), end);
    }

    private static boolean isInRing(Item item) {
        return item.record == null && item.object == null;
    }

    private ObjectRing objects() {
        return Objects.requireNonNull(ring);
    }

    /**
     * Takes the next item; null if there is none. If the item is taken for good and its object is in memory, acknowledges it at once,
     * because there is no deserializing that could fail.
     */
    @Nullable
    synchronized Item take(boolean isForGood) {
        try {
            Item item = next();
            while (item != null && isInRing(item) && !isFound(item)) {
                item = next();
            }
            if (item != null && isForGood && item.object != null) {
                acknowledgeTaken(item);
            }
            if (item != null && ring != null) {
                ring.free(1);
            }
            return item;
        } finally {
            // Release is enough: waiting threads look again.
            ready.setRelease(ahead.size());
        }
    }

    private @Nullable Item next() {
        Item item = ahead.poll();
        return item == null && read(most) > 0 ? ahead.poll() : item;
    }

    /**
     * Takes an item's object from the ring. Called with the lock held, because objects must leave the ring in the order of their offsets.
     */
    private boolean isFound(Item item) {
        item.object = objects().take(item.offset);
        if (item.object != null) {
            return true;
        }
        // The record comes again, and is then read from the file.
        boolean _ = consumer.giveBack(item.offset);
        delay(System.nanoTime());
        return false;
    }

    private void acknowledgeTaken(Item item) {
        boolean isDone = false;
        try {
            boolean _ = consumer.acknowledge(item.offset);
            isDone = true;
        } finally {
            item.isAcknowledged = isDone;
            if (!isDone) {
                ahead.addFirst(item);
            }
        }
    }

    private int read(int max) {
        long before = next;
        bytes = 0;
        again = 0;
        left = 0;
        try {
            int count = consumer.poll(max, this::add);
            most = count == 0 ? 1 : Math.clamp(MAX_BYTES_AHEAD * count / Math.max(bytes, 1), 1, MAX_AHEAD);
            if (count == 0) {
                // Skip withdrawn records, so that they are not searched again.
                next = Math.max(next, consumer.group().position());
            }
            forgetWithdrawn();
            return count;
        } catch (Throwable e) {
            // The consumer has given back all records of this poll. They will come again.
            ahead.clear();
            next = before;
            for (; again > 0; again--) {
                delay(System.nanoTime());
            }
            throw e;
        }
    }

    /** Stops counting withdrawn records of an earlier run as items. Their number is known when all records of that run were seen. */
    private void forgetWithdrawn() {
        ObjectRing objects = ring;
        if (unseen > 0 && objects != null) {
            unseen -= left;
            if (next >= objects.first()) {
                objects.free((int) unseen);
                unseen = 0;
            }
        }
    }

    private void add(long offset, MemorySegment payload, int deliveries) {
        boolean isFresh = offset >= next;
        boolean isInMemory = isFresh && ring != null && ring.covers(offset);
        ahead.add(new Item(offset, isInMemory ? null : StringRecord.read(payload), deliveries));
        bytes += isInMemory ? Long.BYTES : payload.byteSize();
        if (isFresh) {
            next = offset + 1;
            left += isInMemory ? 0 : 1;
        } else {
            again++;
            dues.poll();
            setFirstDue();
        }
    }

    private void delay(long due) {
        dues.add(due);
        setFirstDue();
    }

    private void setFirstDue() {
        Long first = dues.peek();
        firstDue = first == null ? WaitQueue.NEVER : first;
    }

    /** Returns after how many nanoseconds there may be an item to take, if none is pushed or given back. Called without the lock. */
    long untilWorthTrying(long end) {
        if (end > next || ready.getAcquire() > 0) {
            return 0;
        }
        long due = firstDue;
        return due == WaitQueue.NEVER ? WaitQueue.NEVER : Math.max(0, due - System.nanoTime());
    }

    /** Acknowledges an item. Returns false if it was acknowledged or removed before. */
    boolean acknowledge(Item item) {
        return consumer.acknowledge(item.offset);
    }

    /** Makes an item the next one again. */
    synchronized void giveBack(Item item) {
        item.deliveries++;
        ahead.addFirst(item);
        countAgain();
        ready.setRelease(ahead.size());
    }

    /** Gives an item back, to be delivered again after a delay. Returns false if it was acknowledged or removed before. */
    synchronized boolean giveBack(Item item, Duration delay) {
        boolean isGivenBack = consumer.giveBack(item.offset, delay);
        if (isGivenBack) {
            delay(System.nanoTime() + delay.toNanos());
            countAgain();
        }
        return isGivenBack;
    }

    /** Counts an item that comes back. Called with the lock held, so that a thread that holds the lock can count items. */
    private void countAgain() {
        if (ring != null) {
            ring.comeBack();
        }
    }

    /** Returns the number of items that were not delivered. */
    synchronized long size() {
        passWithdrawn();
        // Records that the group counts as in flight are here, or were taken.
        return consumer.group().lag().records() - consumer.group().inFlight() + ahead.size();
    }

    /** Tells whether there is no item left, not even a delivered item that may be given back. */
    synchronized boolean isDrained() {
        passWithdrawn();
        return ahead.isEmpty() && consumer.group().lag().records() == 0;
    }

    /** Skips withdrawn records. They count until a read has passed them, so an empty queue would not seem empty. */
    private void passWithdrawn() {
        try {
            int _ = ahead.isEmpty() ? read(1) : 0;
        } catch (QueueCorruptException e) {
            // The corrupt record is there, so the queue is not empty. A thread that takes the record will find out.
            return;
        } finally {
            ready.setRelease(ahead.size());
        }
    }
}
