package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Outcrop, rocksdbjni and C on the same open database, in one process. */
public final class PairedSuite extends Suite {
    static final String NAME = "paired";

    /** Creates the suite. */
    public PairedSuite() {
        super(NAME, ROCKSDBJNI);
    }

    @Override
    protected List<PairedCase> cases(Effort effort) {
        return PairedCase.all(effort.isQuick());
    }

    @Override
    public List<Path> plot(List<Row> rows, Path directory) throws IOException {
        return new CrossoverPlot(rows).write(directory);
    }
}
