package dev.outcrop.benchmarks.pipeline;

import dev.outcrop.benchmarks.harness.Side;

/**
 * The job, as one side does it. Opening makes an empty database and what reads the records from the first one on, closing deletes it again;
 * both are not measured, because a program does that once.
 */
interface Ingest extends Side.Around {
    /** Writes all records, syncs the log, and returns how many there were. */
    long run() throws Exception;
}
