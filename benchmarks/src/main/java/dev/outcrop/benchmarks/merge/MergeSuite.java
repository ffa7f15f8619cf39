package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.Arrays;
import java.util.List;

/** Merge operators in Java: Outcrop, what rocksdbjni has instead, C. */
public final class MergeSuite extends Suite {
    static final String NAME = "merge";

    /** Creates the suite. */
    public MergeSuite() {
        super(NAME, ROCKSDBJNI);
    }

    @Override
    protected List<MergeCase> cases(Effort effort) {
        return Arrays.stream(MergeTask.values()).map(MergeCase::new).toList();
    }
}
