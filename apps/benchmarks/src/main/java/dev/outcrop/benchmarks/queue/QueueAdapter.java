package dev.outcrop.benchmarks.queue;

import java.lang.foreign.MemorySegment;

/**
 * An open queue. All its records have the same payload. Each JVM uses only one implementation, so that the JIT compiler inlines its calls.
 */
interface QueueAdapter extends AutoCloseable {
    /** All memory: the JIT compiler can remove all checks of a constant segment. */
    MemorySegment EVERYTHING = everything();

    @SuppressWarnings("restricted") // as in our queue; and Chronicle returns addresses
    private static MemorySegment everything() {
        return MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    }

    /** Creates an appender for the calling thread. */
    Producer producer();

    /** Creates a reader for the calling thread. It begins with the first record. */
    Reader reader(int group);

    /**
     * Loads the pages of the next records, {@code bytes} in all, into memory, so that appending causes no page faults. Returns the number
     * of records that this method itself has appended. It is called after the first append.
     */
    int prepare(long bytes) throws InterruptedException;

    @Override
    void close();

    /** Appends for one thread. */
    interface Producer extends AutoCloseable {
        /** Appends a record. */
        void append();

        /** Appends a record, and returns when the record is on the disk. */
        void appendDurably();

        /** Called as long as there is nothing to append. */
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

        /** Reads at most {@code most} records. Returns how many it has read. */
        abstract int read(int most);

        /** Does nothing by default. */
        @Override
        public void close() {
        }
    }
}
