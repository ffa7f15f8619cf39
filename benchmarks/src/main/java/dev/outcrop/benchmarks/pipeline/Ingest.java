package dev.outcrop.benchmarks.pipeline;

/** The job, as one side does it. Opening and closing are not measured: a program does that once. */
interface Ingest {
    /** Opens an empty database, and what reads the records from the first one on. */
    void open() throws Exception;

    /**
     * Writes all records, and brings the log to the disk.
     *
     * @return how many they were
     */
    long run() throws Exception;

    /** Closes and deletes the database. */
    void close() throws Exception;
}
