package dev.outcrop.queue.internal.files;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.zip.CRC32C;

/**
 * The layout of the files of a queue; {@code docs/queue-format.md} describes the fields.
 *
 * <pre>
 * segment   0        8        16       24       32       40       48       56   60   64
 *           | magic  |queue id|genera- | base   |segment |created |previous|vers| crc| records ...
 *           |        |        | tion   | offset | size   |        |        |    |    |
 *
 * record    0        4        8        12       16       24
 *           | length | tag    | crc    | kind   | time   | payload, padded to a multiple of 8
 *           '---- commit -----'
 *
 * queue     0        8        16       24       32       40       48       56   60   64
 *           | magic  |sequence|queue id|segment |retired |synced  |clean   |vers| crc|     two slots, 512 bytes apart
 *           |        |        |        | size   |        |        |position|    |    |
 * </pre>
 */
public final class QueueLayout {
    public static final int VERSION = 1;
    /** "OUTCROPS" as bytes. */
    public static final long SEGMENT_MAGIC = 0x53_50_4f_52_43_54_55_4fL;
    /** "OUTCROPQ". */
    static final long QUEUE_MAGIC = 0x51_50_4f_52_43_54_55_4fL;

    /** The distance of the slots in all files that have slots, and their largest size. */
    public static final int SLOT = 512;
    /** A multiple of the sizes of sectors and pages. */
    public static final int PAGE = 4096;

    public static final int MAGIC = 0;
    public static final int QUEUE_ID = 8;
    public static final int GENERATION = 16;
    public static final int BASE_OFFSET = 24;
    public static final int SEGMENT_SIZE = 32;
    public static final int CREATED = 40;
    public static final int PREVIOUS = 48;
    public static final int HEADER_VERSION = 56;
    public static final int HEADER_CRC = 60;
    public static final int HEADER = 64;

    static final int COMMIT = 0;
    public static final int CRC = 8;
    static final int KIND = 12;
    static final int TIME = 16;
    public static final int PAYLOAD = 24;

    /** Bit 31 of a record's first word. */
    public static final long COMMITTED = 1L << 31;

    public static final int KIND_RECORD = 1;
    public static final int KIND_WITHDRAWN = 2;
    public static final int KIND_END = 3;

    public static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);
    public static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** As {@link #LONG}, without a check of the alignment. */
    static final ValueLayout.OfLong UNALIGNED = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** Accesses the committed word: written with release, read with acquire. */
    public static final VarHandle COMMIT_WORD = LONG.varHandle();

    private static final long OFFSET_FACTOR = 0x9E3779B97F4A7C15L;
    private static final long LENGTH_FACTOR = 0xC2B2AE3D27D4EB4FL;

    public static final long LARGEST_SEGMENT = 1L << 30;

    private QueueLayout() {
    }

    /** Whether a segment can have a size. */
    public static boolean isSegmentSize(long bytes) {
        return bytes >= 2L * PAGE && bytes <= LARGEST_SEGMENT && bytes % PAGE == 0;
    }

    /** The bytes of a record in a segment. */
    public static long recordBytes(long length) {
        return PAYLOAD + length + 7 & -8L;
    }

    /** The key of the tags in one use of a file: the half of the mixture that seeds do not show. */
    static int tagKey(long generation) {
        return (int) (mix(generation) >>> 32);
    }

    /** The committed word of a record. */
    public static long commitWord(int tagKey, long offset, int length) {
        return (offset ^ tagKey) << 32 | COMMITTED | length;
    }

    /** The low half of the offset that a committed word contains. */
    public static int offset(int tagKey, long word) {
        return (int) (word >>> 32) ^ tagKey;
    }

    /** Whether a word is the committed one of this offset. */
    public static boolean isCommitted(int tagKey, long word, long offset) {
        return (word & COMMITTED) != 0 && offset(tagKey, word) == (int) offset;
    }

    /** The payload's length in a committed word. */
    public static int length(long word) {
        return (int) word & Integer.MAX_VALUE;
    }

    /** The seed of a record's crc in one use of a file. */
    public static int seed(long generation, long offset, int length, int kind) {
        return (int) mix(generation ^ offset * OFFSET_FACTOR ^ ((long) kind << 32 | length) * LENGTH_FACTOR);
    }

    /**
     * The finalizer of SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014, with Stafford's
     * variant 13 of the constants).
     */
    public static long mix(long x) {
        long y = (x ^ x >>> 30) * 0xBF58476D1CE4E5B9L;
        y = (y ^ y >>> 27) * 0x94D049BB133111EBL;
        return y ^ y >>> 31;
    }

    /**
     * Writes the crc of a header or a slot behind the bytes that it covers.
     *
     * @throws InternalError if the file is shorter than it was
     */
    public static void writeCrc(MemorySegment memory, long at, long size) {
        // The JVM crashes if a checksum meets a missing page, but throws for the stores before it.
        Pages.awaitError(0);
        memory.set(INT, at + size, crc(memory, at, size));
    }

    /** The crc of a header or a slot. */
    public static int crc(MemorySegment header, long from, long size) {
        CRC32C crc = new CRC32C();
        crc.update(header.asSlice(from, size).asByteBuffer());
        return (int) crc.getValue();
    }
}
