package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Start;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/** One start of a side in a {@link DurableCase}. */
final class DurableRun {
    private static final long LONGEST_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int DIGITS = 3;

    private DurableRun() {
    }

    /** A program of its own, for the flags of its JVM. */
    public static void main(String[] args) throws InterruptedException, BrokenBarrierException, ExecutionException {
        DurableCase.DurableWorkload workload = Settings.current(DurableCase.DurableWorkload.class);
        QueueSetup setup = workload.queue();
        long nanos = TimeUnit.MILLISECONDS.toNanos(workload.millis());
        setup.delete();
        try (ThreadTeam team = new ThreadTeam(workload.isVirtual()); Subject queue = setup.open()) {
            // What does not count: the JIT compiler gets to know the code, the file system the files.
            run(team, queue, workload.producers(), nanos / 2);
            run(team, queue, workload.producers(), nanos).forEach(Start::print);
        } finally {
            setup.delete();
        }
    }

    private static Map<String, Double> run(ThreadTeam team, Subject queue, int producers, long nanos)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        List<ThreadTeam.Member<Share>> members = new ArrayList<>();
        for (int i = 0; i < producers; i++) {
            members.add(start -> produce(queue, nanos, start));
        }
        List<Share> shares = team.run(members, () -> {
        });
        Histogram all = histogram();
        shares.forEach(share -> all.add(share.latencies()));
        long start = shares.stream().mapToLong(Share::start).min().orElseThrow();
        long end = shares.stream().mapToLong(Share::end).max().orElseThrow();
        Map<String, Double> figures = new LinkedHashMap<>();
        figures.put(DurableCase.RATE, (double) (end - start) / all.getTotalCount());
        figures.put(DurableCase.P50, (double) all.getValueAtPercentile(50));
        figures.put(DurableCase.P99, (double) all.getValueAtPercentile(99));
        figures.put(DurableCase.P999, (double) all.getValueAtPercentile(99.9));
        return figures;
    }

    /** The work of one thread. */
    private record Share(long start, long end, Histogram latencies) {
    }

    private static Share produce(Subject queue, long nanos, ThreadTeam.Start team)
            throws InterruptedException, BrokenBarrierException {
        Histogram latencies = histogram();
        try (Subject.Producer producer = queue.producer()) {
            team.await();
            long start = System.nanoTime();
            long end = start;
            do {
                long begin = end;
                producer.appendDurably();
                end = System.nanoTime();
                latencies.recordValue(Math.min(end - begin, LONGEST_NANOS));
            } while (end - start < nanos);
            return new Share(start, end, latencies);
        }
    }

    private static Histogram histogram() {
        return new Histogram(1, LONGEST_NANOS, DIGITS);
    }
}
