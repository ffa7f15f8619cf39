package dev.outcrop.benchmarks.queue;

/**
 * An open queue; all its records have the same payload. Each JVM uses one implementation only, so that calls of it
 * are inlined.
 */
interface Subject extends AutoCloseable {
    /** An appender for the calling thread. */
    Producer producer();

    /** A reader for the calling thread, which begins with the first record. */
    Reader reader(int group);

    /**
     * Brings the memory of the next records, {@code bytes} in all, into memory so that appending meets no page fault. Returns the number of
     * records that this itself has appended; something was appended before.
     */
    int prepare(long bytes) throws InterruptedException;

    @Override
    void close();

    /** Appends for one thread. */
    interface Producer extends AutoCloseable {
        /** Appends a record. */
        void append();

        /** Appends a record, and returns when it is on the disk. */
        void appendDurably();

        /** Is called as long as there is nothing to append. */
        void idle();

        @Override
        void close();
    }

    /** Reads for one thread. */
    interface Reader extends AutoCloseable {
        /** Reads at most so many records; returns how many it has read. */
        int read(int most);

        /** The sum of everything that was read, see {@link Payload#sum}. */
        long sum();

        @Override
        void close();
    }
}
