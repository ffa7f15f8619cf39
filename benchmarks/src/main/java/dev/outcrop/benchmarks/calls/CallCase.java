package dev.outcrop.benchmarks.calls;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.Contest;
import dev.outcrop.benchmarks.harness.JmhFork;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A native call on a kind of thread.
 *
 * @param call    the call
 * @param threads the kind
 */
record CallCase(NativeCall call, ThreadKind threads) implements Case {
    private static final String OURS = "ours";
    private static final String PEER = "peer";
    private static final String LIMIT = "limit";
    private static final int C_ROUNDS = 5;
    private static final int C_MILLIS = 20;

    @Override
    public String label() {
        return call.name() + ", " + threads + " thread";
    }

    @Override
    public List<Row> run(Lab lab) {
        Contest contest = lab.contest().add(OURS, fork(OutcropCalls.class, lab)).add(PEER, fork(JdkCalls.class, lab));
        lab.program(CallsSuite.NAME)
                .ifPresent(c -> contest.add(LIMIT, c.probe(call.inC(), C_ROUNDS, C_MILLIS)));
        Results results = contest.run(lab.effort().rounds());
        return List.of(new Row(CallsSuite.NAME, call.name(), new LinkedHashMap<>(Map.of("thread", threads.toString())),
                label(), call.subject(), results.of(OURS).time(), CallsSuite.PEER + ' ' + call.peer(),
                results.of(PEER).time().median(), results.timeIfMeasured(LIMIT)));
    }

    private JmhFork fork(Class<?> type, Lab lab) {
        return new JmhFork(type, call.method(), 1, List.of("-Xms256m", "-Xmx256m", threads.jvmArg()), lab.effort());
    }
}
