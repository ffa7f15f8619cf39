package dev.outcrop.queue.internal.append;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait until another one has brought their records to the disk: a stack without a lock (R. K. Treiber, "Systems Programming:
 * Coping with Parallelism", 1986). A lock's own queue would let them go one after the other, each to find that it has nothing to do; here
 * all go at once.
 */
public final class Followers {
    private final AtomicReference<@Nullable Follower> top = new AtomicReference<>();

    /** A thread that waits for all records before an offset. */
    static final class Follower {
        private final Thread thread = Thread.currentThread();
        private final long offset;
        private @Nullable Follower next;
        /** It is no longer in the stack. */
        private volatile boolean isWoken;

        private Follower(long offset) {
            this.offset = offset;
        }

        public boolean isWoken() {
            return isWoken;
        }
    }

    /** The calling thread is about to wait. It must look again before it parks, whether there is a thread to wake it. */
    public Follower add(long offset) {
        Follower follower = new Follower(offset);
        push(follower);
        return follower;
    }

    private void push(Follower follower) {
        Follower below;
        do {
            below = top.get();
            follower.next = below;
        } while (!top.compareAndSet(below, follower));
    }

    /** Wakes all who wait for no more than what is durable. */
    public void wake(long durable) {
        Follower each = top.getAndSet(null);
        while (each != null) {
            Follower next = each.next;
            if (each.offset > durable) {
                push(each);
            } else {
                each.isWoken = true;
                LockSupport.unpark(each.thread);
            }
            each = next;
        }
    }

    /** Wakes all, because something has failed. */
    void wakeAll() {
        wake(Long.MAX_VALUE);
    }

    /**
     * Wakes one of those whose records are not durable yet, if there is any, so that one writes. No thread is writing when this is called.
     */
    void wakeOne(Syncer syncer) {
        Follower one = top.get();
        while (one != null && one.offset <= syncer.durable()) {
            // It may have seen that itself, and be gone; and a waiting thread below it must not be forgotten.
            wake(syncer.durable());
            one = top.get();
        }
        if (one != null) {
            LockSupport.unpark(one.thread);
        }
    }
}
