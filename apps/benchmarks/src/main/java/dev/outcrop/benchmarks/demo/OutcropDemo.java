package dev.outcrop.benchmarks.demo;

import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.PinnedSlice;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.ScanVisitor;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** The demo's phases through {@code dev.outcrop.rocksdb}: it puts native segments and reads pinned values. No value is ever on the heap. */
final class OutcropDemo extends DemoSide {
    private final DemoRecords records;
    private final RocksDB db;

    OutcropDemo(Path database, String options, DemoRecords records) {
        super(records);
        this.records = records;
        this.db = RocksDB.open(database, new Options().set(options));
    }

    public static void main(String[] args) {
        main(args, OutcropDemo::new);
    }

    RocksDB db() {
        return db;
    }

    @Override
    long put(int index) {
        MemorySegment key = records.keys().get(index);
        MemorySegment value = records.values().get(index);
        long start = System.nanoTime();
        db.put(key, value);
        return System.nanoTime() - start;
    }

    @Override
    void flush() {
        db.flush();
    }

    @Override
    long read(int index) {
        MemorySegment key = records.keys().get(index);
        long start = System.nanoTime();
        PinnedSlice slice = db.getPinned(key);
        MemorySegment value = slice == null ? null : slice.segment();
        long readable = System.nanoTime();
        long release;
        try (slice) {
            compare(index, value);
            release = System.nanoTime();
        }
        return readable - start + System.nanoTime() - release;
    }

    @Override
    void scanAll() {
        db.scan(new Visitor());
    }

    @Override
    public void close() {
        db.close();
    }

    private final class Visitor implements ScanVisitor {
        private long left = System.nanoTime();

        @Override
        public boolean visit(MemorySegment key, MemorySegment value) {
            long readable = System.nanoTime();
            found(key, value, readable - left);
            left = System.nanoTime();
            return true;
        }
    }
}
