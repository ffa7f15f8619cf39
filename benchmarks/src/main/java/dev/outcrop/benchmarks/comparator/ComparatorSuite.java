package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.List;

/** Keys in an order of one's own: Outcrop, rocksdbjni, C. */
public final class ComparatorSuite extends Suite {
    static final String NAME = "comparator";

    /** Creates the suite. */
    public ComparatorSuite() {
        super(NAME, ROCKSDBJNI);
    }

    @Override
    protected List<ComparatorCase> cases(Effort effort) {
        return ComparatorCase.all(effort.isQuick());
    }
}
