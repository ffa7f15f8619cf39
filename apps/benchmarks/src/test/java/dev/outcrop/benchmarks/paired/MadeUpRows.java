package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Measurement;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunLength;
import java.util.ArrayList;
import java.util.List;

/** Rows of suite {@code paired} with made-up figures. */
public final class MadeUpRows {
    /** Nanoseconds of ours, of the peer, and of C. */
    public static final double OURS = 2000;
    public static final double PEER = 3000;
    public static final double LIMIT = 1500;

    private MadeUpRows() {
    }

    /** Returns the rows of those of the cases that are of the suite, in a run of this length. */
    public static List<Row> of(List<Case> cases, RunLength runLength) {
        List<Row> rows = new ArrayList<>();
        for (Case each : cases) {
            if (each instanceof PairedCase paired) {
                int keys = PairedWorkload.of(paired, runLength, null).keys();
                paired.task().forms().forEach(form -> rows.add(new Row("paired", paired.name(), paired.params(keys),
                        paired.label(), form.name(), new Measurement(OURS, 0.01, 0), form.rivals().getFirst(), PEER,
                        0.01, 0, LIMIT, Row.UNIT)));
            }
        }
        return rows;
    }
}
