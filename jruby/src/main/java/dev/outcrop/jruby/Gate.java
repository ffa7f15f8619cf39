package dev.outcrop.jruby;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jruby.RubyThread;
import org.jruby.runtime.ThreadContext;

/** A lock whose waiting ends as Ruby's own does: by a signal, and by Thread#kill, Thread#raise and Timeout. */
final class Gate {
    @SuppressWarnings("WaitNotInLoop") // whoever calls await() loops
    private static final RubyThread.Task<Condition, Boolean> AWAIT = new RubyThread.Task<>() {
        @Override
        public Boolean run(ThreadContext context, Condition condition) throws InterruptedException {
            condition.await();
            return true;
        }

        @Override
        public void wakeup(RubyThread thread, Condition condition) {
            thread.getNativeThread().interrupt();
        }
    };
    private static final int SPINS = 200;

    private final ReentrantLock lock = new ReentrantLock();

    Condition condition() {
        return lock.newCondition();
    }

    /** What is done under the lock takes less than parking a thread. */
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

    /** Waits for a signal, with the lock held; may return without one. */
    void await(ThreadContext context, Condition condition) {
        try {
            context.getThread().executeTaskBlocking(context, condition, AWAIT);
        } catch (InterruptedException e) {
            // Thread#wakeup, or somebody in Java: the caller looks again.
            context.pollThreadEvents();
        } catch (Throwable e) {
            // Killed, perhaps just after a signal that somebody else needs now.
            condition.signal();
            throw e;
        }
    }
}
