package dev.outcrop.benchmarks.pins;

import com.sun.management.ThreadMXBean;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.management.ManagementFactory;

/** Reads random values into memory that it keeps. For one thread at a time. */
final class ZipfReader {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    /** How many random keys are drawn before the first read, because drawing a key takes long. It is a power of two. */
    private static final int DRAWN = 1 << 18;
    private static final int BATCH = 64;

    private final RocksDB db;
    private final int[] drawn = new int[DRAWN];
    private final MemorySegment key = Keys.inSegment(Keys.first(PinsWorkload.KEY_BYTES));
    private final MemorySegment value = Arena.global().allocate(PinsWorkload.VALUE_BYTES);
    private int next;

    ZipfReader(RocksDB db, Zipf zipf) {
        this.db = db;
        RandomIndexes random = new RandomIndexes();
        for (int i = 0; i < drawn.length; i++) {
            // The upper 53 bits, as a fraction.
            drawn[i] = zipf.at((random.next() >>> 11) * 0x1.0p-53);
        }
    }

    /**
     * The cost of reading.
     *
     * @param reads how many reads there were
     * @param nanos how long they took together
     * @param bytes how much garbage they left
     */
    record Result(long reads, long nanos, long bytes) {
    }

    Result read(long count, long nanos) {
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        long reads = 0;
        while (reads < count || System.nanoTime() - start < nanos) {
            for (int i = 0; i < BATCH; i++) {
                read();
            }
            reads += BATCH;
        }
        long end = System.nanoTime();
        return new Result(reads, end - start, THREADS.getCurrentThreadAllocatedBytes() - bytes);
    }

    private void read() {
        Keys.set(key, drawn[next++ & (DRAWN - 1)]);
        long size = db.get(key, value);
        if (size != PinsWorkload.VALUE_BYTES) {
            throw new IllegalStateException(
                    "Read a value of " + size + " bytes instead of " + PinsWorkload.VALUE_BYTES);
        }
    }
}
