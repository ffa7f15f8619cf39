package dev.outcrop.benchmarks.queue;

import com.sun.management.ThreadMXBean;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Start;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One start of a side in a {@link FlowCase}: a new queue for each iteration. If records are only read, there is one queue, which each
 * iteration reads from end to end.
 */
final class FlowRun {
    /** Nanoseconds a record. */
    static final String WALL = "wall";
    /** Nanoseconds of CPU time a record, of all threads. */
    static final String CPU = "cpu";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** So many records are read before they are acknowledged. */
    private static final int BATCH = 256;
    /** Of records that are not measured. */
    private static final int SMALL_BYTES = 64;
    private static final long SMALL_RECORDS = 1L << 20;
    private static final int SMALL_ITERATIONS = 3;
    /** So many reads in a row that find few records, and none that finds nothing: the reader is right behind a producer. */
    private static final int CLOSE_READS = 4;
    private static final int FEW = 64;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(30);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final QueueSetup setup;
    private final Flow flow;
    private final boolean isPrepared;
    private final long records;
    private final long sumOfPayload;

    private FlowRun(QueueSetup setup, FlowCase flowCase, long records) {
        this.setup = setup;
        this.flow = flowCase.flow();
        this.isPrepared = flowCase.isPrepared();
        this.records = records;
        this.sumOfPayload = Payload.sum(Payload.of(setup.payloadBytes()), 0, setup.payloadBytes());
    }

    /** A program of its own, for the flags of its JVM. */
    public static void main(String[] args) throws InterruptedException, BrokenBarrierException, ExecutionException {
        FlowCase.FlowWorkload workload = Settings.current(FlowCase.FlowWorkload.class);
        FlowRun run = new FlowRun(workload.queue(), workload.flow(), workload.records());
        try (ThreadTeam team = new ThreadTeam(false)) {
            if (run.flow == Flow.TAIL) {
                run.readAgainAndAgain(team, workload.warmups(), workload.iterations());
                return;
            }
            run.compile(team, workload.flow());
            for (int i = -workload.warmups(); i < workload.iterations(); i++) {
                run.iterate(team, i >= 0);
            }
        }
    }

    /**
     * Has the JIT compiler see as many records as it needs: of large ones an iteration has so few that it would still be at work in the
     * tenth.
     */
    private void compile(ThreadTeam team, FlowCase flowCase)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        if (records < SMALL_RECORDS) {
            // With their headers they fit into a file.
            FlowRun small = new FlowRun(setup.withPayload(SMALL_BYTES), flowCase,
                    Math.min(SMALL_RECORDS, setup.segmentBytes() / (2 * SMALL_BYTES)));
            for (int i = 0; i < SMALL_ITERATIONS; i++) {
                small.iterate(team, false);
            }
        }
    }

    /** Each time by a group of its own: so no file is given back, as Chronicle gives back none. */
    private void readAgainAndAgain(ThreadTeam team, int warmups, int iterations)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        setup.delete();
        Subject queue = setup.open();
        try {
            int before = fill(queue);
            // Otherwise the kernel writes all of it while it is being read, and takes the memory's time.
            Disk.sync();
            for (int i = 0; i < warmups + iterations; i++) {
                if (!isPrepared) {
                    queue.close();
                    queue = setup.open();
                }
                measure(team, queue, before, i, i >= warmups);
            }
        } finally {
            queue.close();
            setup.delete();
        }
    }

    /** Returns how many records come before those that count. */
    private int fill(Subject queue) throws InterruptedException {
        // The first record has a queue do more than others.
        int before = 1;
        try (Subject.Producer producer = queue.producer()) {
            producer.append();
            if (isPrepared) {
                before += queue.prepare(records * (setup.payloadBytes() + Long.BYTES));
            }
            if (flow == Flow.TAIL) {
                append(producer, records);
            }
        }
        return before;
    }

    /** The work of one thread. */
    private record Share(long start, long end, long garbage) {
    }

    private void iterate(ThreadTeam team, boolean isCounted)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        setup.delete();
        Subject queue = setup.open();
        try {
            measure(team, queue, fill(queue), 0, isCounted);
        } finally {
            queue.close();
            setup.delete();
        }
    }

    private void measure(ThreadTeam team, Subject queue, int before, int firstGroup, boolean isCounted)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        List<ThreadTeam.Member<Share>> members = new ArrayList<>();
        for (int i = 0; i < flow.producers(); i++) {
            members.add(start -> produce(queue, start));
        }
        for (int i = 0; i < flow.readers(); i++) {
            int group = firstGroup + i;
            members.add(start -> consume(queue, group, before, start));
        }
        long[] cpu = new long[1];
        List<Share> shares = team.run(members, () -> {
            if (isPrepared) {
                IdleProcess.await();
            }
            cpu[0] = CpuTime.nanos();
        });
        double cpuNanos = (double) (CpuTime.nanos() - cpu[0]);
        long start = shares.stream().mapToLong(Share::start).min().orElseThrow();
        long end = shares.stream().mapToLong(Share::end).max().orElseThrow();
        double garbage = (double) shares.stream().mapToLong(Share::garbage).sum();
        if (isCounted) {
            Start.print(WALL, (double) (end - start) / records, garbage / records);
            Start.print(CPU, cpuNanos / records, garbage / records);
        }
    }

    private Share produce(Subject queue, ThreadTeam.Start team) throws InterruptedException, BrokenBarrierException {
        try (Subject.Producer producer = queue.producer()) {
            team.await();
            long garbage = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            append(producer, records / flow.producers());
            long end = System.nanoTime();
            return new Share(start, end, THREADS.getCurrentThreadAllocatedBytes() - garbage);
        }
    }

    private static void append(Subject.Producer producer, long records) {
        for (long i = 0; i < records; i++) {
            producer.append();
        }
    }

    private Share consume(Subject queue, int group, int before, ThreadTeam.Start team)
            throws InterruptedException, BrokenBarrierException {
        long expected = flow.producers() > 0 ? records / flow.producers() * flow.producers() : records;
        try (Subject.Reader reader = queue.reader(group)) {
            read(reader, before);
            long sum = reader.sum();
            team.await();
            long garbage = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            read(reader, expected);
            long end = System.nanoTime();
            if (reader.sum() - sum != expected * sumOfPayload) {
                throw new IllegalStateException(
                        "What was read from " + setup.directory() + " is not what was appended");
            }
            return new Share(start, end, THREADS.getCurrentThreadAllocatedBytes() - garbage);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // there are fewer processors than threads, and parking would take longer than a record
    private static void read(Subject.Reader reader, long records) {
        long due = records;
        long waitingSince = 0;
        int close = 0;
        while (due > 0) {
            int read = reader.read((int) Math.min(due, BATCH));
            if (read > 0) {
                due -= read;
                waitingSince = 0;
                close = read < FEW ? close + 1 : 0;
                if (close == CLOSE_READS && due > 0) {
                    // What was written just now is in the cache of the producer's core, and is written to again: that slows down both.
                    close = 0;
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
                continue;
            }
            close = 0;
            long now = System.nanoTime();
            if (waitingSince == 0) {
                waitingSince = now;
            } else if (now - waitingSince > PATIENCE_NANOS) {
                throw new IllegalStateException(due + " records of " + records + " have not arrived");
            }
            Thread.yield();
        }
    }
}
