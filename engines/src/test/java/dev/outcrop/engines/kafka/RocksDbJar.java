package dev.outcrop.engines.kafka;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.nio.file.Path;
import java.util.List;
import org.rocksdb.RocksDB;

/** Whose {@code org.rocksdb} a program runs on, in a JVM of its own: two libraries must not be loaded into one process. */
enum RocksDbJar {
    PUBLISHED,
    OURS;

    ChildJvm jvm() {
        ChildJvm jvm = ChildJvm.withNativeAccess().option("-ea").option("-XX:TieredStopAtLevel=1")
                .option("-XX:+UseSerialGC").option("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        return this == OURS ? jvm : jvm.onlyClassPath(publishedClassPath());
    }

    private static List<Path> publishedClassPath() {
        Path ours = ClassPath.placeOf(RocksDB.class);
        Path published = Path.of(System.getProperty("published.jar"));
        return ClassPath.entries().stream().map(entry -> entry.equals(ours) ? published : entry).toList();
    }
}
