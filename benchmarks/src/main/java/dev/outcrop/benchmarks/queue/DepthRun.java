package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.FigureProbe;
import dev.outcrop.benchmarks.harness.Settings;
import java.lang.management.ManagementFactory;
import java.util.Map;

/** One start of a side in a {@link DepthCase}. */
final class DepthRun {
    /** The first ones load classes. */
    private static final int OPENINGS = 3;
    private static final int COLLECTIONS = 3;

    private DepthRun() {
    }

    /** A program of its own, for the flags of its JVM. */
    public static void main(String[] args) {
        Setup setup = Setup.current();
        long records = Settings.number("records");
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
            System.out.println(FigureProbe.line(Map.of(DepthCase.SHALLOW, (double) shallow, DepthCase.DEEP,
                    (double) deep, DepthCase.OPEN, (double) open)));
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
