package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.List;
import java.util.stream.Stream;

/** Records of a queue that are written to a database, with the position in the same batch. */
public final class PipelineSuite extends Suite {
    static final String NAME = "pipeline";
    static final String PEER = "Chronicle, rocksdbjni";

    /** Creates the suite. */
    public PipelineSuite() {
        super(NAME, PEER);
    }

    @Override
    protected List<PipelineCase> cases(Effort effort) {
        return Stream.of(64, 1 << 10, 16 << 10).map(PipelineCase::new).toList();
    }
}
