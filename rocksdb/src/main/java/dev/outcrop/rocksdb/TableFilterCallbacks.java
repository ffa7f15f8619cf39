package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.function.Predicate;

/** How RocksDB asks Java whether a read needs a table file. */
final class TableFilterCallbacks implements Upcall {
    static final MemorySegment FILTER = Callbacks.stub(MethodHandles.lookup(), "filter",
            CCallbacks.ROCKSDB_READOPTIONS_TABLE_FILTER_CB);
    private static final byte SKIP = 0;
    private static final byte READ = 1;

    private TableFilterCallbacks() {
    }

    /** The {@code void *state} for a filter; native read options own it. */
    static long register(Predicate<TableProperties> filter) {
        return Callbacks.register(new Filter(filter), "table filter", "");
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
