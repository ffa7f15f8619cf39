package dev.outcrop.queue.internal.append;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Threads that wait until another one has written their records: a stack without a lock (R. K. Treiber, "Systems Programming: Coping with
 * Parallelism", 1986). A lock would let them go one after the other; here all go at once.
 */
public final class Followers {
    private final AtomicReference<@Nullable Follower> top = new AtomicReference<>();

    /** A thread that waits until all records before an offset are durable. */
    static final class Follower {
        private final Thread thread = Thread.currentThread();
        private final long offset;
        private @Nullable Follower next;
        private volatile boolean isWoken;

        private Follower(long offset) {
            this.offset = offset;
        }

        public boolean isWoken() {
            return isWoken;
        }
    }

    /** Adds the calling thread. Before it parks it must look again whether there is a thread to wake it. */
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

    /** Wakes the threads with durable records. */
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

    /** Wakes one thread with records that are not durable, so that it writes. No thread is writing when this is called. */
    void wakeOne(Syncer syncer) {
        Follower one = top.get();
        while (one != null && one.offset <= syncer.durable()) {
            // That thread may be gone already, and a waiting thread below it must not be forgotten.
            wake(syncer.durable());
            one = top.get();
        }
        if (one != null) {
            LockSupport.unpark(one.thread);
        }
    }
}
