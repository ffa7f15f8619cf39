package dev.outcrop.engines.kafka;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.ClassPath;
import java.nio.file.Path;
import java.util.List;
import org.apache.kafka.streams.state.internals.RocksDBStore;
import org.rocksdb.RocksDB;

/** The {@code org.rocksdb} of a program in a JVM of its own: two libraries must not be loaded into one process. */
enum RocksDbJar {
    PUBLISHED,
    OURS;

    /** Returns the line in which a program in such a JVM names the places of its classes. */
    static String runningOn() {
        return runningOn(ClassPath.placeOf(RocksDB.class));
    }

    /** Returns the expected line. */
    String expected() {
        return runningOn(this == OURS ? ClassPath.placeOf(RocksDB.class) : publishedJar());
    }

    private static String runningOn(Path rocksDb) {
        return "org.rocksdb of " + rocksDb + ", Kafka's stores of " + ClassPath.placeOf(RocksDBStore.class);
    }

    ChildJvm jvm() {
        ChildJvm jvm = ChildJvm.shortLived().option("-ea").option("-Dorg.slf4j.simpleLogger.defaultLogLevel=error");
        return this == OURS ? jvm : jvm.onlyClassPath(publishedClassPath());
    }

    static Path publishedJar() {
        return Path.of(System.getProperty("published.jar"));
    }

    private static List<Path> publishedClassPath() {
        Path ours = ClassPath.placeOf(RocksDB.class);
        Path published = publishedJar();
        return ClassPath.entries().stream().map(entry -> entry.equals(ours) ? published : entry).toList();
    }
}
