package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.function.Predicate;

/** How RocksDB asks Java whether a read needs a table file. */
final class TableFilterCallbacks implements Upcall {
    static final MemorySegment FILTER = Callbacks.stub(MethodHandles.lookup(), "filter", "readTable",
            CCallbacks.ROCKSDB_READOPTIONS_TABLE_FILTER_CB);
    private static final byte SKIP = 0;
    private static final byte READ = 1;

    private TableFilterCallbacks() {
    }

    /** The {@code void *state} for a filter; native read options own it. */
    static long register(Predicate<TableProperties> filter) {
        return Callbacks.register(new Filter(filter), filter, CallbackKind.TABLE_FILTER, "");
    }

    /** Keeps the type of the predicate. */
    private record Filter(Predicate<TableProperties> predicate) {
    }

    static byte filter(RunningCallbacks running, long id, long properties) {
        try {
            TableProperties copy;
            try (Scratch scratch = Native.scratchForCall()) {
                copy = TableProperties.of(properties, scratch);
            }
            return ((Filter) Callbacks.of(id).target).predicate.test(copy) ? READ : SKIP;
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return READ;
        }
    }
}
