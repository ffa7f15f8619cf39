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
import java.nio.ByteBuffer;
import java.util.List;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Reads of entries in order. All sides look at the last byte of the key's index, and at the size and the ends of the value. */
final class ScanSides implements PairedSides {
    private static final int LAST = Long.BYTES - 1;

    private final PairedWorkload workload;
    private final RocksDB db;
    private final org.rocksdb.RocksDB rocksJava;
    private final boolean isRange;
    private final boolean isBackward;
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] key;
    private final MemorySegment nativeKey;
    private final MemorySegment keyCopy;
    private final MemorySegment valueCopy;
    private final ByteBuffer directStart;
    private final ByteBuffer directKey;
    private final ByteBuffer directValue;
    /** Kept like the buffers of the other sides, because a method reference is an object. */
    private final ScanVisitor look = this::look;
    private final ScanVisitor lookAtRange = this::lookAtRange;
    private long sum;
    private int seen;

    ScanSides(PairedWorkload workload, RocksDB db) {
        this.workload = workload;
        this.isRange = workload.paired().task() == PairedTask.RANGE;
        this.isBackward = workload.paired().task() == PairedTask.BACKWARD;
        this.db = db;
        this.rocksJava = NativeHandles.rocksJava(db);
        this.key = Keys.first(workload.paired().keyBytes());
        this.nativeKey = Keys.inSegment(key);
        this.keyCopy = Arena.global().allocate(key.length);
        this.valueCopy = Arena.global().allocate(workload.paired().valueBytes());
        this.directStart = Keys.inBuffer(key);
        this.directKey = ByteBuffer.allocateDirect(key.length);
        this.directValue = ByteBuffer.allocateDirect(workload.paired().valueBytes());
    }

    @Override
    public List<Side> all() {
        return switch (workload.paired().task()) {
            case FULL -> scans(_ -> ours(KeyRange.all()));
            case BACKWARD -> scans(_ -> ours(KeyRange.all().reversed()));
            case RANGE -> scans(this::ourRanges);
            default -> {
                KeyValueIterator ours = db.iterator();
                RocksIterator peer = rocksJava.newIterator();
                yield List.of(Side.ours("segment", seed -> ourSeeks(ours, seed)),
                        Side.peer("direct buffer", seed -> seeks(peer, seed)));
            }
        };
    }

    private List<Side> scans(Side.Work callback) {
        return List.of(Side.ours("callback", callback), Side.ours("iterator, copying", seed -> iterate(seed, true)),
                Side.ours("iterator, segments", seed -> iterate(seed, false)), Side.peer("direct buffer", this::peer));
    }

    private long iterate(long seed, boolean isCopied) {
        random.restart(seed);
        sum = 0;
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
                Keys.set(nativeKey, random.next(workload.keys() - PairedWorkload.RANGE_ENTRIES));
                yield entries.seek(nativeKey);
            }
        };
    }

    private boolean step(KeyValueIterator entries) {
        return isBackward ? entries.previous() : entries.next();
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
            // As on all sides, RocksDB gets no end of the range, and the scan stops after a number of entries.
            db.scan(KeyRange.from(key), lookAtRange);
        }
        return sum;
    }

    private long ourSeeks(KeyValueIterator entries, long seed) {
        random.restart(seed);
        sum = 0;
        for (int i = 0; i < workload.operations(); i++) {
            Keys.set(nativeKey, random.next(workload.keys()));
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

    private long peer(long seed) throws RocksDBException {
        random.restart(seed);
        sum = 0;
        for (int i = 0; i < (isRange ? workload.operations() : 1); i++) {
            seen = 0;
            try (RocksIterator entries = rocksJava.newIterator()) {
                for (start(entries); entries.isValid(); step(entries)) {
                    look(entries);
                    if (isRange && ++seen == PairedWorkload.RANGE_ENTRIES) {
                        break;
                    }
                }
                entries.status();
            }
        }
        return sum;
    }

    private void start(RocksIterator entries) {
        switch (workload.paired().task()) {
            case FULL -> entries.seekToFirst();
            case BACKWARD -> entries.seekToLast();
            default -> entries.seek(Keys.set(directStart, random.next(workload.keys() - PairedWorkload.RANGE_ENTRIES)));
        }
    }

    private void step(RocksIterator entries) {
        if (isBackward) {
            entries.prev();
        } else {
            entries.next();
        }
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
