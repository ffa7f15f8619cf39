package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdb.capi.CCallbacks;
import dev.outcrop.rocksdb.capi.CConstants;
import dev.outcrop.rocksdb.internal.NativeObject;
import dev.outcrop.rocksdb.internal.batch.BatchFormat;
import dev.outcrop.rocksdb.internal.batch.BatchReader;
import dev.outcrop.rocksdb.internal.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.internal.callbacks.CallbackKind;
import dev.outcrop.rocksdb.internal.callbacks.Callbacks;
import dev.outcrop.rocksdb.internal.callbacks.RunningCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A native filter of the write-ahead log that calls a Java one. Options and databases point to it, and keep this object reachable; it is
 * freed when nobody does any more.
 */
final class WalFilterCallback implements Upcall {

    private static final MemorySegment FAMILIES = Callbacks.stub(MethodHandles.lookup(), "families",
            CCallbacks.ROCKSDB_WALFILTER_COLUMN_FAMILY_LOG_NUMBER_MAP_CB);
    private static final MemorySegment RECORD = Callbacks.stub(MethodHandles.lookup(), "record", "walRecord",
            CCallbacks.ROCKSDB_WALFILTER_LOG_RECORD_FOUND_CB);

    /** The number of records in a batch, see BatchFormat. */
    private static final ValueLayout.OfInt COUNT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long COUNT_OFFSET = 8;

    private final NativeObject owned;

    WalFilterCallback(WalFilter filter, String name) {
        Objects.requireNonNull(name, "The WAL filter has no name");
        owned = new NativeObject(this,
                CApi.rocksdb_walfilter_create(Callbacks.register(filter, CallbackKind.WAL_FILTER, name),
                        Callbacks.DESTRUCTOR, FAMILIES, RECORD, Callbacks.NAME),
                CApi::rocksdb_walfilter_destroy);
    }

    long address() {
        return owned.address();
    }

    @SuppressWarnings("unused") // through a function pointer
    static void families(RunningCallbacks running, long id, long familyIds, long logNumbers, long count, long names,
            long nameLengths, long namedIds, long nameCount) {
        try {
            Map<Integer, Long> logs = new HashMap<>();
            for (long i = 0; i < count; i++) {
                logs.put(intAt(familyIds, i), longAt(logNumbers, i));
            }
            Map<String, Integer> ids = new HashMap<>();
            for (long i = 0; i < nameCount; i++) {
                ids.put(Natives.text(longAt(names, i), longAt(nameLengths, i)), intAt(namedIds, i));
            }
            ((WalFilter) Callbacks.of(id).target).columnFamilyLogNumberMap(logs, ids);
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
        }
    }

    private static int intAt(long array, long place) {
        return NativeCalls.view(array + place * Integer.BYTES, Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }

    private static long longAt(long array, long place) {
        return NativeCalls.readLong(array + place * Long.BYTES);
    }

    @SuppressWarnings("unused") // through a function pointer
    static int record(RunningCallbacks running, long id, long logNumber, long file, long fileLength, long batch,
            long newBatch, long changed) {
        try (Scratch scratch = Scratch.open()) {
            try (WriteBatch seen = new WriteBatch(batch); WriteBatch replacement = new WriteBatch()) {
                WalFilter.LogRecordFoundResult found = ((WalFilter) Callbacks.of(id).target).logRecordFound(logNumber,
                        Natives.text(file, fileLength), seen, replacement);
                if (found.batchChanged) {
                    copy(replacement.data(), newBatch);
                    NativeCalls.writeByte(changed, (byte) 1);
                }
                return found.walProcessingOption.toNative();
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
                return fail(scratch, batch, newBatch, changed);
            }
        }
    }

    /** C has no function that replaces the records of a batch, and those that add some take families that are open. */
    private static void copy(byte[] from, long to) {
        try (Scratch scratch = Scratch.open()) {
            BatchReader record = new BatchReader(MemorySegment.ofArray(from), BatchBuffers.DAMAGED);
            while (record.next()) {
                if (record.family() != 0) {
                    throw new IllegalArgumentException("A WAL filter can write to the default column family only, not"
                            + " to that with the number " + record.family());
                }
                add(scratch, record, to);
            }
        }
    }

    private static void add(Scratch scratch, BatchReader record, long to) {
        byte[] key = record.key().toArray(ValueLayout.JAVA_BYTE);
        byte[] value = record.value().toArray(ValueLayout.JAVA_BYTE);
        MemorySegment keyCopy = Natives.copy(scratch, key);
        MemorySegment valueCopy = Natives.copy(scratch, value);
        switch (record.tag()) {
            case BatchFormat.PUT -> CApi.rocksdb_writebatch_put(to, keyCopy, key.length, valueCopy, value.length);
            case BatchFormat.MERGE -> CApi.rocksdb_writebatch_merge(to, keyCopy, key.length, valueCopy, value.length);
            case BatchFormat.DELETE -> CApi.rocksdb_writebatch_delete(to, keyCopy, key.length);
            case BatchFormat.SINGLE_DELETE -> CApi.rocksdb_writebatch_singledelete(to, keyCopy, key.length);
            case BatchFormat.DELETE_RANGE ->
                CApi.rocksdb_writebatch_delete_range(to, keyCopy, key.length, valueCopy, value.length);
            case BatchFormat.LOG_DATA -> CApi.rocksdb_writebatch_put_log_data(to, valueCopy, value.length);
            default -> throw new IllegalArgumentException(
                    "A WAL filter cannot write records of the kind " + record.tag());
        }
    }

    /**
     * Ends the opening. RocksDB may go on without a record that is damaged, and then delete it; but it gives up if a replacement claims to
     * have more records than there were, and looks no further at such a one.
     */
    private static int fail(Scratch scratch, long batch, long newBatch, long changed) {
        int count = CApi.rocksdb_writebatch_count(batch);
        long data = CApi.rocksdb_writebatch_data(newBatch, scratch.wordAddress(1));
        NativeCalls.view(data, scratch.word(1)).set(COUNT, COUNT_OFFSET, count + 1);
        NativeCalls.writeByte(changed, (byte) 1);
        return CConstants.rocksdb_wal_filter_continue_processing;
    }
}
