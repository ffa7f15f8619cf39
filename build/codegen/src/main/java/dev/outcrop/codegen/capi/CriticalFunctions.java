package dev.outcrop.codegen.capi;

import java.util.Map;
import java.util.Set;

/**
 * The functions that are linked with {@code Linker.Option.critical(false)}. The JVM does not change the thread's state for such a call,
 * which saves two thirds of the cost of the call. In return, the JVM cannot stop the thread during the call.
 *
 * <p>The source of each function (RocksDB's db/c.cc) shows that the function only reads or sets fields: it takes no lock, allocates
 * nothing, does no I/O, and cannot call Java (a comparator, a merge operator, a filter, a logger).
 */
final class CriticalFunctions {

    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("rocksdb_iter_valid", "reads a flag of the iterator"),
            Map.entry("rocksdb_iter_key", "hands out the current entry's pointer and length"),
            Map.entry("rocksdb_iter_value", "hands out the current entry's pointer and length"),
            Map.entry("rocksdb_iter_timestamp", "hands out the current entry's pointer and length"),
            Map.entry("rocksdb_pinnableslice_value", "reads pointer and length"),
            Map.entry("rocksdb_pinnable_handle_get_value", "reads pointer and length"),
            Map.entry("rocksdb_wal_iter_valid", "reads a flag of the iterator"),
            Map.entry("rocksdb_writebatch_clear", "sets fields of the batch, whose memory stays"),
            Map.entry("rocksdb_writebatch_count", "reads four bytes of the batch's header"),
            Map.entry("rocksdb_writebatch_data", "reads pointer and length of the batch"));

    private CriticalFunctions() {
    }

    static boolean contains(String function) {
        return REASONS.containsKey(function);
    }

    /** Returns the functions, for the test that checks that each is in the table. */
    static Set<String> names() {
        return REASONS.keySet();
    }
}
