package dev.outcrop.pipeline;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * The progress of a pipeline, as stored in its database. The layout of the value:
 *
 * <pre>
 * 0          8        16       24       32        40         48
 * | version  | next   | last   | time   | size    | checksum |     little-endian
 * </pre>
 *
 * <p>Version 1 had no checksum.
 *
 * @param next     offset of the first record whose effect is not in the database
 * @param last     offset of the last record whose effect is in the database; {@link #NONE} if there is none
 * @param lastTime when the last record was appended to the queue, in milliseconds
 * @param lastSize bytes of the last record's payload
 * @param lastChecksum the last record's checksum, 0 or more; {@link #NONE} if it was not kept. If another record takes its place after a
 *                     loss, that record has another checksum, even if the clock gives it the same time
 */
record Position(long next, long last, long lastTime, long lastSize, long lastChecksum) {
    static final int BYTES = 48;
    static final long NONE = -1;

    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long WITHOUT_CHECKSUM = 1;
    private static final long VERSION = 2;

    /** The position of a pipeline that has written nothing. */
    static Position startingAt(long offset) {
        return new Position(offset, NONE, 0, 0, NONE);
    }

    /** Writes a position without allocating, for each batch. */
    static void write(MemorySegment to, long next, long last, long lastTime, long lastSize,
            long lastChecksum) {
        to.set(LONG, 0, VERSION);
        to.set(LONG, 8, next);
        to.set(LONG, 16, last);
        to.set(LONG, 24, lastTime);
        to.set(LONG, 32, lastSize);
        to.set(LONG, 40, lastChecksum);
    }

    static Position read(byte[] value) {
        MemorySegment from = MemorySegment.ofArray(value);
        long version = value.length < Long.BYTES ? NONE : from.get(LONG, 0);
        boolean hasChecksum = version == VERSION && value.length == BYTES;
        if (!hasChecksum && (version != WITHOUT_CHECKSUM || value.length != BYTES - Long.BYTES)) {
            throw new PipelineException("The position of a pipeline in column family " + PositionStore.FAMILY + " has "
                    + value.length + " bytes and begins with " + (value.length < Long.BYTES ? "none" : version)
                    + ", not with version " + VERSION
                    + ": a later version of this library has written it, or somebody else."
                    + " Use a later version");
        }
        return new Position(from.get(LONG, 8), from.get(LONG, 16), from.get(LONG, 24), from.get(LONG, 32),
                hasChecksum ? from.get(LONG, 40) : NONE);
    }
}
