package dev.outcrop.benchmarks.pipeline;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;

/** The records: a key of eight bytes, in ascending order, as of events; and any bytes behind it. */
final class Records {
    static final int KEY = 8;
    private static final long SEED = 42;
    private static final ValueLayout.OfLong BIG_ENDIAN = ValueLayout.JAVA_LONG_UNALIGNED
            .withOrder(ByteOrder.BIG_ENDIAN);

    private Records() {
    }

    /** Takes a record. */
    interface Sink {
        void append(byte[] payload);
    }

    static void appendAll(int records, int payloadBytes, Sink sink) {
        byte[] payload = new byte[payloadBytes];
        new SplittableRandom(SEED).nextBytes(payload);
        MemorySegment key = MemorySegment.ofArray(payload);
        for (long i = 1; i <= records; i++) {
            key.set(BIG_ENDIAN, 0, i);
            sink.append(payload);
        }
    }
}
