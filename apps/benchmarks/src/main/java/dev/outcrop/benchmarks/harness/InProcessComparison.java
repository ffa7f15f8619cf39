package dev.outcrop.benchmarks.harness;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Measures sides that take turns in one process, so that other load on the machine affects all of them alike. In each round, each side has
 * a turn, in a new random order. So the garbage and cache contents that a side leaves affect a different side each time. In a turn, all
 * threads of the side work at the same time, and each thread measures its own time. The process prints a figure for each turn, with the
 * name of the side.
 */
public final class InProcessComparison {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** The records of this many rounds stay far below the size of a memtable. */
    private static final int ROUNDS_OF_A_DATABASE = 8;
    private static final long SEED = 0x9E3779B97F4A7C15L;

    /** Always the same threads, so that each thread finds its thread-local state again. */
    private final ExecutorService threads;
    private final CyclicBarrier start;
    private final Plan plan;
    private final int operations;

    /** Starts the threads of a side. A run of the side's work does {@code operations} operations. */
    public InProcessComparison(Plan plan, int threads, int operations) {
        this.plan = plan;
        this.threads = Executors.newFixedThreadPool(threads, Thread.ofPlatform().daemon().factory());
        this.start = new CyclicBarrier(threads);
        this.operations = operations;
    }

    /**
     * The number of turns, and their minimum length.
     *
     * @param warmUps how many turns of each side do not count; they come first
     * @param warmUp  the length of a warm-up turn for Java; for C, it is as long as other turns
     * @param rounds  how many turns of each side count
     * @param turn    the length of a turn that counts
     */
    public record Plan(int warmUps, Duration warmUp, int rounds, Duration turn) {
        private static final int ROUNDS = 20;

        /** Returns a plan with one long warm-up turn and 20 short turns. */
        public static Plan of(Duration warmUp, Duration turn) {
            return new Plan(1, warmUp, ROUNDS, turn);
        }
    }

    /** Something that may fail. */
    @FunctionalInterface
    public interface Renewal {
        void run() throws Exception;
    }

    /**
     * Runs all turns, then ends the process without closing anything, because several libraries may have the same database open. If the
     * sides write, {@code renew} starts with an empty database. It is called before each warm-up turn, every eight rounds, and at the end.
     */
    public void run(List<Side> sides, Renewal renew) throws Exception {
        List<Side> shuffled = new ArrayList<>(sides);
        Random order = new Random(JavaProgram.seed());
        Collections.shuffle(shuffled, order);
        for (int i = 0; i < plan.warmUps; i++) {
            for (Side side : shuffled) {
                renew.run();
                take(side, 0, side.isJava() ? plan.warmUp : plan.turn);
            }
        }
        for (int round = 0; round < plan.rounds; round++) {
            if (round % ROUNDS_OF_A_DATABASE == 0) {
                renew.run();
            }
            Set<Long> checksums = new HashSet<>();
            Collections.shuffle(shuffled, order);
            for (Side side : shuffled) {
                Turn turn = take(side, round, plan.turn);
                checksums.add(turn.checksum());
                ProcessOutput.print(side.name(), turn.nanos, turn.bytes);
            }
            if (checksums.size() != 1 || checksums.contains(0L)) {
                throw new BenchmarkException("The sides have not done the same: their checksums are " + checksums);
            }
        }
        renew.run();
        Database.current().requireOnlyEngine();
        System.out.flush();
        Runtime.getRuntime().halt(0);
    }

    /** Takes a turn. The first operations of a turn are the same for all sides. */
    private Turn take(Side side, int round, Duration atLeast) throws Exception {
        long seed = SEED * ((round + 1L) * 1_000_000);
        List<Callable<Turn>> tasks = new ArrayList<>();
        for (Side.Work work : side.work()) {
            tasks.add(() -> measure(work, seed, atLeast.toNanos()));
        }
        side.around().open();
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
        }
        side.around().close();
        return new Turn(nanos, bytes, checksum);
    }

    private Turn measure(Side.Work work, long seed, long atLeastNanos) throws Exception {
        start.await();
        long checksum = 0;
        long runs = 0;
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        long begin = System.nanoTime();
        long nanos;
        do {
            long sum = work.run(seed + runs * SEED);
            checksum = runs++ == 0 ? sum : checksum;
            nanos = System.nanoTime() - begin;
        } while (nanos < atLeastNanos);
        double done = (double) runs * operations;
        return new Turn(nanos / done, (THREADS.getCurrentThreadAllocatedBytes() - allocated) / done, checksum);
    }

    /** Nanoseconds and bytes of garbage per operation, on each thread, and a checksum over the first run of each thread. */
    private record Turn(double nanos, double bytes, long checksum) {
    }
}
