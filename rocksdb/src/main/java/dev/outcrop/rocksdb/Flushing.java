package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.ref.Reference;
import java.util.List;

/** Writes memtables into table files, and the log to the disk. */
final class Flushing {
    private Flushing() {
    }

    static void flush(Family family, FlushOptions options) {
        try (Scratch scratch = family.enterToWait()) {
            Store store = family.store;
            begin(store, options);
            store.kind().flush(store.db, options.use(), family.handle, Native.error(scratch));
            Native.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    static void flush(Store store, List<ColumnFamily> columnFamilies, FlushOptions options) {
        // An atomic flush of one that is named twice would read beyond its list of memtables.
        List<Family> families = columnFamilies.stream().map(store::own).distinct().toList();
        if (families.isEmpty()) {
            // An atomic flush of nothing would never end.
            throw new IllegalArgumentException("There is no column family to flush");
        }
        try (Scratch scratch = store.enterToWait(); EnteredFamilies _ = EnteredFamilies.all(families)) {
            begin(store, options);
            MemorySegment handles = scratch.allocate(ValueLayout.JAVA_LONG, Math.max(1, families.size()));
            for (int i = 0; i < families.size(); i++) {
                handles.setAtIndex(ValueLayout.JAVA_LONG, i, families.get(i).handle);
            }
            store.kind().flush(store.db, options.use(), handles.address(), families.size(), Native.error(scratch));
            Native.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private static void begin(Store store, FlushOptions options) {
        // RocksDB would make an atomic flush ready, and wait for ever for somebody to do it.
        store.requireWritable("flushed");
        if (options.forceAtomicFlush()) {
            store.forcedFlushes.beforeForced(store);
        }
    }

    static void flushWal(Store store, boolean sync) {
        try (Scratch scratch = store.enterToWrite()) {
            store.requireWritable("flushed");
            store.kind().flushWal(store.db, sync, Native.error(scratch));
            Native.check(scratch);
        }
    }

    static void flushWal(Store store, FlushWalOptions options) {
        try (Scratch scratch = store.enterToWrite()) {
            store.requireWritable("flushed");
            store.kind().flushWal(store.db, options.use(), Native.error(scratch));
            Native.check(scratch);
        } finally {
            Reference.reachabilityFence(options);
        }
    }
}
