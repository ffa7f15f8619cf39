package dev.outcrop.testsupport;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The places of a test's classes. */
public final class ClassPath {
    private ClassPath() {
    }

    /** Returns the class path of this JVM, in order. */
    public static List<Path> entries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of).toList();
    }

    /** Returns the jar with RocksDB's library. */
    public static Path nativesJar() {
        return entries().stream().filter(entry -> entry.toString().contains("outcrop-rocksdb-natives")).findFirst()
                .orElseThrow(() -> new AssertionError("no natives jar in the class path " + entries()));
    }

    /** Returns the directory or jar of a class. */
    public static Path placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
