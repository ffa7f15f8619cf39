package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.List;

/** {@code org.rocksdb}, published and ours, under the same programs. */
public final class DropinSuite extends Suite {
    static final String NAME = "dropin";
    private static final int MAX_THREADS = 2;

    /** Creates the suite. */
    public DropinSuite() {
        super(NAME, ROCKSDBJNI);
    }

    @Override
    protected List<DropinCase> cases(Effort effort) {
        List<DropinCase> cases = new ArrayList<>();
        for (int threads = 1; threads <= MAX_THREADS; threads++) {
            for (DropinOperation operation : DropinOperation.values()) {
                for (int valueBytes : operation.sizes(threads, effort.isQuick())) {
                    cases.add(new DropinCase(operation, valueBytes, threads));
                }
            }
        }
        return cases;
    }
}
