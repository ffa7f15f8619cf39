package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.paired.PairedWorkload.KeySequence;
import java.nio.ByteBuffer;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads of one value at a time by rocksdbjni, in each of its forms. */
final class RocksJavaReads {
    private final RocksDB db;
    private final int operations;
    private final KeySequence sequence;
    private final ReadOptions options = new ReadOptions();
    private final byte[] key;
    private final byte[] value;
    private final ByteBuffer directKey;
    private final ByteBuffer directValue;

    RocksJavaReads(PairedWorkload workload, RocksDB db) {
        this.db = db;
        this.operations = workload.operations();
        this.sequence = new KeySequence(workload);
        this.key = Keys.first(workload.paired().keyBytes());
        this.value = new byte[workload.paired().valueBytes()];
        this.directKey = Keys.inBuffer(key);
        this.directValue = ByteBuffer.allocateDirect(value.length);
    }

    /** Reads into a new array. */
    long bytes(long seed) throws RocksDBException {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(key, sequence.next());
            byte[] found = db.get(key);
            sum += (long) found.length + found[0] + found[found.length - 1];
        }
        return sum;
    }

    /** Reads into an array that is kept. */
    long preallocated(long seed, boolean isTouched) throws RocksDBException {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(key, sequence.next());
            int size = db.get(key, value);
            sum += (long) size + value[0] + value[size - 1];
            if (isTouched) {
                sum += touch(value, size);
            }
        }
        return sum;
    }

    /** Reads into a direct buffer that is kept. */
    long direct(long seed, boolean isTouched) throws RocksDBException {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(directKey, sequence.next());
            int size = db.get(options, directKey, directValue.clear());
            sum += (long) size + directValue.get(0) + directValue.get(size - 1);
            if (isTouched) {
                sum += touch(directValue, size);
            }
        }
        return sum;
    }

    private static long touch(byte[] found, int size) {
        long sum = 0;
        for (int i = PairedWorkload.CACHE_LINE; i < size - 1; i += PairedWorkload.CACHE_LINE) {
            sum += found[i] - PairedWorkload.VALUE;
        }
        return sum;
    }

    private static long touch(ByteBuffer found, int size) {
        long sum = 0;
        for (int i = PairedWorkload.CACHE_LINE; i < size - 1; i += PairedWorkload.CACHE_LINE) {
            sum += found.get(i) - PairedWorkload.VALUE;
        }
        return sum;
    }
}
