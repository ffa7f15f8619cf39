package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** Native table filters, which ask Java whether a read needs a table file. */
public final class NativeTableFilter implements Upcall {
    private static final MemorySegment FILTER = Callbacks.stub(MethodHandles.lookup(), "filter", "readTable",
            CCallbacks.ROCKSDB_READOPTIONS_TABLE_FILTER_CB);
    private static final byte SKIP = 0;
    private static final byte READ = 1;

    private NativeTableFilter() {
    }

    /** Decides about table files. */
    public interface TableFilter {
        /** Returns whether to read a file with these {@code rocksdb_table_properties_t *}, which are valid during the call. */
        boolean reads(long properties);
    }

    /** Sets the filter of native read options, which own it; the owner is the user's object. */
    public static void set(long readOptions, TableFilter filter, Object owner, String name) {
        CApi.rocksdb_readoptions_set_table_filter(readOptions,
                Callbacks.register(filter, owner, CallbackKind.TABLE_FILTER, name), Callbacks.DESTRUCTOR, FILTER);
    }

    static byte filter(RunningCallbacks running, long id, long properties) {
        try {
            return ((TableFilter) Callbacks.of(id).target).reads(properties) ? READ : SKIP;
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return READ;
        }
    }
}
