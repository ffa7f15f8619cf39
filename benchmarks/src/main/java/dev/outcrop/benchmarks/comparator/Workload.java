package dev.outcrop.benchmarks.comparator;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import java.util.List;
import java.util.Map;

/**
 * What every side of a case works on.
 *
 * @param database  engine and database
 * @param operation what is done; a database to be written is made by what writes it
 * @param order     the order of the keys
 * @param buffers   how rocksdbjni gives the comparator its keys
 */
record Workload(Database database, Operation operation, KeyOrder order, RocksJavaBuffers buffers) {
    static final int KEYS = 100_000;
    static final int VALUE_BYTES = 16;
    /** How many keys are written before a flush. */
    static final int WRITES = 10_000;

    /** The workload of this JVM. */
    static Workload current() {
        return new Workload(Database.current(), Operation.valueOf(Settings.text("operation")),
                KeyOrder.valueOf(Settings.text("order")), RocksJavaBuffers.valueOf(Settings.text("buffers")));
    }

    /** Arguments of a JVM that has this workload: the same for all sides. */
    List<String> jvmArgs() {
        return database.jvmArgs(
                Map.of("operation", operation.name(), "order", order.name(), "buffers", buffers.name()));
    }

    Workload with(RocksJavaBuffers others) {
        return new Workload(database, operation, order, others);
    }

    /** Called before the database is opened: one that is written starts empty. */
    void prepare() {
        if (operation == Operation.WRITE) {
            database.delete();
        }
    }

    /** Checks the size that a read returned. */
    static void check(long size) {
        if (size != VALUE_BYTES) {
            throw new IllegalStateException("Read a value of " + size + " bytes instead of " + VALUE_BYTES);
        }
    }
}
