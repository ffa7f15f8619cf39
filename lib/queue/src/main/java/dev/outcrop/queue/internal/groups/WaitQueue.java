package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.append.Readers;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads that wait for a record of one group. Only the first watches for records, with {@link Readers}; the others sleep. When it
 * tries to take a record, it leaves its place to the next thread, so a record wakes one thread, not all. Thread-safe.
 */
public final class WaitQueue {
    /**
     * How long a thread sleeps at a time: the thread that should wake it may have had no stack for it. Long, because there may be
     * thousands.
     */
    private static final long LONGEST_NANOS = 10_000_000_000L;

    private final Readers readers;
    private final Object lock = new Object();
    /** The watching thread; set with the lock held. */
    private volatile @Nullable Thread first;

    WaitQueue(Readers readers) {
        this.readers = readers;
    }

    /** The condition that a thread waits for. */
    interface Look extends Readers.Arrival {
        /** Whether there is nothing more to wait for, without a look at the records. */
        boolean isOver();
    }

    /**
     * Waits until it is worth trying to take a record. After true, the caller is the first of the line until {@link #leave()}.
     *
     * @param deadline in {@link System#nanoTime()}
     * @return false if there was no reason in time
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

    /** Returns whether the thread is the first, or the wait is over. */
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

    /** Leaves the line, if the calling thread is the first. */
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

    /** Wakes the threads that wait for a member, because it was closed. */
    void wakeAll(Member member) {
        synchronized (lock) {
            if (member.waiting > 0) {
                lock.notifyAll();
            }
        }
        readers.wake();
    }
}
