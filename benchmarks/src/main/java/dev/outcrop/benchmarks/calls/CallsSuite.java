package dev.outcrop.benchmarks.calls;

import dev.outcrop.benchmarks.harness.CProgram;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;

/** Native calls: Outcrop, the JDK, C. */
public final class CallsSuite implements Suite {
    private static final String OURS = "ours";
    private static final String PEER = "peer";
    private static final String LIMIT = "limit";
    private static final String C_ROUNDS = "5";
    private static final String C_MILLIS = "20";

    /** Creates the suite. */
    public CallsSuite() {
    }

    @Override
    public String name() {
        return "calls";
    }

    @Override
    public String peer() {
        return "JDK";
    }

    @Override
    public List<Row> run(Lab lab) {
        Optional<CProgram> c = CProgram.compile("calls", lab);
        List<Row> rows = new ArrayList<>();
        for (ThreadKind threads : ThreadKind.values()) {
            for (CallCase call : CallCase.ALL) {
                String label = call.name() + ", " + threads + " thread";
                if (lab.wants(label) && (call.isQuick() || !lab.effort().isQuick())) {
                    Row row = row(lab, c, call, threads, label);
                    rows.add(row);
                    lab.finished(row);
                }
            }
        }
        return rows;
    }

    private Row row(Lab lab, Optional<CProgram> c, CallCase call, ThreadKind threads, String label) {
        List<String> jvmArgs = List.of("-Xms256m", "-Xmx256m", threads.jvmArg());
        Contest contest = new Contest()
                .add(OURS, lab.fork(OutcropCalls.class, call.method(), 1, jvmArgs))
                .add(PEER, lab.fork(JdkCalls.class, call.method(), 1, jvmArgs));
        c.ifPresent(program -> contest.add(LIMIT, program.probe(List.of(call.inC(), C_ROUNDS, C_MILLIS))));
        Results results = contest.run(lab.effort().rounds());
        SequencedMap<String, Object> params = new LinkedHashMap<>(Map.of("thread", threads.toString()));
        return new Row(name(), call.name(), params, label, call.subject(), results.of(OURS), peer() + ' ' + call.peer(),
                results.of(PEER).nanos(), results.nanosIfMeasured(LIMIT));
    }
}
