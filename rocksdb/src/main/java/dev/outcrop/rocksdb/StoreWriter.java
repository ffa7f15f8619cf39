package dev.outcrop.rocksdb;

import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchCopy;
import dev.outcrop.rocksdb.engine.batch.SpareBatches;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Writes to a database with one set of options. */
final class StoreWriter implements DatabaseWriter {
    /** The word of scratch memory for a size that the C API returns. */
    private static final int SIZE = 1;

    private final Store store;
    private final Family defaultFamily;
    private final WriteOptions options;
    /** The native options; they live as long as {@link #options} is reachable, see the fences. */
    private final long writeOptions;
    private final boolean ignoreMissingFamilies;
    /** Whether RocksDB adds checksums to the batches that it is given, which stay in them. */
    private final boolean addsProtection;
    private final KeyValueWriter writes;

    StoreWriter(Store store, WriteOptions options) {
        this.store = store;
        this.defaultFamily = store.defaultFamily().family();
        this.options = options;
        this.writeOptions = options.use();
        this.ignoreMissingFamilies = options.ignoreMissingColumnFamilies();
        this.addsProtection = options.protectionBytesPerKey() != 0;
        this.writes = store.writer(defaultFamily, options);
    }

    @Override
    public void write(WriteBatch batch) {
        batch.requireFor(store);
        MemorySegment memory = batch.memory();
        long size = batch.byteSize();
        int kinds = batch.kinds();
        Headroom.require(CallbackGuard.READING);
        try (Scratch scratch = defaultFamily.enterToWrite()) {
            long copy = BatchCopy.create(scratch, memory, size, kinds);
            try {
                write(scratch, batch, copy, kinds);
            } finally {
                if (addsProtection) {
                    NativeWriteBatch.destroy(copy);
                } else {
                    SpareBatches.giveBack(scratch, copy, size);
                }
            }
            Status status = Native.status(scratch);
            if (status != null) {
                throw Native.failure(Conflicts.ofBatch(status, store, batch, store.kind().lockTimeout()));
            }
            CallbackFailures.rethrow();
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    /** Writes RocksDB's own copy of a batch, and that is what is checked: nobody can change it any more. */
    private void write(Scratch scratch, WriteBatch batch, long copy, int kinds) {
        long address = NativeWriteBatch.data(copy, scratch.wordAddress(SIZE));
        long size = scratch.word(SIZE);
        if (defaultFamily.timestampSize == 0 && !batch.isUnstamped() && BatchCopy.isPlain(address, size, kinds)) {
            store.kind().write(store.db, writeOptions, copy, Native.error(scratch));
            return;
        }
        try (BatchCheck check = new BatchCheck(store, defaultFamily, batch, ignoreMissingFamilies)) {
            check.check(NativeCalls.view(address, size), kinds);
            store.kind().write(store.db, writeOptions, copy, Native.error(scratch));
        }
    }

    @Override
    public void write(WriteBatchWithIndex batch) {
        batch.requireFor(store);
        try (Scratch scratch = defaultFamily.enterToWrite()) {
            batch.write(scratch, writeOptions);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        return writes.at(timestamp);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        writes.put(key, value);
    }

    @Override
    public void put(byte[] key, byte[] value) {
        writes.put(key, value);
    }

    @Override
    public void delete(MemorySegment key) {
        writes.delete(key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        writes.singleDelete(key);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        writes.deleteRange(begin, end);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        writes.merge(key, operand);
    }
}
