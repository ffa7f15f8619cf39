package org.rocksdb;

import dev.outcrop.rocksdb.engine.IdleIterators;

/** What is counted for the calling thread. */
final class PerfLevels {

    private PerfLevels() {
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
        // RocksDB counts from the beginning.
        IdleIterators.startCounting();
        return new PerfContext(Exports.ROCKS_DB_GET_PERF_CONTEXT_NATIVE.call());
    }

    /** The counters are the thread's: nothing is to be freed. */
    static void keep(PerfContext context, long handle) {
    }
}
