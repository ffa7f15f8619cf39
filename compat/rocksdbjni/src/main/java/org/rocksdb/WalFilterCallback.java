package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWalFilter;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.batch.BatchFormat;
import dev.outcrop.rocksdb.engine.batch.BatchReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Map;
import java.util.Objects;

/** Calls a Java filter of the write-ahead log for RocksDB. */
final class WalFilterCallback implements NativeWalFilter.Filter {

    private final WalFilter filter;

    private WalFilterCallback(WalFilter filter) {
        this.filter = filter;
    }

    /** Makes the native filter. Options and databases point to it and keep it reachable. It is freed when it becomes unreachable. */
    static long initialize(AbstractWalFilter filter, long... nativeParameterHandles) {
        String name = Objects.requireNonNull(filter.name(), "The WAL filter has no name");
        NativeWalFilter callback = new NativeWalFilter(new WalFilterCallback(filter), filter, name);
        filter.keep(callback);
        return callback.address();
    }

    @Override
    public void families(Map<Integer, Long> logNumbers, Map<String, Integer> ids) {
        filter.columnFamilyLogNumberMap(logNumbers, ids);
    }

    @Override
    public int record(Scratch scratch, long logNumber, String file, long batch, long newBatch, long changed)
            throws RocksDBException {
        try (WriteBatch seen = new WriteBatch(batch, false); WriteBatch replacement = new WriteBatch()) {
            WalFilter.LogRecordFoundResult found = filter.logRecordFound(logNumber, file, seen, replacement);
            if (found.batchChanged) {
                copy(scratch, replacement.data(), newBatch);
                NativeCalls.writeByte(changed, (byte) 1);
            }
            return found.walProcessingOption.toNative();
        }
    }

    /** Copies records one by one: C has no function that replaces the records of a batch. */
    private static void copy(Scratch scratch, byte[] from, long to) {
        BatchReader record = new BatchReader(MemorySegment.ofArray(from));
        while (BatchBuffers.next(record)) {
            if (record.family() != 0) {
                throw new IllegalArgumentException("A WAL filter can write to the default column family only, not"
                        + " to that with the number " + record.family());
            }
            add(scratch, record, to);
        }
    }

    private static void add(Scratch scratch, BatchReader record, long to) {
        byte[] key = record.key().toArray(ValueLayout.JAVA_BYTE);
        byte[] value = record.value().toArray(ValueLayout.JAVA_BYTE);
        MemorySegment keyCopy = NativeValues.copy(scratch, key);
        MemorySegment valueCopy = NativeValues.copy(scratch, value);
        switch (record.tag()) {
            case BatchFormat.PUT -> NativeWriteBatch.put(to, keyCopy, key.length, valueCopy, value.length);
            case BatchFormat.MERGE -> NativeWriteBatch.merge(to, keyCopy, key.length, valueCopy, value.length);
            case BatchFormat.DELETE -> NativeWriteBatch.delete(to, keyCopy, key.length);
            case BatchFormat.SINGLE_DELETE -> NativeWriteBatch.singleDelete(to, keyCopy, key.length);
            case BatchFormat.DELETE_RANGE ->
                NativeWriteBatch.deleteRange(to, keyCopy, key.length, valueCopy, value.length);
            case BatchFormat.LOG_DATA -> NativeWriteBatch.putLogData(to, valueCopy, value.length);
            default -> throw new IllegalArgumentException(
                    "A WAL filter cannot write records of the kind " + record.tag());
        }
    }
}
