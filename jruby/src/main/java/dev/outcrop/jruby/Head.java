package dev.outcrop.jruby;

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
 * Where a queue's items are taken: reads records in batches ahead, and gives them out one by one. Those that were read and not acknowledged
 * are delivered again after a crash. Thread-safe.
 */
final class Head {
    private static final int MOST_AHEAD = 128;
    private static final long BYTES_AHEAD = 1 << 20;
    /** Of what an earlier run has left; less than what a consumer group tells apart. */
    private static final int MOST_LEFT = 1 << 14;

    private final Consumer consumer;
    private final Gate lock = new Gate();
    private final ArrayDeque<Item> ahead = new ArrayDeque<>();
    /** How many are in {@link #ahead}, to be looked at without the lock. */
    private final AtomicInteger ready = new AtomicInteger();
    /** When records come again that were given back with a delay; in {@link System#nanoTime()}. */
    private final PriorityQueue<Long> dues = new PriorityQueue<>();
    private volatile long firstDue = WaitingRoom.FOREVER;
    /** The first offset that was not seen yet; written with the lock held. */
    private volatile long next;
    private int most = 1;
    private long bytes;
    /** How many records of the batch that is read came again, and how many are of an earlier run and did not. */
    private int again;
    private int left;
    private @Nullable ObjectRing ring;
    /** Records of an earlier run that the ring counts as items and that were not seen yet; some of them may have been withdrawn. */
    private long unseen;

    Head(Consumer consumer) {
        this.consumer = consumer;
    }

    /** Reads some of what an earlier run has left. Returns how many items there are if these are all, and -1 if there are more. */
    int readAhead() {
        lock.lock();
        try {
            long all = 0;
            while (all < BYTES_AHEAD && ahead.size() < MOST_LEFT) {
                if (read(most) == 0) {
                    return ahead.size();
                }
                all += bytes;
            }
            return -1;
        } finally {
            ready.setRelease(ahead.size());
            lock.unlock();
        }
    }

    /** How many items were read ahead. */
    int ahead() {
        return ready.get();
    }

    /** From now on, fresh objects are in memory. Before the first of them is pushed. */
    void use(ObjectRing objects, long recordsUnseen) {
        ring = objects;
        unseen = recordsUnseen;
    }

    /** Makes room for more objects, while nobody pushes. */
    void grow(ObjectRing objects, int max, long end) {
        lock.lock();
        try {
            Item first = ahead.stream().filter(Head::isInRing).findFirst().orElse(null);
            objects.grow(max, first == null ? next : Math.min(first.offset, next), end);
        } finally {
            lock.unlock();
        }
    }

    private static boolean isInRing(Item item) {
        return item.record == null && item.object == null;
    }

    private ObjectRing objects() {
        return Objects.requireNonNull(ring);
    }

    /**
     * Takes the next item; null if there is none.
     *
     * @param isForGood whether to acknowledge it at once, if its object is in memory: then nothing can fail any more
     */
    @Nullable
    Item take(boolean isForGood) {
        lock.lock();
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
            // Release is enough: who waits for it looks again.
            ready.setRelease(ahead.size());
            lock.unlock();
        }
    }

    private @Nullable Item next() {
        Item item = ahead.poll();
        return item == null && read(most) > 0 ? ahead.poll() : item;
    }

    /** Takes an item's object; with the lock held, because objects leave the ring in the order of their offsets, on which it relies. */
    private boolean isFound(Item item) {
        item.object = objects().take(item.offset);
        if (item.object != null) {
            return true;
        }
        // It comes again, and is read then.
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
            most = count == 0 ? 1 : Math.clamp(BYTES_AHEAD * count / Math.max(bytes, 1), 1, MOST_AHEAD);
            if (count == 0) {
                // Behind records that were withdrawn, for which nobody is to look again.
                next = Math.max(next, consumer.group().position());
            }
            forgetWithdrawn();
            return count;
        } catch (Throwable e) {
            // The consumer has given back all that it was shown; they are going to be shown once more.
            ahead.clear();
            next = before;
            for (; again > 0; again--) {
                delay(System.nanoTime());
            }
            throw e;
        }
    }

    /** What an earlier run has left was counted with what was withdrawn of it; when all of it was seen, one knows better. */
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
        firstDue = first == null ? WaitingRoom.FOREVER : first;
    }

    /** After how many nanoseconds there may be something to take, if nothing is pushed or given back; without a lock. */
    long untilWorthTrying(long end) {
        if (end > next || ready.getAcquire() > 0) {
            return 0;
        }
        long due = firstDue;
        return due == WaitingRoom.FOREVER ? WaitingRoom.FOREVER : Math.max(0, due - System.nanoTime());
    }

    /** Says that an item is done. Returns false if it was acknowledged or removed before. */
    boolean acknowledge(Item item) {
        return consumer.acknowledge(item.offset);
    }

    /** Makes an item the next one again. */
    void giveBack(Item item) {
        item.deliveries++;
        lock.lock();
        try {
            ahead.addFirst(item);
            countAgain();
            ready.setRelease(ahead.size());
        } finally {
            lock.unlock();
        }
    }

    /** Gives an item back that nobody gets before some time has passed. Returns false if it was acknowledged or removed before. */
    boolean giveBack(Item item, Duration delay) {
        // With the lock, without which it does not come again.
        lock.lock();
        try {
            boolean isGivenBack = consumer.giveBack(item.offset, delay);
            if (isGivenBack) {
                delay(System.nanoTime() + delay.toNanos());
                countAgain();
            }
            return isGivenBack;
        } finally {
            lock.unlock();
        }
    }

    /** With the lock, so that a thread that has it can count. */
    private void countAgain() {
        if (ring != null) {
            ring.comeBack();
        }
    }

    /** How many items there are that nobody has taken, or is working at. */
    long size() {
        lock.lock();
        try {
            passWithdrawn();
            // Delivered records are here, or were taken.
            return consumer.group().lag().records() - consumer.group().inFlight() + ahead.size();
        } finally {
            lock.unlock();
        }
    }

    /** Whether there is nothing to be taken, and nothing that was taken may come back. */
    boolean isDrained() {
        lock.lock();
        try {
            passWithdrawn();
            return ahead.isEmpty() && consumer.group().lag().records() == 0;
        } finally {
            lock.unlock();
        }
    }

    /** Records that were withdrawn are counted until somebody comes to where they are: an empty queue would not seem empty. */
    private void passWithdrawn() {
        try {
            int _ = ahead.isEmpty() ? read(1) : 0;
        } catch (QueueCorruptException e) {
            // It is there. A thread that takes that record finds out.
            return;
        } finally {
            ready.setRelease(ahead.size());
        }
    }
}
