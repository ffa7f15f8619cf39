package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Reads beside pinned values, with and without the pin budget. */
public final class PinsSuite extends Suite {
    static final String NAME = "pins";
    static final String PEER = "no budget";
    /** The figure, and the unit, of rows that count reads which did not find their block in the cache. */
    static final String MISSES = "misses/100 op";

    /** Creates the suite. */
    public PinsSuite() {
        super(NAME, PEER);
    }

    @Override
    protected List<PinsCase> cases(Effort effort) {
        return PinsCase.all(effort);
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        return new PinsPlot(rows).write(directory);
    }
}
