package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Start;
import java.lang.management.ManagementFactory;

/** One start of a side in a {@link DepthCase}. */
final class DepthRun {
    /** The first ones load classes. */
    private static final int OPENINGS = 3;
    private static final int COLLECTIONS = 3;

    private DepthRun() {
    }

    /** A program of its own, for the flags of its JVM. */
    public static void main(String[] args) {
        DepthCase.DepthWorkload workload = Settings.current(DepthCase.DepthWorkload.class);
        QueueSetup setup = workload.queue();
        long records = workload.records();
        setup.delete();
        Subject queue = setup.open();
        try {
            long shallow;
            long deep;
            try (Subject.Producer producer = queue.producer()) {
                append(producer, DepthCase.FEW);
                shallow = heap();
                append(producer, records - DepthCase.FEW);
                deep = heap();
            }
            long open = 0;
            for (int i = 0; i < OPENINGS; i++) {
                queue.close();
                long before = CpuTime.nanos();
                queue = setup.open();
                queue.producer().close();
                open = CpuTime.nanos() - before;
            }
            Start.print(DepthCase.SHALLOW, (double) shallow);
            Start.print(DepthCase.DEEP, (double) deep);
            Start.print(DepthCase.OPEN, (double) open);
        } finally {
            queue.close();
            setup.delete();
        }
    }

    private static void append(Subject.Producer producer, long records) {
        for (long i = 0; i < records; i++) {
            producer.append();
        }
    }

    /** Bytes in use after a collection. */
    private static long heap() {
        for (int i = 0; i < COLLECTIONS; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
