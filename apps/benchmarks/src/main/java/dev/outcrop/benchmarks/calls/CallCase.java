package dev.outcrop.benchmarks.calls;

import dev.outcrop.benchmarks.harness.Case;
import dev.outcrop.benchmarks.harness.JmhFork;
import dev.outcrop.benchmarks.harness.ProcessComparison;
import dev.outcrop.benchmarks.harness.Results;
import dev.outcrop.benchmarks.harness.Row;
import dev.outcrop.benchmarks.harness.RunContext;
import dev.outcrop.benchmarks.harness.Settings;
import dev.outcrop.benchmarks.harness.Suite;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * A native call on a kind of thread.
 *
 * @param call    the call
 * @param threads the kind
 */
public record CallCase(NativeCall call, ThreadKind threads) implements Case {
    private static final String NAME = "calls";
    private static final String JDK = "JDK";
    private static final String OURS = "ours";
    private static final String PEER = "peer";
    private static final String LIMIT = "limit";
    private static final int C_ROUNDS = 5;
    private static final int C_MILLIS = 20;

    /** Returns the suite: native calls by Outcrop, the JDK, and C. */
    public static Suite suite() {
        return new Suite(NAME, JDK, runLength -> Arrays.stream(ThreadKind.values())
                .flatMap(threads -> NativeCall.ALL.stream().filter(call -> call.isQuick() || !runLength.isQuick())
                        .map(call -> new CallCase(call, threads)))
                .toList());
    }

    @Override
    public String label() {
        return call.name() + ", " + threads + " thread";
    }

    @Override
    public List<Row> run(RunContext context) {
        ProcessComparison comparison = context.comparison().add(OURS, fork(true, context)).add(PEER,
                fork(false, context));
        context.program(NAME)
                .ifPresent(c -> comparison.add(LIMIT, c.process(call.inC(), C_ROUNDS, C_MILLIS)));
        Results results = comparison.run(context.runLength().rounds());
        return List.of(new Row(NAME, call.name(), Row.params("thread", threads.toString()),
                label(), call.subject(), results.of(OURS).time(), JDK + ' ' + call.peer(),
                results.of(PEER).time(), results.timeIfMeasured(LIMIT)));
    }

    private JmhFork fork(boolean isOurs, RunContext context) {
        List<String> jvmArgs = new ArrayList<>(List.of("-Xms256m", "-Xmx256m", threads.jvmArg()));
        jvmArgs.addAll(Settings.define(new Calls.Linking(isOurs)));
        return new JmhFork(Calls.class, call.method(isOurs), 1, jvmArgs, context.runLength());
    }

    /** The kind of thread that makes the calls. The names are the values of JMH's property {@code jmh.executor}. */
    enum ThreadKind {
        PLATFORM,
        VIRTUAL;

        private static final String PROPERTY = "jmh.executor";

        /** Returns the argument with which a forked JVM runs benchmarks on threads of this kind. */
        String jvmArg() {
            return "-D" + PROPERTY + '=' + name();
        }

        /** Fails if the calling thread is not of the kind that this JVM was started for. */
        static void requireAsAsked() {
            boolean isVirtual = Thread.currentThread().isVirtual();
            if (isVirtual != VIRTUAL.name().equals(System.getProperty(PROPERTY))) {
                throw new IllegalStateException("JMH ignored -D" + PROPERTY + '=' + System.getProperty(PROPERTY));
            }
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * One kind of call.
     *
     * <p>"Fresh memory" is the case of a library that has no memory at hand: it needs memory for the duration of the call. "Reused memory"
     * is the best case: the caller has kept a segment from before.
     *
     * @param name    its name in the results
     * @param method  the method of {@link Calls} that makes the call, without the kind of its memory
     * @param inC     the case of the C program
     * @param subject where our call gets its memory, or what linked the function if the call needs no memory
     * @param peer    the same for the JDK's own way
     * @param isQuick whether it is part of a quick run
     */
    record NativeCall(String name, String method, String inC, String subject, String peer, boolean isQuick) {
        static final List<NativeCall> ALL = List.of(
                new NativeCall("no-op call, plain", "noop", "noop", "NativeCalls", "Linker", true),
                new NativeCall("no-op call, critical", "noopCritical", "noop", "NativeCalls", "Linker", true),
                new NativeCall("out-pointer, fresh memory", "outPointer", "out", "Scratch", "confined arena", true),
                new NativeCall("out-pointer, reused memory", "outPointerReused", "out", "segment", "segment", false),
                new NativeCall("struct by value, fresh memory", "struct", "struct", "Scratch", "confined arena", true),
                new NativeCall("struct by value, reused memory", "structReused", "struct", "segment", "segment", true),
                new NativeCall("slice by value, fresh memory", "slice", "struct", "Scratch", "confined arena", false),
                new NativeCall("slice by value, reused memory", "sliceReused", "struct", "segment", "segment", false),
                new NativeCall("errno captured, fresh memory", "errno", "errno", "Scratch", "confined arena", true),
                new NativeCall("errno captured, reused memory", "errnoReused", "errno", "segment", "segment", false));

        /** Returns the method for one side. */
        String method(boolean isOurs) {
            return method + (subject.equals("Scratch") ? isOurs ? "Scratch" : "Arena" : "");
        }
    }
}
