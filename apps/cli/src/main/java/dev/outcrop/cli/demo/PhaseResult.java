package dev.outcrop.cli.demo;

import com.github.freva.asciitable.ColumnData;
import dev.outcrop.cli.common.Table;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.HdrHistogram.Histogram;

/**
 * The result of one side in one phase.
 *
 * @param timedNanos   the sum of all timed operations
 * @param elapsedNanos from the beginning of the phase to its end, including comparing
 */
record PhaseResult(Phase phase, long records, long bytes, long timedNanos, long elapsedNanos, Histogram latencies) {
    /** The measured steps of the demo, in the order in which every side takes them. */
    enum Phase {
        /** Puts all classes in the order of their paths, then flushes the memtable to disk. */
        STORE("store, flush"),
        /** Gets every class once in random order; the block cache is empty at first. */
        READ("read, cold"),
        /** Gets every class once more in another random order; the block cache now holds everything. */
        READ_AGAIN("read, cached"),
        /** Reads all entries in key order. */
        SCAN("scan");

        private final String title;

        Phase(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }
    }

    /** Summarizes the rounds of one phase: returns the round of median speed, with the latencies of all rounds. */
    static PhaseResult median(List<PhaseResult> rounds) {
        Histogram all = new Histogram(3);
        rounds.forEach(round -> all.add(round.latencies));
        List<PhaseResult> sorted = rounds.stream().sorted(Comparator.comparingLong(PhaseResult::timedNanos)).toList();
        PhaseResult median = sorted.get((sorted.size() - 1) / 2);
        return new PhaseResult(median.phase, median.records, median.bytes, median.timedNanos, median.elapsedNanos, all);
    }

    /** Returns the time of the longest round divided by the time of the shortest round. */
    static double spread(List<PhaseResult> rounds) {
        LongSummaryStatistics nanos = rounds.stream().mapToLong(PhaseResult::timedNanos).summaryStatistics();
        return nanos.getMax() / (double) nanos.getMin();
    }

    double seconds() {
        return timedNanos / 1e9;
    }

    double megabytesPerSecond() {
        return bytes / 1e6 / seconds();
    }

    double microseconds(double percentile) {
        return latencies.getValueAtPercentile(percentile) / 1e3;
    }

    private record Row(PhaseResult ours, PhaseResult peer) {
    }

    /**
     * Returns the table of the demo, with one row for each phase and the peer's numbers beside ours. Only the steady phases have a ratio.
     */
    static String table(Map<Phase, PhaseResult> ours, Map<Phase, PhaseResult> peer, Set<Phase> steady) {
        List<Row> rows = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            rows.add(new Row(Objects.requireNonNull(ours.get(phase)), Objects.requireNonNull(peer.get(phase))));
        }
        List<ColumnData<Row>> columns = new ArrayList<>();
        columns.add(Table.names("Phase", row -> row.ours.phase().title()));
        columns.add(Table.numbers("Records", row -> row.ours.records()));
        columns.add(Table.numbers("Bytes", row -> row.ours.bytes()));
        columns.addAll(measured("outcrop", Row::ours));
        columns.addAll(measured("rocksdbjni", Row::peer));
        if (!steady.isEmpty()) {
            columns.add(Table.formatted("Ratio", row -> steady.contains(row.ours.phase())
                    ? String.format(Locale.ROOT, "%.2fx", row.peer.seconds() / row.ours.seconds())
                    : "-"));
        }
        return Table.of(rows, columns);
    }

    private static List<ColumnData<Row>> measured(String side, Function<Row, PhaseResult> result) {
        return List.of(column(side + "\nseconds", "%.3f", result, PhaseResult::seconds),
                column("\nMB/s", "%,.0f", result, PhaseResult::megabytesPerSecond),
                column("\np50 us", "%.2f", result, phase -> phase.microseconds(50)),
                column("\np99 us", "%.2f", result, phase -> phase.microseconds(99)));
    }

    private static ColumnData<Row> column(String header, String format, Function<Row, PhaseResult> result,
            ToDoubleFunction<PhaseResult> value) {
        return Table.formatted(header,
                row -> String.format(Locale.ROOT, format, value.applyAsDouble(result.apply(row))));
    }
}
