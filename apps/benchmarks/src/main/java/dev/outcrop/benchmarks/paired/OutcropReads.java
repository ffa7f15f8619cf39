package dev.outcrop.benchmarks.paired;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.paired.PairedWorkload.KeySequence;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.function.Function;

/** Reads of one value at a time by Outcrop, in each of its forms. Each form has its own loop, into which the JIT compiler inlines it. */
final class OutcropReads {
    private final RocksDB db;
    private final int keys;
    private final int operations;
    private final KeySequence sequence;
    private final byte[] key;
    private final byte[] value;
    private final MemorySegment keyOnHeap;
    private final MemorySegment valueOnHeap;
    private final ByteBuffer directKey;
    private final ByteBuffer directValue;
    private final MemorySegment nativeKey;
    private final MemorySegment nativeValue;
    /** Kept like the buffers, because a method reference is an object. */
    private final Function<MemorySegment, OutcropReads> callback = this::see;
    private long seen;

    OutcropReads(PairedWorkload workload, RocksDB db) {
        this.db = db;
        this.keys = workload.keys();
        this.operations = workload.operations();
        this.sequence = new KeySequence(workload);
        this.key = Keys.first(workload.paired().keyBytes());
        this.value = new byte[workload.paired().valueBytes()];
        this.keyOnHeap = MemorySegment.ofArray(key);
        this.valueOnHeap = MemorySegment.ofArray(value);
        this.directKey = Keys.inBuffer(key);
        this.directValue = ByteBuffer.allocateDirect(value.length);
        this.nativeKey = Keys.inSegment(key);
        this.nativeValue = Arena.global().allocate(value.length);
    }

    void readAll() {
        for (int index = 0; index < keys; index++) {
            Keys.set(nativeKey, index);
            if (db.get(nativeKey, nativeValue) != value.length) {
                throw new IllegalStateException("A value is missing or has the wrong size");
            }
        }
    }

    /** Reads into a new array. */
    long bytes(long seed) {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(key, sequence.next());
            byte[] found = Objects.requireNonNull(db.get(key));
            sum += (long) found.length + found[0] + found[found.length - 1];
        }
        return sum;
    }

    /** Reads into an array that is kept. */
    long preallocated(long seed) {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(key, sequence.next());
            int size = (int) db.get(keyOnHeap, valueOnHeap);
            sum += (long) size + value[0] + value[size - 1];
        }
        return sum;
    }

    /** Reads into a direct buffer that is kept. */
    long direct(long seed) {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(directKey, sequence.next());
            int size = (int) db.get(directKey, directValue.clear());
            sum += (long) size + directValue.get(0) + directValue.get(size - 1);
        }
        return sum;
    }

    /** Reads into a native segment that is kept. */
    long segment(long seed, boolean isTouched) {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(nativeKey, sequence.next());
            long size = db.get(nativeKey, nativeValue);
            sum += look(nativeValue, size);
            if (isTouched) {
                sum += touch(nativeValue, size);
            }
        }
        return sum;
    }

    /** Reads in place: the bytes of the block cache. */
    long pinned(long seed, boolean isTouched) {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(nativeKey, sequence.next());
            try (PinnedSlice slice = Objects.requireNonNull(db.getPinned(nativeKey))) {
                sum += look(slice.segment(), slice.size());
                if (isTouched) {
                    sum += touch(slice.segment(), slice.size());
                }
            }
        }
        return sum;
    }

    /** Reads in place, for the duration of a callback. */
    long callback(long seed) {
        sequence.restart(seed);
        seen = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(nativeKey, sequence.next());
            Objects.requireNonNull(db.getPinned(nativeKey, callback));
        }
        return seen;
    }

    /** Reads in place or into a native segment. Outcrop chooses. */
    long hybrid(long seed, boolean isTouched) {
        sequence.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(nativeKey, sequence.next());
            try (PinnedSlice slice = Objects.requireNonNull(db.getHybrid(nativeKey, nativeValue))) {
                sum += look(slice.segment(), slice.size());
                if (isTouched) {
                    sum += touch(slice.segment(), slice.size());
                }
            }
        }
        return sum;
    }

    /** Looks at a value. Leaves its result in a field, because a boxed number would be garbage. */
    private OutcropReads see(MemorySegment found) {
        seen += look(found, found.byteSize());
        return this;
    }

    private static long look(MemorySegment found, long size) {
        return size + found.get(JAVA_BYTE, 0) + found.get(JAVA_BYTE, size - 1);
    }

    /** Reads a byte of each cache line. Returns 0 if all bytes are correct. */
    private static long touch(MemorySegment found, long size) {
        long sum = 0;
        for (int i = PairedWorkload.CACHE_LINE; i < (int) size - 1; i += PairedWorkload.CACHE_LINE) {
            sum += found.get(JAVA_BYTE, i) - PairedWorkload.VALUE;
        }
        return sum;
    }
}
