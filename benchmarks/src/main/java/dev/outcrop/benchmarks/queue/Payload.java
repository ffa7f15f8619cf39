package dev.outcrop.benchmarks.queue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;

/** The payload of all records. */
final class Payload {
    private Payload() {
    }

    /** A payload in native memory; the same one for the same size. */
    static MemorySegment of(int bytes) {
        MemorySegment payload = Arena.global().allocate(bytes, Long.BYTES);
        Random random = new Random(bytes);
        for (long at = 0; at < bytes; at += Long.BYTES) {
            payload.set(ValueLayout.JAVA_LONG, at, random.nextLong());
        }
        return payload;
    }

    /** Looks at every byte: adds up longs. Both sides read with this. */
    static long sum(MemorySegment memory, long from, long bytes) {
        long sum = 0;
        for (long at = from; at < from + bytes; at += Long.BYTES) {
            sum += memory.get(ValueLayout.JAVA_LONG_UNALIGNED, at);
        }
        return sum;
    }
}
