package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The databases of a run, one at a time: made when a case first needs it, replaced when another one is needed. */
final class Databases implements AutoCloseable {
    private final Lab lab;
    private final Path engine;
    private final Path directory;
    private @Nullable Workload made;

    Databases(Lab lab) {
        this.lab = lab;
        this.engine = Engine.install(lab.directory().resolve("engine"));
        this.directory = lab.directory().resolve("database");
    }

    Workload workload(GetCase getCase) {
        int keys = getCase.access().isFresh()
                ? 1
                : Workload.keysFor(getCase.valueBytes(), lab.effort().dataBytes());
        Workload workload = new Workload(engine, directory, keys, getCase.valueBytes(), getCase.access());
        if (made == null || !made.hasSameDatabase(workload)) {
            // Also one that a run left behind that was killed.
            close();
            Processes.java(DatabaseBuilder.class, workload.jvmArgs(), List.of());
            made = workload;
        }
        return workload;
    }

    @Override
    public void close() {
        Directories.delete(directory);
    }
}
