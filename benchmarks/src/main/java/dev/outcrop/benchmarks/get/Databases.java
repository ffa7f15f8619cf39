package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.Database;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The databases of a run, one at a time: made when a case first needs it, replaced when another one is needed. */
final class Databases implements AutoCloseable {
    private final Lab lab;
    private final Database database;
    private @Nullable Workload made;

    Databases(Lab lab) {
        this.lab = lab;
        this.database = Database.in(lab);
    }

    Workload workload(GetCase getCase) {
        int keys = getCase.access().isFresh()
                ? 1
                : Workload.keysFor(getCase.valueBytes(), lab.effort().dataBytes());
        Workload workload = new Workload(database, keys, getCase.valueBytes(), getCase.access());
        if (made == null || !made.hasSameDatabase(workload)) {
            close();
            Processes.java(DatabaseBuilder.class, workload.jvmArgs(), List.of());
            made = workload;
        }
        return workload;
    }

    @Override
    public void close() {
        database.delete();
    }
}
