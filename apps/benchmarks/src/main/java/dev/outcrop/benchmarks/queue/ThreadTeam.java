package dev.outcrop.benchmarks.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that start their work at the same time, after all of them are prepared. If one fails, the program ends. */
final class ThreadTeam implements AutoCloseable {
    private final ExecutorService threads;

    ThreadTeam(boolean isVirtual) {
        threads = isVirtual ? Executors.newVirtualThreadPerTaskExecutor() : Executors.newCachedThreadPool();
    }

    /** The work of one of the threads. */
    interface Member<T> {
        T work(StartSignal start) throws InterruptedException, BrokenBarrierException;
    }

    /** The point where the threads wait for each other. */
    interface StartSignal {
        /** Returns when all threads are prepared and the clock runs. */
        void await() throws InterruptedException, BrokenBarrierException;
    }

    /** The work between the preparation and the start of all threads. */
    interface Interlude {
        void run() throws InterruptedException;
    }

    /** Runs all members to their end, and returns their results. */
    <T> List<T> run(List<? extends Member<T>> members, Interlude interlude)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        CyclicBarrier barrier = new CyclicBarrier(members.size() + 1);
        StartSignal start = () -> {
            barrier.await();
            barrier.await();
        };
        List<Future<T>> running = new ArrayList<>();
        for (Member<T> member : members) {
            running.add(threads.submit(() -> {
                try {
                    return member.work(start);
                } catch (Throwable e) {
                    // Otherwise the other threads would never end.
                    e.printStackTrace();
                    Runtime.getRuntime().halt(1);
                    throw e;
                }
            }));
        }
        barrier.await();
        interlude.run();
        barrier.await();
        List<T> results = new ArrayList<>();
        for (Future<T> each : running) {
            results.add(each.get());
        }
        return results;
    }

    @Override
    public void close() {
        threads.close();
    }
}
