package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.Side;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The job of one side. Opening makes an empty database and a reader that begins with the first record. Closing deletes the database. Both
 * are not measured, because a program does them only once.
 */
interface Ingest extends Side.Around {
    /** The size of a key. */
    int KEY = 8;

    /** Writes all records, syncs the log, and returns how many there were. */
    long run() throws Exception;

    /** Appends the records. A record is a key of eight bytes, followed by any bytes. The keys ascend, like the times of events. */
    static void appendAll(int records, int payloadBytes, Consumer<byte[]> sink) {
        byte[] payload = new byte[payloadBytes];
        new SplittableRandom(42).nextBytes(payload);
        for (long i = 1; i <= records; i++) {
            Keys.set(payload, i);
            sink.accept(payload);
        }
    }
}
