package dev.outcrop.queue.internal.files;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The tail of a segment: the claimed records in the upper half, the claimed bytes divided by 8 in the lower half. So one compare-and-set
 * claims an offset and a range. The top bit ends claiming. It has cache lines of its own, because all producers write it.
 */
public final class SegmentTail {
    /** The number that a claim of one record adds, besides its bytes. */
    public static final long ONE_RECORD = 1L << 32;
    private static final long SEALED = 1L << 63;
    private static final int AT = 16;
    private static final VarHandle CELL = MethodHandles.arrayElementVarHandle(long[].class);

    private final long[] cells = new long[2 * AT];

    public SegmentTail(long records, long position) {
        CELL.setRelease(cells, AT, records << 32 | position >>> 3);
    }

    /** Only before other threads see it. */
    public void set(long records, long position, boolean isSealed) {
        CELL.setVolatile(cells, AT, records << 32 | position >>> 3 | (isSealed ? SEALED : 0));
    }

    public long get() {
        return (long) CELL.getVolatile(cells, AT);
    }

    /** Also orders earlier reads against later writes, as any compare-and-set does. */
    public boolean compareAndSet(long expected, long next) {
        return CELL.compareAndSet(cells, AT, expected, next);
    }

    public static boolean isSealed(long tail) {
        return tail < 0;
    }

    public static long sealed(long tail) {
        return tail | SEALED;
    }

    public static long records(long tail) {
        return (tail & ~SEALED) >>> 32;
    }

    public static int position(long tail) {
        return (int) tail << 3;
    }
}
