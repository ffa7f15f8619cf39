package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;

/**
 * A payload with its producer and number, from which all its bytes follow.
 *
 * @param producer who
 * @param sequence counts from 0 for each producer
 */
record Payload(long producer, long sequence) {
    /** The fewest bytes in which it can be said. */
    static final int LEAST = 16;

    /** The bytes. */
    byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(producer * 1_000_003 + sequence).nextBytes(bytes);
        ByteBuffer.wrap(bytes).putLong(producer).putLong(sequence);
        return bytes;
    }

    /** Reads the bytes, and fails if there is one that is not as it should be. */
    static Payload of(MemorySegment memory) {
        byte[] bytes = memory.toArray(ValueLayout.JAVA_BYTE);
        ByteBuffer head = ByteBuffer.wrap(bytes);
        Payload payload = new Payload(head.getLong(), head.getLong());
        if (!Arrays.equals(payload.bytes(bytes.length), bytes)) {
            throw new AssertionError("torn: " + payload + " of " + bytes.length + " bytes");
        }
        return payload;
    }
}
