package dev.outcrop.testsupport;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Where the classes of a test come from. */
public final class ClassPath {
    private ClassPath() {
    }

    /** What this JVM was started with, in order. */
    public static List<Path> entries() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator)).map(Path::of).toList();
    }

    /** The jar with RocksDB's library. */
    public static Path nativesJar() {
        return entries().stream().filter(entry -> entry.toString().contains("outcrop-rocksdb-natives")).findFirst()
                .orElseThrow(() -> new AssertionError("no natives jar in the class path " + entries()));
    }

    /** The directory or jar that a class comes from. */
    public static Path placeOf(Class<?> type) {
        try {
            return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
