package dev.outcrop.pipeline;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * How far a pipeline is, as its database knows. As a value there:
 *
 * <pre>
 * 0          8        16       24       32        40
 * | version  | next   | last   | time   | size    |     little-endian
 * </pre>
 *
 * @param next     offset of the first record whose effect is not in the database
 * @param last     offset of the last one whose effect is; {@link #NONE} if there is none
 * @param lastTime when that one was appended to the queue, in milliseconds: no record that takes its place after a loss has the same
 * @param lastSize bytes of its payload
 */
record Position(long next, long last, long lastTime, long lastSize) {
    static final int BYTES = 40;
    static final long NONE = -1;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long VERSION = 1;

    /** Where nothing was written yet. */
    static Position startingAt(long offset) {
        return new Position(offset, NONE, 0, 0);
    }

    /** Without an object: for each batch. */
    static void write(MemorySegment to, long next, long last, long lastTime, long lastSize) {
        to.set(LONG, 0, VERSION);
        to.set(LONG, 8, next);
        to.set(LONG, 16, last);
        to.set(LONG, 24, lastTime);
        to.set(LONG, 32, lastSize);
    }

    static Position read(byte[] value) {
        MemorySegment from = MemorySegment.ofArray(value);
        if (value.length < Long.BYTES || from.get(LONG, 0) != VERSION || value.length != BYTES) {
            throw new PipelineException("The position of a pipeline in column family " + Target.FAMILY + " has "
                    + value.length + " bytes and begins with "
                    + (value.length < Long.BYTES ? "none" : from.get(LONG, 0))
                    + ", not with version " + VERSION
                    + ": a later version of this library has written it, or somebody else."
                    + " Use a later version");
        }
        return new Position(from.get(LONG, 8), from.get(LONG, 16), from.get(LONG, 24), from.get(LONG, 32));
    }
}
