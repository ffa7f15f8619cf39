package dev.outcrop.benchmarks.queue;

import java.lang.foreign.MemorySegment;

/** An open queue; all its records have the same payload. Each JVM uses one implementation only, so that calls of it are inlined. */
interface QueueAdapter extends AutoCloseable {
    /** All memory: a constant segment needs no checks that the JIT compiler cannot remove. */
    MemorySegment EVERYTHING = everything();

    @SuppressWarnings("restricted") // as in our queue; and Chronicle hands out addresses
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** Creates an appender for the calling thread. */
    Producer producer();

    /** Creates a reader for the calling thread, which begins with the first record. */
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

        /** Appends a record, and returns after it is on the disk. */
        void appendDurably();

        /** Is called as long as there is nothing to append. */
        default void idle() {
            Thread.onSpinWait();
        }

        /** Does nothing by default. */
        @Override
        default void close() {
        }
    }

    /** Reads for one thread. */
    abstract class Reader implements AutoCloseable {
        /** The sum of everything that was read, see {@link QueueSetup#sum}. */
        long sum;

        /** Reads at most so many records; returns how many it has read. */
        abstract int read(int most);

        /** Does nothing by default. */
        @Override
        public void close() {
        }
    }
}
