package dev.outcrop.queue;

import java.util.EnumSet;
import java.util.Set;

/** Waits until another thread waits. */
final class Waits {
    private static final Set<Thread.State> RUNS = EnumSet.of(Thread.State.NEW, Thread.State.RUNNABLE,
            Thread.State.BLOCKED);

    private Waits() {
    }

    /** Until a thread waits, or has ended. */
    static void until(Thread waiting) throws InterruptedException {
        while (RUNS.contains(waiting.getState())) {
            Thread.sleep(1);
        }
    }
}
