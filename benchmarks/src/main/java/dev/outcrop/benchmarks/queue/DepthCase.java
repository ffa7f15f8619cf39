package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/**
 * What many unread records cost: heap, and CPU time when the queue is opened again.
 *
 * @param label        its name in the table
 * @param payloadBytes size of every record
 * @param leastBytes   of all payloads, even in a short run
 */
record DepthCase(String label, int payloadBytes, long leastBytes) implements Case {
    /** Many small records. */
    static final DepthCase RECORDS = new DepthCase("depth", 64, 0);
    /** Many files. */
    static final DepthCase FILES = new DepthCase("depth, 10 GB", 16 << 10, 10L << 30);

    static final int FEW = 1000;
    /** Bytes of heap in use with few records. */
    static final String SHALLOW = "shallow";
    /** Bytes of heap in use with many. */
    static final String DEEP = "deep";
    /** Nanoseconds of CPU time to open the queue with many. */
    static final String OPEN = "open";

    private static final String HEAP_UNIT = "bytes of heap";

    /** The work of a start of a side. */
    record DepthWorkload(QueueSetup queue, int records) {
    }

    @Override
    public List<Row> run(Lab lab) {
        int records = (int) Math.max(2L * FEW, Math.max(leastBytes, lab.effort().dataBytes()) / payloadBytes);
        Results results = lab.contest().add(QueueSuite.NAME, program(QueueKind.OUTCROP, records, lab))
                .add(QueueSuite.PEER, program(QueueKind.CHRONICLE, records, lab)).run(lab.effort().halfOfRounds());
        return List.of(row(FEW, SHALLOW, HEAP_UNIT, results), row(records, DEEP, HEAP_UNIT, results),
                row(records, OPEN, "CPU ns to open", results));
    }

    private JavaProgram program(QueueKind kind, int records, Lab lab) {
        QueueSetup setup = QueueSetup.of(kind, lab.data(), payloadBytes, false);
        return setup.program(DepthRun.class, new DepthWorkload(setup, records));
    }

    private Row row(int records, String figure, String unit, Results results) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("payloadBytes", payloadBytes);
        params.put("records", records);
        return new Row(QueueSuite.NAME, label(), params,
                String.format(Locale.ROOT, "%,d records, unread", records), QueueKind.OUTCROP.toString(),
                results.of(QueueSuite.NAME).of(figure), QueueSuite.PEER,
                results.of(QueueSuite.PEER).of(figure).median(), null, unit);
    }
}
