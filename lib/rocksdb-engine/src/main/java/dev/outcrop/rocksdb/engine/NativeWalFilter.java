package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import dev.outcrop.rocksdb.engine.capi.CConstants;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A native filter of the write-ahead log that calls a Java one. RocksDB only points to it. The caller that passes its address to RocksDB
 * keeps this object reachable until no native code uses it.
 */
public final class NativeWalFilter implements Upcall {
    private static final MemorySegment FAMILIES = Callbacks.stub(MethodHandles.lookup(), "families",
            CCallbacks.ROCKSDB_WALFILTER_COLUMN_FAMILY_LOG_NUMBER_MAP_CB);
    private static final MemorySegment RECORD = Callbacks.stub(MethodHandles.lookup(), "record", "walRecord",
            CCallbacks.ROCKSDB_WALFILTER_LOG_RECORD_FOUND_CB);

    /** The number of operations in a batch, see BatchFormat. */
    private static final ValueLayout.OfInt COUNT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long COUNT_OFFSET = 8;

    private final NativeObject owned;

    /** A filter of an API's users. An exception ends the opening. */
    public interface Filter {
        /** Receives the oldest log that each column family needs, by number, and the numbers of the families. */
        void families(Map<Integer, Long> logNumbers, Map<String, Integer> ids);

        /**
         * Decides about a batch of the log.
         *
         * @param scratch  for the call
         * @param batch    the {@code rocksdb_writebatch_t *} that was found
         * @param newBatch an empty batch, which the filter may fill to be applied instead
         * @param changed  the address of a byte, which the filter sets to 1 if {@code newBatch} replaces the batch
         * @return one of {@code rocksdb_wal_filter_…}
         */
        int record(Scratch scratch, long logNumber, String file, long batch, long newBatch, long changed)
                throws Exception;
    }

    /**
     * Makes the native filter.
     *
     * @param filter must not know this object
     * @param owner  the user's object
     * @param name   for RocksDB
     */
    public NativeWalFilter(Filter filter, Object owner, String name) {
        this.owned = new NativeObject(this,
                CApi.rocksdb_walfilter_create(Callbacks.register(filter, owner, CallbackKind.WAL_FILTER, name),
                        Callbacks.DESTRUCTOR, FAMILIES, RECORD, Callbacks.NAME),
                CApi::rocksdb_walfilter_destroy);
    }

    /** Valid while this object is reachable. */
    public long address() {
        return owned.address();
    }

    static void families(RunningCallbacks running, long id, long familyIds, long logNumbers, long count, long names,
            long nameLengths, long namedIds, long nameCount) {
        try {
            Map<Integer, Long> logs = new LinkedHashMap<>();
            for (long i = 0; i < count; i++) {
                logs.put(intAt(familyIds, i), longAt(logNumbers, i));
            }
            Map<String, Integer> ids = new LinkedHashMap<>();
            for (long i = 0; i < nameCount; i++) {
                ids.put(string(longAt(names, i), longAt(nameLengths, i)), intAt(namedIds, i));
            }
            ((Filter) Callbacks.of(id).target).families(logs, ids);
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
        }
    }

    static int record(RunningCallbacks running, long id, long logNumber, long file, long fileLength, long batch,
            long newBatch, long changed) {
        try (Scratch scratch = NativeCall.scratchForCall()) {
            try {
                return ((Filter) Callbacks.of(id).target).record(scratch, logNumber, string(file, fileLength), batch,
                        newBatch, changed);
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
                return fail(scratch, batch, newBatch, changed);
            }
        }
    }

    /**
     * Makes the opening fail. RocksDB may skip a damaged record, and delete it. But if a replacement claims to have more operations than
     * the original batch, RocksDB fails, and does not read the replacement.
     */
    private static int fail(Scratch scratch, long batch, long newBatch, long changed) {
        int count = NativeWriteBatch.count(batch);
        long data = NativeWriteBatch.data(newBatch, scratch.wordAddress(1));
        NativeCalls.view(data, scratch.word(1)).set(COUNT, COUNT_OFFSET, count + 1);
        NativeCalls.writeByte(changed, (byte) 1);
        return CConstants.rocksdb_wal_filter_continue_processing;
    }

    private static int intAt(long array, long place) {
        return NativeCalls.view(array + place * Integer.BYTES, Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }

    private static long longAt(long array, long place) {
        return NativeCalls.readLong(array + place * Long.BYTES);
    }

    private static String string(long address, long length) {
        return NativeText.string(NativeCalls.view(address, length).toArray(ValueLayout.JAVA_BYTE));
    }
}
