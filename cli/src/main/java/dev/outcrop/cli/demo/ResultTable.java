package dev.outcrop.cli.demo;

import com.github.freva.asciitable.AsciiTable;
import com.github.freva.asciitable.Column;
import com.github.freva.asciitable.ColumnData;
import com.github.freva.asciitable.HorizontalAlign;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** The table at the end of the demo, with one row a phase and the peer's numbers next to ours. */
final class ResultTable {
    private record Row(PhaseResult ours, PhaseResult peer) {
    }

    private ResultTable() {
    }

    static String of(Map<Phase, PhaseResult> ours, Map<Phase, PhaseResult> peer) {
        List<Row> rows = new ArrayList<>();
        for (Phase phase : Phase.values()) {
            rows.add(new Row(require(ours.get(phase)), require(peer.get(phase))));
        }
        List<ColumnData<Row>> columns = new ArrayList<>();
        columns.add(new Column().header("Phase").dataAlign(HorizontalAlign.LEFT).with(row -> row.ours.phase().title()));
        columns.add(column("Records", row -> String.format(Locale.ROOT, "%,d", row.ours.records())));
        columns.add(column("Bytes", row -> String.format(Locale.ROOT, "%,d", row.ours.bytes())));
        columns.addAll(measured("outcrop", Row::ours));
        columns.addAll(measured("rocksdbjni", Row::peer));
        columns.add(column("Ratio",
                row -> String.format(Locale.ROOT, "%.2fx", row.peer.seconds() / row.ours.seconds())));
        return AsciiTable.builder().border(AsciiTable.BASIC_ASCII_NO_DATA_SEPARATORS).data(rows, columns).asString();
    }

    private static List<ColumnData<Row>> measured(String side, Function<Row, PhaseResult> result) {
        return List.of(column(side + "\nseconds", "%.3f", result, PhaseResult::seconds),
                column("\nMB/s", "%,.0f", result, PhaseResult::megabytesPerSecond),
                column("\np50 us", "%.2f", result, phase -> phase.microseconds(50)),
                column("\np99 us", "%.2f", result, phase -> phase.microseconds(99)));
    }

    private static ColumnData<Row> column(String header, String format, Function<Row, PhaseResult> result,
            ToDoubleFunction<PhaseResult> value) {
        return column(header, row -> String.format(Locale.ROOT, format, value.applyAsDouble(result.apply(row))));
    }

    private static ColumnData<Row> column(String header, Function<Row, @Nullable String> text) {
        return new Column().header(header).headerAlign(HorizontalAlign.RIGHT).dataAlign(HorizontalAlign.RIGHT)
                .with(text);
    }

    private static PhaseResult require(@Nullable PhaseResult result) {
        if (result == null) {
            throw new IllegalStateException("a phase has no result");
        }
        return result;
    }
}
