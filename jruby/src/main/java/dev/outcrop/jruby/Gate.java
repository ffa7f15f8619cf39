package dev.outcrop.jruby;

import java.util.concurrent.locks.ReentrantLock;

/** A lock for what takes less time than to put a thread to sleep. */
final class Gate {
    private static final int SPINS = 200;

    private final ReentrantLock lock = new ReentrantLock();

    void lock() {
        for (int spin = 0; spin < SPINS; spin++) {
            if (lock.tryLock()) {
                return;
            }
            Thread.onSpinWait();
        }
        lock.lock();
    }

    void unlock() {
        lock.unlock();
    }
}
