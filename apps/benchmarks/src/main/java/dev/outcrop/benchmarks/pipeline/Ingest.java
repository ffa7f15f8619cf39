package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.Side;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The job of one side. Opening makes an empty database and a reader of the records from the first one on, closing deletes the database
 * again; both are not measured, because a program does that once.
 */
interface Ingest extends Side.Around {
    /** The size of a key. */
    int KEY = 8;

    /** Writes all records, syncs the log, and returns how many there were. */
    long run() throws Exception;

    /** Appends the records: a key of eight bytes, in ascending order as of events, and any bytes behind it. */
    static void appendAll(int records, int payloadBytes, Consumer<byte[]> sink) {
        byte[] payload = new byte[payloadBytes];
        new SplittableRandom(42).nextBytes(payload);
        for (long i = 1; i <= records; i++) {
            Keys.set(payload, i);
            sink.accept(payload);
        }
    }
}
