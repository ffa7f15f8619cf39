package dev.outcrop.benchmarks.paired;

import dev.outcrop.rocksdb.RocksDB;

/** The readers of a thread, which read one value at a time. */
final class ReadingThread {
    private static final long DISTANCE = 0x5851F42D4C957F2DL;

    private final int number;
    private final OutcropReads ours;
    private final RocksJavaReads peer;

    ReadingThread(PairedWorkload workload, int number, RocksDB db, org.rocksdb.RocksDB rocksJava) {
        this.number = number;
        this.ours = new OutcropReads(workload, db);
        this.peer = new RocksJavaReads(workload, rocksJava);
    }

    OutcropReads ours() {
        return ours;
    }

    RocksJavaReads peer() {
        return peer;
    }

    /** The seed of this thread's keys. */
    long seed(long ofTurn) {
        return ofTurn ^ number * DISTANCE;
    }

    /** Reads everything once. */
    void fillCache() {
        ours.readAll();
    }
}
