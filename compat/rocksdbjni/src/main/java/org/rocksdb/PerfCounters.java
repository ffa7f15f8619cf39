package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.IdleIterators;
import dev.outcrop.rocksdb.engine.NativeStatistics;

/** The counters of a {@code PerfContext}. They belong to a thread and end with it. Only that thread may read them. */
final class PerfCounters {

    private final Thread thread = Thread.currentThread();
    private final PerfContext owner;

    PerfCounters(PerfContext owner) {
        this.owner = owner;
    }

    void reset() {
        owner.jniReset(context());
    }

    String text(boolean excludeZero) {
        try (Scratch scratch = Scratch.open()) {
            // A rocksdb_perfcontext_t has the address of the context.
            scratch.setWord(0, context());
            return NativeStatistics.report(scratch.wordAddress(0), excludeZero);
        }
    }

    /** Returns the native context of the current carrier thread. It may differ between calls, because a virtual thread may move. */
    long context() {
        if (!Thread.currentThread().equals(thread)) {
            throw new IllegalStateException("The counters belong to the thread '" + thread.getName()
                    + "', which called RocksDB.getPerfContext(): only that thread can read them");
        }
        return RocksDB.jniGetPerfContextNative();
    }

    static void setPerfLevel(RocksDB database, PerfLevel level) {
        if (level.getValue() <= PerfLevel.UNINITIALIZED.getValue()
                || level.getValue() > PerfLevel.ENABLE_TIME.getValue()) {
            throw new IllegalArgumentException("Unable to set " + level + " level");
        }
        if (level != PerfLevel.DISABLE) {
            IdleIterators.startCounting();
        }
        RocksDB.jniSetPerfLevel(level.getValue());
    }

    static PerfLevel getPerfLevel(RocksDB database) {
        return PerfLevel.getPerfLevel(RocksDB.jniGetPerfLevelNative());
    }

    static PerfContext getPerfContext(RocksDB database) {
        // RocksDB counts from the start of the thread.
        IdleIterators.startCounting();
        return new PerfContext(RocksDB.jniGetPerfContextNative());
    }
}
