package dev.outcrop.benchmarks.calls;

import java.util.List;

/**
 * One kind of call.
 *
 * <p>"Fresh memory" is what a library needs that has nothing at hand: memory for the duration of the call. "Reused
 * memory" is the best case, in which the caller has kept a segment from before.
 *
 * @param name    how it is called in the results
 * @param method  the method of {@link OutcropCalls} and {@link JdkCalls} that makes it
 * @param inC     the case of the C program
 * @param subject where ours gets its memory from, or who linked the function if it needs none
 * @param peer    the same for the JDK's own way
 * @param isQuick whether it is part of a quick run
 */
record CallCase(String name, String method, String inC, String subject, String peer, boolean isQuick) {
    static final List<CallCase> ALL = List.of(
            new CallCase("no-op call, plain", "noop", "noop", "NativeCalls", "Linker", true),
            new CallCase("no-op call, critical", "noopCritical", "noop", "NativeCalls", "Linker", true),
            new CallCase("out-pointer, fresh memory", "outPointerFresh", "out", "Scratch", "confined arena", true),
            new CallCase("out-pointer, reused memory", "outPointerReused", "out", "segment", "segment", false),
            new CallCase("struct by value, fresh memory", "structFresh", "struct", "Scratch", "confined arena", true),
            new CallCase("struct by value, reused memory", "structReused", "struct", "segment", "segment", true),
            new CallCase("slice by value, fresh memory", "sliceFresh", "struct", "Scratch", "confined arena", false),
            new CallCase("slice by value, reused memory", "sliceReused", "struct", "segment", "segment", false),
            new CallCase("errno captured, fresh memory", "errnoFresh", "errno", "Scratch", "confined arena", true),
            new CallCase("errno captured, reused memory", "errnoReused", "errno", "segment", "segment", false));
}
