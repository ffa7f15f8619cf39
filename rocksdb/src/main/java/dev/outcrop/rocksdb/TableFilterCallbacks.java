package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdb.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Predicate;

/** How RocksDB asks Java whether a read needs a table file. */
final class TableFilterCallbacks implements Upcall {
    private static final MemorySegment FILTER = Callbacks.stub(MethodHandles.lookup(), "filter",
            CCallbacks.ROCKSDB_READOPTIONS_TABLE_FILTER_CB);
    private static final byte SKIP = 0;
    private static final byte READ = 1;

    private TableFilterCallbacks() {
    }

    /** Sets the filter of native read options, which own it. */
    static void set(long readOptions, Predicate<TableProperties> filter) {
        long id = Callbacks.register(new Filter(Objects.requireNonNull(filter, "filter")), "table filter", "");
        CApi.rocksdb_readoptions_set_table_filter(readOptions, id, Callbacks.DESTRUCTOR, FILTER);
    }

    /** Keeps the type of the predicate. */
    private record Filter(Predicate<TableProperties> predicate) {
    }

    static byte filter(long id, long properties) {
        try {
            try {
                TableProperties copy;
                try (Scratch scratch = Native.scratch()) {
                    copy = TableProperties.of(properties, scratch);
                }
                return ((Filter) Callbacks.of(id).target).predicate.test(copy) ? READ : SKIP;
            } catch (Throwable e) {
                CallbackFailures.add(id, e);
                return READ;
            }
        } catch (Throwable e) {
            // No stack or no memory left to report it; an exception would end the JVM.
            return READ;
        }
    }
}
