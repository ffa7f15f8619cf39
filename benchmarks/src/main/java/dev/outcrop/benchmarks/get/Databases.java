package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Lab;
import dev.outcrop.benchmarks.harness.Processes;
import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
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
        delete(directory);
    }

    private static void delete(Path directory) {
        if (!Files.exists(directory)) {
            return;
        }
        try {
            Files.walkFileTree(directory, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path visited, @Nullable IOException e) throws IOException {
                    Files.delete(visited);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            throw new BenchmarkException("Cannot delete " + directory + ": " + e, e);
        }
    }
}
