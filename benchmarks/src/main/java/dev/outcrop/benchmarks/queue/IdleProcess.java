package dev.outcrop.benchmarks.queue;

import java.util.concurrent.TimeUnit;

/** Waits until background work is done, so that it is not in the figures. */
final class IdleProcess {
    private static final long STEP_MILLIS = 20;
    private static final int STEPS = 3;
    private static final int MOST_STEPS = 1000;
    private static final long BUSY_NANOS = TimeUnit.MILLISECONDS.toNanos(2);

    private IdleProcess() {
    }

    /** Waits until this process has hardly used a processor for a while. */
    static void await() throws InterruptedException {
        int resting = 0;
        long before = CpuTime.nanos();
        for (int step = 0; resting < STEPS; step++) {
            if (step == MOST_STEPS) {
                throw new IllegalStateException("The background threads do not come to rest");
            }
            Thread.sleep(STEP_MILLIS);
            long now = CpuTime.nanos();
            resting = now - before < BUSY_NANOS ? resting + 1 : 0;
            before = now;
        }
    }
}
