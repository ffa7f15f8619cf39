package dev.outcrop.benchmarks.pins;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.JavaProgram;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Start;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads beside pinned values, with and without a budget.
 *
 * @param workload how much is pinned, and for how long
 */
record PinsCase(PinsWorkload workload) implements Case {
    private static final String SUBJECT = "default budget";
    private static final int STEP = 10;
    private static final int MOST = 60;

    static List<PinsCase> all(Effort effort) {
        Stream<PinsWorkload> workloads = effort.isQuick()
                ? IntStream.of(0, 20, MOST).mapToObj(megabytes -> PinsWorkload.of(megabytes, 0, effort))
                : Stream.concat(
                        IntStream.rangeClosed(0, MOST / STEP).mapToObj(i -> PinsWorkload.of(i * STEP, 0, effort)),
                        Stream.of(PinsWorkload.of(20, 1000, effort), PinsWorkload.of(20, 100, effort)));
        return workloads.map(PinsCase::new).toList();
    }

    @Override
    public String label() {
        return size(workload.pinnedBytes()) + " pinned"
                + (workload.heldMillis() == 0 ? "" : ", each value for " + workload.heldMillis() + " ms");
    }

    private static String size(long bytes) {
        return bytes % (1 << 20) == 0 ? (bytes >> 20) + " MB" : (bytes >> 10) + " KB";
    }

    @Override
    public List<Row> run(Lab lab) {
        workload.contents().build(lab.database());
        Results results = lab.contest().add(SUBJECT, program(workload, lab))
                .add(PinsSuite.PEER, program(workload.withoutBudget(), lab)).run(lab.effort().halfOfRounds());
        return List.of(row(results, Start.TIME, Row.UNIT), row(results, PinsSuite.MISSES, PinsSuite.MISSES));
    }

    private static JavaProgram program(PinsWorkload workload, Lab lab) {
        return new JavaProgram(PinRun.class, lab.database().jvmArgs(workload));
    }

    private Row row(Results results, String figure, String unit) {
        return new Row(PinsSuite.NAME, label(), workload.params(), label(), SUBJECT, results.of(SUBJECT).of(figure),
                PinsSuite.PEER, results.of(PinsSuite.PEER).of(figure).median(), null, unit);
    }
}
