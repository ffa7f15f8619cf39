package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.ProcessOutput;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.Settings;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;

/**
 * The cost of many unread records: heap, and CPU time when the queue is opened again.
 *
 * @param label        its name in the table
 * @param payloadBytes size of every record
 * @param leastBytes   the least size of all payloads, even in a short run
 */
record DepthCase(String label, int payloadBytes, long leastBytes) implements Case {
    /** Many small records. */
    static final DepthCase RECORDS = new DepthCase("depth", 64, 0);
    /** Many files. */
    static final DepthCase FILES = new DepthCase("depth, 10 GB", 16 << 10, 10L << 30);

    static final int FEW = 1000;
    /** Bytes of heap in use with few records. */
    static final String SHALLOW = "shallow";
    /** Bytes of heap in use with many records. */
    static final String DEEP = "deep";
    /** Nanoseconds of CPU time to open the queue with many records. */
    static final String OPEN = "open";

    private static final String HEAP_UNIT = "bytes of heap";

    /** The work of a start of a side. It is also the program of the process. */
    record DepthWorkload(QueueSetup queue, int records) {
        /** All openings except the last one load classes. */
        private static final int OPENINGS = 3;
        private static final int COLLECTIONS = 3;

        public static void main(String[] args) {
            DepthWorkload workload = Settings.current(DepthWorkload.class);
            QueueSetup setup = workload.queue();
            long records = workload.records();
            setup.delete();
            QueueAdapter queue = setup.open();
            try {
                long shallow;
                long deep;
                try (QueueAdapter.Producer producer = queue.producer()) {
                    append(producer, FEW);
                    shallow = heap();
                    append(producer, records - FEW);
                    deep = heap();
                }
                long open = 0;
                for (int i = 0; i < OPENINGS; i++) {
                    queue.close();
                    long before = ProcessTime.cpuNanos();
                    queue = setup.open();
                    queue.producer().close();
                    open = ProcessTime.cpuNanos() - before;
                }
                ProcessOutput.print(SHALLOW, (double) shallow);
                ProcessOutput.print(DEEP, (double) deep);
                ProcessOutput.print(OPEN, (double) open);
            } finally {
                queue.close();
                setup.delete();
            }
        }

        private static void append(QueueAdapter.Producer producer, long records) {
            for (long i = 0; i < records; i++) {
                producer.append();
            }
        }

        /** Returns the bytes in use after a collection. */
        private static long heap() {
            for (int i = 0; i < COLLECTIONS; i++) {
                System.gc();
            }
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
    }

    @Override
    public List<Row> run(RunContext context) {
        int records = (int) Math.max(2L * FEW, Math.max(leastBytes, context.runLength().dataBytes()) / payloadBytes);
        Results results = context.comparison().add(QueueSuite.NAME, program(QueueKind.OUTCROP, records, context))
                .add(QueueSuite.PEER, program(QueueKind.CHRONICLE, records, context))
                .run(context.runLength().halfOfRounds());
        return List.of(row(FEW, SHALLOW, HEAP_UNIT, results), row(records, DEEP, HEAP_UNIT, results),
                row(records, OPEN, "CPU ns to open", results));
    }

    private JavaProgram program(QueueKind kind, int records, RunContext context) {
        QueueSetup setup = QueueSetup.of(kind, context.data(), payloadBytes, false);
        return setup.program(DepthWorkload.class, new DepthWorkload(setup, records));
    }

    private Row row(int records, String figure, String unit, Results results) {
        return new Row(QueueSuite.NAME, label(),
                Row.params("payloadBytes", payloadBytes, "records", records),
                String.format(Locale.ROOT, "%,d records, unread", records), QueueKind.OUTCROP.toString(),
                results.of(QueueSuite.NAME).of(figure), QueueSuite.PEER,
                results.of(QueueSuite.PEER).of(figure), null, unit);
    }
}
