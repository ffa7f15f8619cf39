package dev.outcrop.queue;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Payloads with their producer and number, from which all their bytes follow. */
final class Payloads {
    static final int SHORTEST = 16;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    private Payloads() {
    }

    /** Which thread appended a record, and as which of its own. */
    record Id(int producer, long number) {
    }

    /** A payload of a length. One that is too short for its producer depends on its length only. */
    static byte[] of(int producer, long number, int length) {
        byte[] bytes = new byte[length];
        fill(MemorySegment.ofArray(bytes), producer, number);
        return bytes;
    }

    static void fill(MemorySegment payload, int producer, long number) {
        long length = payload.byteSize();
        long state = 31 * length;
        long at = 0;
        if (length >= SHORTEST) {
            payload.set(INT, 0, producer);
            payload.set(INT, 4, (int) length);
            payload.set(LONG, 8, number);
            state += 0x9E3779B97F4A7C15L * (number + 1) + producer;
            at = SHORTEST;
        }
        for (; at + Long.BYTES <= length; at += Long.BYTES) {
            state += 0x9E3779B97F4A7C15L;
            payload.set(LONG, at, QueueLayout.mix(state));
        }
        for (; at < length; at++) {
            payload.set(ValueLayout.JAVA_BYTE, at, (byte) (state >>> 56 ^ at));
        }
    }

    /** Returns the thread that appended a payload of at least {@link #SHORTEST} bytes, after checking all bytes. */
    static Id intact(MemorySegment payload) {
        byte[] bytes = payload.toArray(ValueLayout.JAVA_BYTE);
        if (bytes.length < SHORTEST) {
            throw new AssertionError("a record of " + bytes.length + " bytes was not appended");
        }
        Id id = new Id(payload.get(INT, 0), payload.get(LONG, 8));
        requireEqual(bytes, of(id.producer(), id.number(), bytes.length), id);
        return id;
    }

    static void requireShortIntact(MemorySegment payload) {
        byte[] bytes = payload.toArray(ValueLayout.JAVA_BYTE);
        requireEqual(bytes, of(0, 0, bytes.length), "a short record");
    }

    private static void requireEqual(byte[] found, byte[] expected, Object what) {
        int at = Arrays.mismatch(found, expected);
        if (at >= 0) {
            throw new AssertionError(what + " is not intact: byte " + at + " of " + found.length + " is " + found[at]
                    + " instead of " + expected[at]);
        }
    }
}
