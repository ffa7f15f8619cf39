package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Settings;

/**
 * The work of every side of a case.
 *
 * @param operation the operation; a database to be written is made by the side that writes it
 * @param order     the order of the keys
 * @param buffers   how rocksdbjni gives the comparator its keys
 */
record ComparatorWorkload(KeyOperation operation, KeyOrder order, RocksJavaBuffers buffers) {
    static final int KEYS = 100_000;
    static final int VALUE_BYTES = 16;
    /** How many keys are written before a flush. */
    static final int WRITES = 10_000;

    /** The workload of this JVM. */
    static ComparatorWorkload current() {
        return Settings.current(ComparatorWorkload.class);
    }

    ComparatorWorkload with(RocksJavaBuffers others) {
        return new ComparatorWorkload(operation, order, others);
    }

    /** The contents of the database that the sides read. */
    DatabaseBuilder.Contents contents() {
        return new DatabaseBuilder.Contents(EngineOptions.READING.text(), KEYS, order.keyBytes(), VALUE_BYTES, 0);
    }

    /** Called before the database is opened: one that is written starts empty. */
    void prepare() {
        if (operation == KeyOperation.WRITE) {
            Database.current().delete();
        }
    }

    /** Checks the size that a read returned. */
    static void check(long size) {
        if (size != VALUE_BYTES) {
            throw new IllegalStateException("Read a value of " + size + " bytes instead of " + VALUE_BYTES);
        }
    }
}
