package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.NativeStatistics;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The counters of a {@code PerfContext}. They belong to a thread and end with it; only that thread may read them. */
final class PerfCounters {

    private static final Map<String, Export> COUNTERS = new ConcurrentHashMap<>();

    private final Thread thread = Thread.currentThread();

    PerfCounters(PerfContext context) {
        // The thread is enough.
    }

    /** Reads a counter by the name of its getter. */
    long read(String getter) {
        return COUNTERS.computeIfAbsent(getter, name -> new Export("PerfContext_" + name, "(J)J")).call(context());
    }

    void reset() {
        Exports.PERF_CONTEXT_RESET.call(context());
    }

    String text(boolean excludeZero) {
        try (Scratch scratch = Scratch.open()) {
            // A rocksdb_perfcontext_t has the address of the context.
            scratch.setWord(0, context());
            return NativeStatistics.report(scratch.wordAddress(0), excludeZero);
        }
    }

    /** Returns the native context of the current carrier thread: a virtual thread may have moved. */
    private long context() {
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("The counters belong to the thread '" + thread.getName()
                    + "', which called RocksDB.getPerfContext(): only that thread can read them");
        }
        return Exports.ROCKS_DB_GET_PERF_CONTEXT_NATIVE.call();
    }

    static void setPerfLevel(RocksDB database, PerfLevel level) {
        if (level.getValue() <= PerfLevel.UNINITIALIZED.getValue()
                || level.getValue() > PerfLevel.ENABLE_TIME.getValue()) {
            throw new IllegalArgumentException("Unable to set " + level + " level");
        }
        if (level != PerfLevel.DISABLE) {
            IdleIterators.startCounting();
        }
        Exports.ROCKS_DB_SET_PERF_LEVEL.call(level.getValue());
    }

    static PerfLevel getPerfLevel(RocksDB database) {
        return PerfLevel.getPerfLevel((byte) Exports.ROCKS_DB_GET_PERF_LEVEL_NATIVE.call());
    }

    static PerfContext getPerfContext(RocksDB database) {
        // RocksDB counts from the start of the thread.
        IdleIterators.startCounting();
        return new PerfContext(Exports.ROCKS_DB_GET_PERF_CONTEXT_NATIVE.call());
    }
}
