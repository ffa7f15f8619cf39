package dev.outcrop.benchmarks.calls;

import dev.outcrop.benchmarks.harness.Effort;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.Arrays;
import java.util.List;

/** Native calls: Outcrop, the JDK, C. */
public final class CallsSuite extends Suite {
    static final String NAME = "calls";
    static final String PEER = "JDK";

    /** Creates the suite. */
    public CallsSuite() {
        super(NAME, PEER);
    }

    @Override
    protected List<CallCase> cases(Effort effort) {
        return Arrays.stream(ThreadKind.values())
                .flatMap(threads -> NativeCall.ALL.stream().filter(call -> call.isQuick() || !effort.isQuick())
                        .map(call -> new CallCase(call, threads)))
                .toList();
    }
}
