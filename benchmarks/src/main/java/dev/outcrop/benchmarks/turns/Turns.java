package dev.outcrop.benchmarks.turns;

import com.sun.management.ThreadMXBean;
import dev.outcrop.benchmarks.harness.BenchmarkException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Gives a side its turn: all of its threads work at the same time, and what that took is measured in each of them. */
public final class Turns {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Always the same threads, so that each of them has what it keeps for itself. */
    private final ExecutorService threads;
    private final CyclicBarrier start;
    private final int operations;

    /**
     * Starts the threads.
     *
     * @param threads    how many a side has
     * @param operations how many operations a run of a side's work is
     */
    public Turns(int threads, int operations) {
        this.threads = Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory());
        this.start = new CyclicBarrier(threads);
        this.operations = operations;
    }

    /**
     * Gives a side a turn.
     *
     * @param side         whose turn it is
     * @param seed         of the first run; the first operations of a turn are the same for all sides
     * @param step         how much the seed of a run is above that of the one before
     * @param atLeastNanos how long the turn takes at least
     * @return what it took
     * @throws BenchmarkException if the side fails
     */
    public Turn take(Side side, long seed, long step, long atLeastNanos) {
        List<Callable<Turn>> tasks = new ArrayList<>();
        for (Side.Work work : side.work()) {
            tasks.add(() -> measure(work, seed, step, atLeastNanos));
        }
        double nanos = 0;
        double bytes = 0;
        long checksum = 0;
        try {
            for (Future<Turn> done : threads.invokeAll(tasks)) {
                Turn turn = done.get();
                nanos += turn.nanos / tasks.size();
                bytes += turn.bytes / tasks.size();
                checksum += turn.checksum;
            }
        } catch (ExecutionException e) {
            throw new BenchmarkException(side.name() + " failed: " + e.getCause(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BenchmarkException("Interrupted while waiting for " + side.name(), e);
        }
        return new Turn(nanos, bytes, checksum);
    }

    private Turn measure(Side.Work work, long seed, long step, long atLeastNanos) throws Exception {
        start.await();
        long checksum = 0;
        long runs = 0;
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long begin = System.nanoTime();
        long nanos;
        do {
            long sum = work.run(seed + runs * step);
            checksum = runs++ == 0 ? sum : checksum;
            nanos = System.nanoTime() - begin;
        } while (nanos < atLeastNanos);
        double done = (double) runs * operations;
        return new Turn(nanos / done, (THREADS.getCurrentThreadAllocatedBytes() - allocated) / done, checksum);
    }

    /**
     * What a turn took.
     *
     * @param nanos    an operation, on each thread
     * @param bytes    of garbage an operation
     * @param checksum over the first run of each thread
     */
    public record Turn(double nanos, double bytes, long checksum) {
    }
}
