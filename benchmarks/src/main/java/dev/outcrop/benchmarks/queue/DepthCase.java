package dev.outcrop.benchmarks.queue;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.FigureProbe;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Row;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * What many records that nobody has read cost: heap, and CPU time when the queue is opened again.
 *
 * @param label        what it is called in the table
 * @param payloadBytes size of every record
 * @param leastBytes   of all payloads, even in a short run
 */
record DepthCase(String label, int payloadBytes, long leastBytes) implements QueueCase {
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

    @Override
    public List<Row> run(Lab lab, Path directory, Optional<CProgram> c) {
        int records = (int) Math.max(2L * FEW, Math.max(leastBytes, lab.effort().dataBytes()) / payloadBytes);
        FigureProbe ours = program(Side.OUTCROP, records, directory);
        FigureProbe peer = program(Side.CHRONICLE, records, directory);
        new Contest().add(Side.OUTCROP.toString(), ours).add(Side.CHRONICLE.toString(), peer)
                .run(lab.effort().halfOfRounds());
        return List.of(row(FEW, SHALLOW, HEAP_UNIT, ours, peer), row(records, DEEP, HEAP_UNIT, ours, peer),
                row(records, OPEN, "CPU ns to open", ours, peer));
    }

    private FigureProbe program(Side side, int records, Path directory) {
        Setup setup = new Setup(side, directory, payloadBytes, 1, Setup.DEFAULT_SEGMENT, false);
        return FigureProbe.java(DepthRun.class, setup.jvmArgs(Map.of("records", records)), DEEP);
    }

    private Row row(int records, String figure, String unit, FigureProbe ours, FigureProbe peer) {
        SequencedMap<String, Object> params = new LinkedHashMap<>();
        params.put("payloadBytes", payloadBytes);
        params.put("records", records);
        return new Row(QueueSuite.NAME, label(), params,
                String.format(Locale.ROOT, "%,d records, unread", records), Side.OUTCROP.toString(), ours.of(figure),
                QueueSuite.PEER, peer.of(figure).nanos(), null, unit);
    }
}
