package dev.outcrop.benchmarks.calls;

import java.util.List;

/**
 * One kind of call.
 *
 * <p>"Fresh memory" is what a library needs that has nothing at hand: memory for the duration of the call. "Reused
 * memory" is the best case, in which the caller has kept a segment from before.
 *
 * @param name    its name in the results
 * @param method  the method of {@link OutcropCalls} and {@link JdkCalls} that makes it
 * @param inC     the case of the C program
 * @param subject where ours gets its memory from, or what linked the function if it needs none
 * @param peer    the same for the JDK's own way
 * @param isQuick whether it is part of a quick run
 */
record NativeCall(String name, String method, String inC, String subject, String peer, boolean isQuick) {
    static final List<NativeCall> ALL = List.of(
            new NativeCall("no-op call, plain", "noop", "noop", "NativeCalls", "Linker", true),
            new NativeCall("no-op call, critical", "noopCritical", "noop", "NativeCalls", "Linker", true),
            new NativeCall("out-pointer, fresh memory", "outPointerFresh", "out", "Scratch", "confined arena", true),
            new NativeCall("out-pointer, reused memory", "outPointerReused", "out", "segment", "segment", false),
            new NativeCall("struct by value, fresh memory", "structFresh", "struct", "Scratch", "confined arena", true),
            new NativeCall("struct by value, reused memory", "structReused", "struct", "segment", "segment", true),
            new NativeCall("slice by value, fresh memory", "sliceFresh", "struct", "Scratch", "confined arena", false),
            new NativeCall("slice by value, reused memory", "sliceReused", "struct", "segment", "segment", false),
            new NativeCall("errno captured, fresh memory", "errnoFresh", "errno", "Scratch", "confined arena", true),
            new NativeCall("errno captured, reused memory", "errnoReused", "errno", "segment", "segment", false));
}
