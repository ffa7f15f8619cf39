package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Objects;

/**
 * A record that a {@link ConsumerGroup} has put away; see {@link GroupOptions#deadLetters(int, Queue)}. In a queue of dead letters, each
 * record has this form, with little-endian numbers and the two texts in UTF-8:
 *
 * <pre>
 *   0        8        16       24       32           36        40       44       48
 *   +--------+--------+--------+--------+------------+---------+--------+--------+-------+--------+---------+
 *   | magic  | offset |appended|  died  | deliveries | version | length | length | group | reason | payload |
 *   |OUTCROPL|        |  (ms)  |  (ms)  |            |    1    |of group|of reas.|       |        |         |
 *   +--------+--------+--------+--------+------------+---------+--------+--------+-------+--------+---------+
 * </pre>
 *
 * <pre>{@code
 * consumer.poll(100, (offset, record, deliveries) -> {
 *     DeadLetter letter = DeadLetter.read(record);
 *     log.warn("record {} of {}: {}", letter.offset(), letter.group(), letter.reason());
 *     queue.append(letter.payload()); // once more
 *     consumer.acknowledge(offset);
 * });
 * }</pre>
 *
 * @param group      the group that has put it away
 * @param offset     of the record, in the queue that it was in
 * @param deliveries how often it was delivered since that queue was opened or the group was last moved
 * @param time       when it was appended there, accurate to some 10 ms
 * @param died       when it was put away, in milliseconds
 * @param reason     why: the reason given when it was rejected, or how often it was delivered
 * @param payload    of the record, in place: readable as long as the memory that the dead letter was read from or made with
 */
public record DeadLetter(String group, long offset, int deliveries, Instant time, Instant died, String reason,
        MemorySegment payload) {
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    /** "OUTCROPL". */
    private static final long MAGIC = 0x4C504F524354554FL;
    private static final int VERSION = 1;

    private static final int OFFSET = 8;
    private static final int APPENDED = 16;
    private static final int DIED = 24;
    private static final int DELIVERIES = 32;
    private static final int FORMAT = 36;
    private static final int GROUP_LENGTH = 40;
    private static final int REASON_LENGTH = 44;
    private static final int TEXTS = 48;

    /**
     * Returns whether a record is a dead letter, as far as its beginning tells.
     *
     * @param record the payload of a record
     * @return whether {@link #read} can read it, unless it is damaged or of a later version
     */
    public static boolean isDeadLetter(MemorySegment record) {
        return Objects.requireNonNull(record, "record").byteSize() >= TEXTS && record.get(LONG, 0) == MAGIC;
    }

    /**
     * Reads a record of a queue of dead letters.
     *
     * @param record its payload
     * @return the dead letter, with a payload that is a slice of the record
     * @throws QueueException if the record is no dead letter, or of a later version
     */
    public static DeadLetter read(MemorySegment record) {
        if (!isDeadLetter(record)) {
            throw new QueueException("A record of " + record.byteSize() + " bytes is not a dead letter: it begins with "
                    + PayloadText.of(record) + ". Is the queue one that GroupOptions.deadLetters was given?");
        }
        int version = record.get(INT, FORMAT);
        if (version != VERSION) {
            throw new QueueException("A dead letter is of version " + version + "; this library knows version "
                    + VERSION + ". Use a newer one");
        }
        long group = Integer.toUnsignedLong(record.get(INT, GROUP_LENGTH));
        long reason = Integer.toUnsignedLong(record.get(INT, REASON_LENGTH));
        if (group + reason > record.byteSize() - TEXTS) {
            throw new QueueException(
                    "A record of " + record.byteSize() + " bytes is not a dead letter: it has texts of "
                            + group + " and " + reason + " bytes");
        }
        return new DeadLetter(text(record.asSlice(TEXTS, group)), record.get(LONG, OFFSET),
                record.get(INT, DELIVERIES), Instant.ofEpochMilli(record.get(LONG, APPENDED)),
                Instant.ofEpochMilli(record.get(LONG, DIED)), text(record.asSlice(TEXTS + group, reason)),
                record.asSlice(TEXTS + group + reason));
    }

    private static String text(MemorySegment utf8) {
        return new String(utf8.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /**
     * Returns the size of this dead letter as a record.
     *
     * @return bytes
     */
    public long size() {
        return TEXTS + (long) utf8(group).length + utf8(reason).length + payload.byteSize();
    }

    /**
     * Writes this dead letter as a record.
     *
     * @param to at least {@link #size()} bytes
     */
    public void writeTo(MemorySegment to) {
        Objects.requireNonNull(to, "to");
        byte[] name = utf8(group);
        byte[] why = utf8(reason);
        to.set(LONG, 0, MAGIC);
        to.set(LONG, OFFSET, offset);
        to.set(LONG, APPENDED, time.toEpochMilli());
        to.set(LONG, DIED, died.toEpochMilli());
        to.set(INT, DELIVERIES, deliveries);
        to.set(INT, FORMAT, VERSION);
        to.set(INT, GROUP_LENGTH, name.length);
        to.set(INT, REASON_LENGTH, why.length);
        MemorySegment.copy(name, 0, to, ValueLayout.JAVA_BYTE, TEXTS, name.length);
        MemorySegment.copy(why, 0, to, ValueLayout.JAVA_BYTE, TEXTS + (long) name.length, why.length);
        MemorySegment.copy(payload, 0, to, TEXTS + (long) name.length + why.length, payload.byteSize());
    }
}
