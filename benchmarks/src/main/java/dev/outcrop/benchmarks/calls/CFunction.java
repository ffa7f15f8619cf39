package dev.outcrop.benchmarks.calls;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_DOUBLE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.StructLayout;

/** The functions under test, for both sides alike. */
final class CFunction {
    /** {@code long labs(long)}: a call and nothing else. */
    static final String NOOP = "labs";
    static final FunctionDescriptor NOOP_TYPE = FunctionDescriptor.of(JAVA_LONG, JAVA_LONG);

    /** {@code double frexp(double, int *exponent)}: one out-parameter. */
    static final String OUT_POINTER = "frexp";
    static final FunctionDescriptor OUT_POINTER_TYPE = FunctionDescriptor.of(JAVA_DOUBLE, JAVA_DOUBLE, ADDRESS);

    /** {@code ldiv_t ldiv(long, long)}: a struct of two registers, returned by value. */
    static final String STRUCT = "ldiv";
    static final StructLayout STRUCT_LAYOUT = MemoryLayout.structLayout(JAVA_LONG.withName("quot"),
            JAVA_LONG.withName("rem"));
    static final FunctionDescriptor STRUCT_TYPE = FunctionDescriptor.of(STRUCT_LAYOUT, JAVA_LONG, JAVA_LONG);

    /**
     * The same function, seen as one that returns a {@code rocksdb_slice_t}: to the caller, a pointer and a size are
     * the same two registers. The pointer is never followed.
     */
    static final FunctionDescriptor SLICE_TYPE = FunctionDescriptor.of(
            MemoryLayout.structLayout(ADDRESS.withName("data"), JAVA_LONG.withName("size")), JAVA_LONG, JAVA_LONG);

    /**
     * {@code int sigaddset(sigset_t *, int)} with a signal that does not exist: sets errno to EINVAL and touches
     * nothing.
     */
    static final String ERRNO = "sigaddset";
    static final FunctionDescriptor ERRNO_TYPE = FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT);
    static final int NO_SIGNAL = 0;
    /** More than a {@code sigset_t} takes on any platform. */
    static final long SIGNAL_SET_BYTES = 128;

    static final StructLayout CAPTURED = Linker.Option.captureStateLayout();
    static final long ERRNO_OFFSET = CAPTURED.byteOffset(MemoryLayout.PathElement.groupElement("errno"));

    private CFunction() {
    }
}
