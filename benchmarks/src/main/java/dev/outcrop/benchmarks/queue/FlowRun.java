package dev.outcrop.benchmarks.queue;

import com.sun.management.ThreadMXBean;
import dev.outcrop.benchmarks.harness.FigureProbe;
import dev.outcrop.benchmarks.harness.Settings;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
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
    /** Of records that nobody measures. */
    private static final int SMALL_BYTES = 64;
    private static final long SMALL_RECORDS = 1L << 20;
    private static final int SMALL_ITERATIONS = 3;
    /** So many reads in a row that find few records, and none that finds nothing: the reader is right behind a producer. */
    private static final int CLOSE_READS = 4;
    private static final int FEW = 64;
    private static final long PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(30);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final Setup setup;
    private final Flow flow = Flow.valueOf(Settings.text("flow"));
    private final boolean isPrepared = Settings.flag("prepared");
    private final long records;
    private final long sumOfPayload;

    private FlowRun(Setup setup, long records) {
        this.setup = setup;
        this.records = records;
        this.sumOfPayload = Payload.sum(Payload.of(setup.payloadBytes()), 0, setup.payloadBytes());
    }

    /** A program of its own, for the flags of its JVM. */
    public static void main(String[] args) throws InterruptedException, BrokenBarrierException, ExecutionException {
        FlowRun run = new FlowRun(Setup.current(), Settings.number("records"));
        try (Crew crew = new Crew(false)) {
            if (run.flow == Flow.TAIL) {
                run.readAgainAndAgain(crew, Settings.number("warmups"), Settings.number("iterations"));
                return;
            }
            run.compile(crew);
            for (int i = 0; i < Settings.number("warmups"); i++) {
                run.iterate(crew);
            }
            for (int i = 0; i < Settings.number("iterations"); i++) {
                System.out.println(run.iterate(crew));
            }
        }
    }

    /**
     * Has the JIT compiler see as many records as it needs: of large ones an iteration has so few that it would still be at work in the
     * tenth.
     */
    private void compile(Crew crew) throws InterruptedException, BrokenBarrierException, ExecutionException {
        if (records < SMALL_RECORDS) {
            // With their headers they fit into a file.
            FlowRun small = new FlowRun(setup.withPayload(SMALL_BYTES),
                    Math.min(SMALL_RECORDS, setup.segmentBytes() / (2 * SMALL_BYTES)));
            for (int i = 0; i < SMALL_ITERATIONS; i++) {
                small.iterate(crew);
            }
        }
    }

    /** How many groups there must be. */
    static int groups(Flow flow, int warmups, int iterations) {
        return flow == Flow.TAIL ? warmups + iterations : Math.max(1, flow.readers());
    }

    /** Each time by a group of its own: so no file is given back, as Chronicle gives back none. */
    private void readAgainAndAgain(Crew crew, int warmups, int iterations)
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
                String figures = measure(crew, queue, before, i);
                if (i >= warmups) {
                    System.out.println(figures);
                }
            }
        } finally {
            queue.close();
            setup.delete();
        }
    }

    /** Returns how many records come before those that count. */
    private int fill(Subject queue) throws InterruptedException {
        // What a queue does with its first record is not what is measured here.
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

    /** What one thread has done. */
    private record Share(long start, long end, long garbage) {
    }

    private String iterate(Crew crew) throws InterruptedException, BrokenBarrierException, ExecutionException {
        setup.delete();
        Subject queue = setup.open();
        try {
            return measure(crew, queue, fill(queue), 0);
        } finally {
            queue.close();
            setup.delete();
        }
    }

    private String measure(Crew crew, Subject queue, int before, int firstGroup)
            throws InterruptedException, BrokenBarrierException, ExecutionException {
        List<Crew.Member<Share>> members = new ArrayList<>();
        for (int i = 0; i < flow.producers(); i++) {
            members.add(start -> produce(queue, start));
        }
        for (int i = 0; i < flow.readers(); i++) {
            int group = firstGroup + i;
            members.add(start -> consume(queue, group, before, start));
        }
        long[] cpu = new long[1];
        List<Share> shares = crew.run(members, () -> {
            if (isPrepared) {
                Rest.await();
            }
            cpu[0] = CpuTime.nanos();
        });
        double cpuNanos = (double) (CpuTime.nanos() - cpu[0]);
        long start = shares.stream().mapToLong(Share::start).min().orElseThrow();
        long end = shares.stream().mapToLong(Share::end).max().orElseThrow();
        double garbage = (double) shares.stream().mapToLong(Share::garbage).sum();
        return FigureProbe.line(Map.of(WALL, (double) (end - start) / records, CPU, cpuNanos / records,
                FigureProbe.GARBAGE, garbage / records));
    }

    private Share produce(Subject queue, Crew.Start crew) throws InterruptedException, BrokenBarrierException {
        try (Subject.Producer producer = queue.producer()) {
            crew.await();
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

    private Share consume(Subject queue, int group, int before, Crew.Start crew)
            throws InterruptedException, BrokenBarrierException {
        long expected = flow.producers() > 0 ? records / flow.producers() * flow.producers() : records;
        try (Subject.Reader reader = queue.reader(group)) {
            read(reader, before);
            long sum = reader.sum();
            crew.await();
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
