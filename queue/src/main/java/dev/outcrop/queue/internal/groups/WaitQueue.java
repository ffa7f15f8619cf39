package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.append.Readers;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for a record of one group. Only the first of them watches for records, with {@link Readers}; the others sleep.
 * It leaves its place to the next one when it takes a record, or tries to: so a record wakes one thread and not all, and ten
 * thousand that wait cost as much as one. Thread-safe.
 */
public final class WaitQueue {
    /** How long a thread sleeps at a time: the one that was to wake it may have had no stack for it. Long, because thousands may. */
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final Readers readers;
    private final Object lock = new Object();
    /** The thread that watches; set with the lock held. */
    private volatile @Nullable Thread first;

    WaitQueue(Readers readers) {
        this.readers = readers;
    }

    /** What a thread waits for. */
    interface Look extends Readers.Arrival {
        /** Whether there is nothing more to wait for, without a look at the records. */
        boolean isOver();
    }

    /**
     * Waits until there is a reason to try to take a record. After true, the caller is the first of the line until {@link #leave()}, which
     * is up to it.
     *
     * @param deadline in {@link System#nanoTime()}
     * @return false if there was none in time
     * @throws InterruptedException if the thread is interrupted; it is not in the line then
     */
    boolean await(Member member, Look look, long deadline) throws InterruptedException {
        if (!awaitTurn(member, look, deadline)) {
            return false;
        }
        boolean isThere = false;
        try {
            isThere = readers.await(look, deadline);
        } finally {
            if (!isThere) {
                leave();
            }
        }
        return isThere;
    }

    /** Returns whether the thread is the first, or need not be because it is over. */
    private boolean awaitTurn(Member member, Look look, long deadline) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        synchronized (lock) {
            member.waiting++;
            try {
                while (first != null && !look.isOver()) {
                    long left = deadline - System.nanoTime();
                    if (left <= 0) {
                        return false;
                    }
                    TimeUnit.NANOSECONDS.timedWait(lock, Math.min(left, LONGEST_NANOS));
                }
                if (first == null) {
                    first = Thread.currentThread();
                }
                return true;
            } finally {
                member.waiting--;
            }
        }
    }

    /** Ends the place of the calling thread, if it is the first. */
    void leave() {
        if (Thread.currentThread().equals(first)) {
            synchronized (lock) {
                lock.notify();
                // Last: if there was no stack for the call, the next attempt makes it.
                first = null;
            }
        }
    }

    /** Wakes all threads, because the group has ended. */
    void wakeAll() {
        synchronized (lock) {
            lock.notifyAll();
        }
        readers.wake();
    }

    /** Wakes the threads that wait for a member, because it has ended. */
    void wakeAll(Member member) {
        synchronized (lock) {
            if (member.waiting > 0) {
                lock.notifyAll();
            }
        }
        readers.wake();
    }
}
