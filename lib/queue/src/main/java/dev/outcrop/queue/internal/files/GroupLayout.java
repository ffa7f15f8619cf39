package dev.outcrop.queue.internal.files;

import java.lang.foreign.MemorySegment;

/**
 * The layout of the file of a consumer group; {@code docs/queue-format.md}, section "Groups", describes it.
 *
 * <pre>
 * slots, at 0 and 512   0        8        16       24       32       36       40   44
 *                       | magic  |sequence|queue id| floor  |reserved|version | crc|
 *
 * words, from 4096 on   | word 0 | word 1 | ... | word 2047 |     each: 32 bits for 32 offsets, and a check of 32 bits
 * </pre>
 */
public final class GroupLayout {
    /** The number of offsets in a block, each of which has one word. */
    public static final int WORD_OFFSETS = 32;
    public static final int WORDS = 2048;
    /** How many offsets the words have bits for. */
    public static final int OFFSETS = WORDS * WORD_OFFSETS;
    public static final int FIRST_WORD = QueueLayout.PAGE;
    public static final int SIZE = FIRST_WORD + WORDS * Long.BYTES;

    /** "OUTCROPG" as bytes. */
    private static final long MAGIC = 0x47_50_4f_52_43_54_55_4fL;
    private static final int SEQUENCE = 8;
    private static final int QUEUE_ID = 16;
    private static final int FLOOR = 24;
    private static final int RESERVED = 32;
    private static final int VERSION = 36;
    private static final int CRC = 40;
    private static final int BITS_FACTOR = 0x9E3779B1;

    private GroupLayout() {
    }

    // --- Slots ---

    /** Returns true if a slot is undamaged, in any version of the format. */
    public static boolean isWhole(MemorySegment memory, long at) {
        return memory.get(QueueLayout.LONG, at) == MAGIC
                && memory.get(QueueLayout.INT, at + CRC) == QueueLayout.crc(memory, at, CRC);
    }

    /** Writes a slot in this version of the format. */
    public static void writeSlot(MemorySegment memory, long at, long sequence, long queueId, long floor) {
        memory.set(QueueLayout.LONG, at, MAGIC);
        memory.set(QueueLayout.LONG, at + SEQUENCE, sequence);
        memory.set(QueueLayout.LONG, at + QUEUE_ID, queueId);
        memory.set(QueueLayout.LONG, at + FLOOR, floor);
        memory.set(QueueLayout.INT, at + RESERVED, 0);
        memory.set(QueueLayout.INT, at + VERSION, QueueLayout.VERSION);
        QueueLayout.writeCrc(memory, at, CRC);
    }

    /** The version of the format in a slot. */
    public static int version(MemorySegment memory, long at) {
        return memory.get(QueueLayout.INT, at + VERSION);
    }

    /** The number of a slot's write: the slot with the larger one is newer. */
    public static long sequence(MemorySegment memory, long at) {
        return memory.get(QueueLayout.LONG, at + SEQUENCE);
    }

    /** The queue of a slot. */
    public static long queueId(MemorySegment memory, long at) {
        return memory.get(QueueLayout.LONG, at + QUEUE_ID);
    }

    /** The offset before which all is acknowledged. */
    public static long floor(MemorySegment memory, long at) {
        return memory.get(QueueLayout.LONG, at + FLOOR);
    }

    // --- Words ---

    /** The word of a block. */
    public static long word(MemorySegment memory, long block) {
        return memory.get(QueueLayout.LONG, at(block));
    }

    /** Sets which offsets of a block are acknowledged. */
    public static void set(MemorySegment memory, long queueId, long block, int bits) {
        memory.set(QueueLayout.LONG, at(block),
                bits == 0 ? 0 : (long) check(queueId, block, bits) << 32 | (bits & 0xFFFF_FFFFL));
    }

    /** Returns true if a word is undamaged and belongs to a block. */
    public static boolean isOf(long word, long queueId, long block) {
        return (int) (word >>> 32) == check(queueId, block, (int) word);
    }

    /** The acknowledged offsets of a block; none if the word is of another block, or damaged. */
    public static int bits(long word, long queueId, long block) {
        return isOf(word, queueId, block) ? (int) word : 0;
    }

    /** The offsets in a block that are less than an offset. */
    public static int before(long offset, long block) {
        long count = offset - block * WORD_OFFSETS;
        return count <= 0 ? 0 : count >= WORD_OFFSETS ? -1 : (1 << (int) count) - 1;
    }

    private static long at(long block) {
        return FIRST_WORD + (block & WORDS - 1) * Long.BYTES;
    }

    private static int check(long queueId, long block, int bits) {
        return (int) QueueLayout.mix(queueId ^ block) ^ bits * BITS_FACTOR;
    }
}
