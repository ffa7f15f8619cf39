package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** Asks table filters in Java. */
final class TableFilterCalls implements Upcall {

    private static final MemorySegment FILTER = Callbacks.stub(MethodHandles.lookup(), "filter", "readTable",
            CCallbacks.ROCKSDB_READOPTIONS_TABLE_FILTER_CB);
    private static final byte SKIP = 0;
    private static final byte READ = 1;

    private TableFilterCalls() {
    }

    /** Gives native read options a filter; they own what stands for it. */
    static void set(long readOptions, AbstractTableFilter filter) {
        long id = Callbacks.register(filter, CallbackKind.TABLE_FILTER, filter.getClass().getName());
        CApi.rocksdb_readoptions_set_table_filter(readOptions, id, Callbacks.DESTRUCTOR, FILTER);
    }

    @SuppressWarnings("unused") // through a function pointer
    static byte filter(RunningCallbacks running, long id, long properties) {
        try {
            TableProperties copy;
            try (Scratch scratch = Scratch.open()) {
                copy = EventValues.table(properties, scratch);
            }
            return ((TableFilter) Callbacks.of(id).target).filter(copy) ? READ : SKIP;
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return READ;
        }
    }
}
