package dev.outcrop.benchmarks.paired;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.rocksdb.KeyRange;
import dev.outcrop.rocksdb.KeyValueIterator;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.ScanVisitor;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Entries in order. Of an entry all sides look at the last byte of the key's index, and at the value's size and ends.
 */
final class ScanSides implements PairedSides {
    private static final ValueLayout.OfLong INDEX = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);
    private static final int LAST = Long.BYTES - 1;

    private final PairedWorkload workload;
    private final RocksDB db;
    private final org.rocksdb.RocksDB rocksJava;
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] key;
    private final MemorySegment nativeKey;
    private final MemorySegment keyCopy;
    private final MemorySegment valueCopy;
    private final ByteBuffer directStart;
    private final ByteBuffer directKey;
    private final ByteBuffer directValue;
    /** Kept, as the buffers of the others are: a method reference is an object. */
    private final ScanVisitor look = this::look;
    private final ScanVisitor lookAtRange = this::lookAtRange;
    private long sum;
    private int seen;

    ScanSides(PairedWorkload workload, RocksDB db) {
        this.workload = workload;
        this.db = db;
        this.rocksJava = NativeHandles.rocksJava(db);
        this.key = Keys.first(workload.paired().keyBytes());
        this.nativeKey = Arena.global().allocateFrom(JAVA_BYTE, key);
        this.keyCopy = Arena.global().allocate(key.length);
        this.valueCopy = Arena.global().allocate(workload.paired().valueBytes());
        this.directStart = ByteBuffer.allocateDirect(key.length).put(0, key);
        this.directKey = ByteBuffer.allocateDirect(key.length);
        this.directValue = ByteBuffer.allocateDirect(workload.paired().valueBytes());
    }

    @Override
    public List<Side> all() {
        return switch (workload.paired().task()) {
            case FULL -> scans(seed -> ours(KeyRange.all()), seed -> forward());
            case BACKWARD -> scans(seed -> ours(KeyRange.all().reversed()), seed -> backward());
            case RANGE -> scans(this::ourRanges, this::ranges);
            default -> {
                KeyValueIterator ours = db.iterator();
                RocksIterator peer = rocksJava.newIterator();
                yield List.of(Side.ours("segment", seed -> ourSeeks(ours, seed)),
                        Side.peer("direct buffer", seed -> seeks(peer, seed)));
            }
        };
    }

    private List<Side> scans(Side.Work callback, Side.Work peer) {
        return List.of(Side.ours("callback", callback), Side.ours("iterator, copying", seed -> iterate(seed, true)),
                Side.ours("iterator, segments", seed -> iterate(seed, false)), Side.peer("direct buffer", peer));
    }

    private long iterate(long seed, boolean isCopied) {
        random.restart(seed);
        sum = 0;
        boolean isRange = workload.paired().task() == PairedTask.RANGE;
        for (int i = 0; i < (isRange ? workload.operations() : 1); i++) {
            seen = 0;
            try (KeyValueIterator entries = db.iterator()) {
                for (boolean is = start(entries); is; is = step(entries)) {
                    if (isCopied) {
                        entries.key(keyCopy);
                        look(keyCopy, valueCopy, entries.value(valueCopy));
                    } else {
                        look(entries.key(), entries.value());
                    }
                    if (isRange && ++seen == PairedWorkload.RANGE_ENTRIES) {
                        break;
                    }
                }
            }
        }
        return sum;
    }

    private boolean start(KeyValueIterator entries) {
        return switch (workload.paired().task()) {
            case FULL -> entries.seekToFirst();
            case BACKWARD -> entries.seekToLast();
            default -> {
                nativeKey.set(INDEX, 0, random.next(workload.keys() - PairedWorkload.RANGE_ENTRIES));
                yield entries.seek(nativeKey);
            }
        };
    }

    private boolean step(KeyValueIterator entries) {
        return workload.paired().task() == PairedTask.BACKWARD ? entries.previous() : entries.next();
    }

    private long ours(KeyRange range) {
        sum = 0;
        db.scan(range, look);
        return sum;
    }

    private long ourRanges(long seed) {
        random.restart(seed);
        sum = 0;
        for (int i = 0; i < workload.operations(); i++) {
            seen = 0;
            Keys.set(key, random.next(workload.keys() - PairedWorkload.RANGE_ENTRIES));
            // As all sides do: RocksDB knows no end, and the scan stops after so many entries.
            db.scan(KeyRange.from(key), lookAtRange);
        }
        return sum;
    }

    private long ourSeeks(KeyValueIterator entries, long seed) {
        random.restart(seed);
        sum = 0;
        for (int i = 0; i < workload.operations(); i++) {
            nativeKey.set(INDEX, 0, random.next(workload.keys()));
            sum += entries.seek(nativeKey) ? 1 : 0;
        }
        look(entries.key(), entries.value());
        return sum;
    }

    private boolean look(MemorySegment foundKey, MemorySegment value) {
        look(foundKey, value, value.byteSize());
        return true;
    }

    private void look(MemorySegment foundKey, MemorySegment value, long size) {
        sum += foundKey.get(JAVA_BYTE, LAST) + size + value.get(JAVA_BYTE, 0) + value.get(JAVA_BYTE, size - 1);
    }

    private boolean lookAtRange(MemorySegment foundKey, MemorySegment value) {
        look(foundKey, value);
        return ++seen < PairedWorkload.RANGE_ENTRIES;
    }

    private long forward() throws RocksDBException {
        sum = 0;
        try (RocksIterator entries = rocksJava.newIterator()) {
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                look(entries);
            }
            entries.status();
        }
        return sum;
    }

    private long backward() throws RocksDBException {
        sum = 0;
        try (RocksIterator entries = rocksJava.newIterator()) {
            for (entries.seekToLast(); entries.isValid(); entries.prev()) {
                look(entries);
            }
            entries.status();
        }
        return sum;
    }

    private long ranges(long seed) throws RocksDBException {
        random.restart(seed);
        sum = 0;
        for (int i = 0; i < workload.operations(); i++) {
            seen = 0;
            directStart.clear().putLong(0, random.next(workload.keys() - PairedWorkload.RANGE_ENTRIES));
            try (RocksIterator entries = rocksJava.newIterator()) {
                for (entries.seek(directStart); entries.isValid() && seen < PairedWorkload.RANGE_ENTRIES; entries
                        .next()) {
                    look(entries);
                    seen++;
                }
                entries.status();
            }
        }
        return sum;
    }

    private long seeks(RocksIterator entries, long seed) {
        random.restart(seed);
        sum = 0;
        for (int i = 0; i < workload.operations(); i++) {
            directStart.clear().putLong(0, random.next(workload.keys()));
            entries.seek(directStart);
            sum += entries.isValid() ? 1 : 0;
        }
        look(entries);
        return sum;
    }

    private void look(RocksIterator entries) {
        entries.key(directKey.clear());
        int size = entries.value(directValue.clear());
        sum += (long) directKey.get(LAST) + size + directValue.get(0) + directValue.get(size - 1);
    }
}
