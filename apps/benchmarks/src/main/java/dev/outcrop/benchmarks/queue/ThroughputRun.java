package dev.outcrop.benchmarks.queue;

import com.sun.management.ThreadMXBean;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Settings;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * One start of a side in a {@link ThroughputCase}. Each iteration has a new queue. If records are only read, there is only one queue, and
 * each iteration reads it from end to end.
 */
final class ThroughputRun {
    /** Nanoseconds per record. */
    static final String WALL = "wall";
    /** Nanoseconds of CPU time per record, for all threads. */
    static final String CPU = "cpu";

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** Records that are read before they are acknowledged. */
    private static final int BATCH = 256;
    /** The size of records that are not measured. */
    private static final int SMALL_BYTES = 64;
    private static final long SMALL_RECORDS = 1L << 20;
    private static final int SMALL_ITERATIONS = 3;
    /** After this many reads in a row with few records each, the reader is right behind a producer. */
    private static final int CLOSE_READS = 4;
    private static final int FEW = 64;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(30);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final QueueSetup setup;
    private final ThreadLayout flow;
    private final boolean isPrepared;
    private final long records;
    private final long sumOfPayload;

    private ThroughputRun(QueueSetup setup, ThroughputCase flowCase, long records) {
        this.setup = setup;
        this.flow = flowCase.flow();
        this.isPrepared = flowCase.isPrepared();
        this.records = records;
        this.sumOfPayload = QueueSetup.sum(QueueSetup.payload(setup.payloadBytes()), 0, setup.payloadBytes());
    }

    /** Runs in its own process, with its own JVM flags. */
    public static void main(String[] args) throws InterruptedException, BrokenBarrierException, ExecutionException {
        ThroughputCase.ThroughputWorkload workload = Settings.current(ThroughputCase.ThroughputWorkload.class);
        ThroughputRun run = new ThroughputRun(workload.queue(), workload.flow(), workload.records());
        try (ThreadTeam team = new ThreadTeam(false)) {
            if (run.flow == ThreadLayout.TAIL) {
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
     * Runs small records, so that the JIT compiler sees as many records as it needs. An iteration has so few large records that the
     * compiler would still be at work in the tenth iteration.
     */
    private void compile(ThreadTeam team, ThroughputCase flowCase)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        if (records < SMALL_RECORDS) {
            // Records and headers fit into a file.
            ThroughputRun small = new ThroughputRun(setup.withPayload(SMALL_BYTES), flowCase,
                    Math.min(SMALL_RECORDS, setup.segmentBytes() / (2 * SMALL_BYTES)));
            for (int i = 0; i < SMALL_ITERATIONS; i++) {
                small.iterate(team, false);
            }
        }
    }

    /** Reads everything repeatedly, each time with a new group, so that the queue deletes no file. Chronicle deletes none either. */
    private void readAgainAndAgain(ThreadTeam team, int warmups, int iterations)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        setup.delete();
        QueueAdapter queue = setup.open();
        try {
            int before = fill(queue);
            // Otherwise the kernel writes the data while it is read, and competes for memory bandwidth.
            ProcessTime.syncDisk();
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

    /** Fills the queue, and returns the number of records before the records that count. */
    private int fill(QueueAdapter queue) throws InterruptedException {
        // The first record costs a queue more than other records.
        int before = 1;
        try (QueueAdapter.Producer producer = queue.producer()) {
            producer.append();
            if (isPrepared) {
                before += queue.prepare(records * (setup.payloadBytes() + Long.BYTES));
            }
            if (flow == ThreadLayout.TAIL) {
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
        QueueAdapter queue = setup.open();
        try {
            measure(team, queue, fill(queue), 0, isCounted);
        } finally {
            queue.close();
            setup.delete();
        }
    }

    private void measure(ThreadTeam team, QueueAdapter queue, int before, int firstGroup, boolean isCounted)
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
                ProcessTime.awaitIdle();
            }
            cpu[0] = ProcessTime.cpuNanos();
        });
        double cpuNanos = (double) (ProcessTime.cpuNanos() - cpu[0]);
        long start = shares.stream().mapToLong(Share::start).min().orElseThrow();
        long end = shares.stream().mapToLong(Share::end).max().orElseThrow();
        double garbage = (double) shares.stream().mapToLong(Share::garbage).sum();
        if (isCounted) {
            ProcessOutput.print(WALL, (double) (end - start) / records, garbage / records);
            ProcessOutput.print(CPU, cpuNanos / records, garbage / records);
        }
    }

    private Share produce(QueueAdapter queue, ThreadTeam.StartSignal team)
            throws InterruptedException, BrokenBarrierException {
        try (QueueAdapter.Producer producer = queue.producer()) {
            team.await();
            long garbage = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            append(producer, records / flow.producers());
            long end = System.nanoTime();
            return new Share(start, end, THREADS.getCurrentThreadAllocatedBytes() - garbage);
        }
    }

    private static void append(QueueAdapter.Producer producer, long records) {
        for (long i = 0; i < records; i++) {
            producer.append();
        }
    }

    private Share consume(QueueAdapter queue, int group, int before, ThreadTeam.StartSignal team)
            throws InterruptedException, BrokenBarrierException {
        long expected = flow.producers() > 0 ? records / flow.producers() * flow.producers() : records;
        try (QueueAdapter.Reader reader = queue.reader(group)) {
            read(reader, before);
            long sum = reader.sum;
            team.await();
            long garbage = THREADS.getCurrentThreadAllocatedBytes();
            long start = System.nanoTime();
            read(reader, expected);
            long end = System.nanoTime();
            if (reader.sum - sum != expected * sumOfPayload) {
                throw new IllegalStateException(
                        "What was read from " + setup.directory() + " is not what was appended");
            }
            return new Share(start, end, THREADS.getCurrentThreadAllocatedBytes() - garbage);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // there are fewer processors than threads, and parking would take longer than a record
    private static void read(QueueAdapter.Reader reader, long records) {
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
                    // The newest records are in the cache of the producer's core, which is still writing there. Reading them slows down
                    // both threads.
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
