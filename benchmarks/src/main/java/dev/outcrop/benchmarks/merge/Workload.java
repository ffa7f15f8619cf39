package dev.outcrop.benchmarks.merge;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Settings;
import java.util.List;
import java.util.Map;

/**
 * What every side of a case works on. Each start of a side makes the database for itself, because it changes it.
 *
 * @param database engine and database
 * @param task     what is merged
 */
record Workload(Database database, Task task) {
    /** The workload of this JVM. */
    static Workload current() {
        return new Workload(Database.current(), Task.valueOf(Settings.text("task")));
    }

    /** Arguments of a JVM that has this workload: the same for all sides. */
    List<String> jvmArgs() {
        return database.jvmArgs(Map.of("task", task.name()));
    }

    /** Checks the sum of all counters at the end, or the length of all lists. */
    static void check(long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException("The sum is " + found + " instead of " + expected);
        }
    }
}
