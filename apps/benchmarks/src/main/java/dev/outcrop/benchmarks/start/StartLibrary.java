package dev.outcrop.benchmarks.start;

import dev.outcrop.benchmarks.dropin.DropinCase;
import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.Suite;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A library with which a program starts: the program, and the jars that it needs. */
enum StartLibrary {
    OWN_API("own API", OutcropStart.class),
    DROP_IN("drop-in", RocksJavaStart.class),
    PUBLISHED(Suite.ROCKSDBJNI, RocksJavaStart.class);

    private final String label;
    private final Class<?> program;

    StartLibrary(String label, Class<?> program) {
        this.label = label;
        this.program = program;
    }

    Class<?> program() {
        return program;
    }

    private List<String> artifacts() {
        return switch (this) {
            case OWN_API ->
                List.of("outcrop-memory", "outcrop-rocksdb-engine", "outcrop-rocksdb", "outcrop-rocksdb-natives");
            case DROP_IN -> List.of("outcrop-memory", "outcrop-rocksdb-engine", "outcrop-rocksdb-natives");
            case PUBLISHED -> List.of("rocksdbjni");
        };
    }

    /** Returns the jars of the library, or directories of classes if the build has not made a jar. */
    List<Path> parts() {
        List<Path> parts = new ArrayList<>();
        for (String artifact : artifacts()) {
            parts.add(Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of)
                    .filter(entry -> isOf(artifact, entry)).findFirst()
                    .orElseThrow(() -> new BenchmarkException("The class path of this program has no " + artifact)));
        }
        if (this == DROP_IN) {
            parts.add(DropinCase.classes());
        }
        return parts;
    }

    /** Returns whether an entry of the class path is an artifact: {@code …/outcrop-memory-0.1.jar}, or {@code …/memory/target/classes}. */
    private static boolean isOf(String artifact, Path entry) {
        String path = entry.toString().replace(File.separatorChar, '/');
        return path.matches(".*/" + artifact + "-\\d[^/]*\\.jar")
                || path.matches(".*/" + artifact.replaceFirst("^outcrop-", "") + "/target/classes");
    }

    @Override
    public String toString() {
        return label;
    }
}
