package dev.outcrop.benchmarks.scan;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Scans by rocksdbjni, in each of its forms. */
@State(Scope.Thread)
public class RocksJavaScan {
    private final ScanWorkload workload = ScanWorkload.current();
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] key = Keys.first(ScanWorkload.KEY_BYTES);
    private final byte[] value = new byte[workload.valueBytes()];
    private final ByteBuffer directStart = ByteBuffer.allocateDirect(ScanWorkload.KEY_BYTES).put(0, key);
    private final ByteBuffer directKey = ByteBuffer.allocateDirect(ScanWorkload.KEY_BYTES);
    private final ByteBuffer directValue = ByteBuffer.allocateDirect(workload.valueBytes());
    /** Is kept for seeks. */
    private @Nullable RocksIterator kept;

    /** Allocates what a thread reuses. */
    public RocksJavaScan() {
    }

    /**
     * Brings everything that may be read into the cache.
     *
     * @param db the database
     */
    @Setup
    public void warm(RocksJavaDatabase db) {
        RocksIterator entries = db.database.newIterator();
        kept = entries;
        for (entries.seekToFirst(); entries.isValid(); entries.next()) {
            workload.checked(entries.value(value));
        }
    }

    /** Frees what a thread reuses. */
    @TearDown
    public void close() {
        kept().close();
    }

    /**
     * New arrays for every entry.
     *
     * @param db the database
     * @return what was looked at
     * @throws RocksDBException if the scan fails
     */
    @Benchmark
    public long bytes(RocksJavaDatabase db) throws RocksDBException {
        long sum = 0;
        int seen = 0;
        try (RocksIterator entries = db.database.newIterator()) {
            for (start(entries); entries.isValid() && seen < workload.entries(); step(entries)) {
                byte[] foundKey = entries.key();
                byte[] found = entries.value();
                int size = (int) workload.checked(found.length);
                sum += (long) foundKey[0] + size + found[0] + found[size - 1];
                seen++;
            }
            entries.status();
        }
        workload.requireAll(seen);
        return sum;
    }

    /**
     * Arrays that are kept.
     *
     * @param db the database
     * @return what was looked at
     * @throws RocksDBException if the scan fails
     */
    @Benchmark
    public long preallocated(RocksJavaDatabase db) throws RocksDBException {
        long sum = 0;
        int seen = 0;
        try (RocksIterator entries = db.database.newIterator()) {
            for (start(entries); entries.isValid() && seen < workload.entries(); step(entries)) {
                entries.key(key);
                int size = (int) workload.checked(entries.value(value));
                sum += (long) key[0] + size + value[0] + value[size - 1];
                seen++;
            }
            entries.status();
        }
        workload.requireAll(seen);
        return sum;
    }

    /**
     * Direct buffers that are kept.
     *
     * @param db the database
     * @return what was looked at
     * @throws RocksDBException if the scan fails
     */
    @Benchmark
    public long direct(RocksJavaDatabase db) throws RocksDBException {
        long sum = 0;
        int seen = 0;
        try (RocksIterator entries = db.database.newIterator()) {
            for (start(entries); entries.isValid() && seen < workload.entries(); step(entries)) {
                entries.key(directKey.clear());
                int size = (int) workload.checked(entries.value(directValue.clear()));
                sum += (long) directKey.get(0) + size + directValue.get(0) + directValue.get(size - 1);
                seen++;
            }
            entries.status();
        }
        workload.requireAll(seen);
        return sum;
    }

    /** A seek by an array. */
    @Benchmark
    public void seekBytes() {
        Keys.set(key, random.next(workload.starts()));
        kept().seek(key);
        require(kept().isValid());
    }

    /** A seek by a direct buffer. */
    @Benchmark
    public void seekDirect() {
        directStart.clear().putLong(0, random.next(workload.starts()));
        kept().seek(directStart);
        require(kept().isValid());
    }

    private RocksIterator kept() {
        return Objects.requireNonNull(kept, "kept");
    }

    private static void require(boolean is) {
        if (!is) {
            throw new IllegalStateException("A key is missing");
        }
    }

    private void start(RocksIterator entries) {
        switch (workload.movement()) {
            case FULL -> entries.seekToFirst();
            case BACKWARD -> entries.seekToLast();
            default -> {
                directStart.clear().putLong(0, random.next(workload.starts()));
                entries.seek(directStart);
            }
        }
    }

    private void step(RocksIterator entries) {
        if (workload.movement() == Movement.BACKWARD) {
            entries.prev();
        } else {
            entries.next();
        }
    }
}
