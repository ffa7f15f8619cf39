package dev.outcrop.benchmarks.dropin;

import java.util.List;
import java.util.function.Supplier;

/** What programs do, and by which class. Only names, so that nothing of {@code org.rocksdb} is loaded for it. */
enum Operation {
    GET("get", "PointReads"),
    MULTIGET("multiGetAsList of 100", "PointReads"),
    COMPARATOR("get, comparator in Java", "PointReads"),
    SCAN("scan", "Scans"),
    RANGE("range of 20, new iterator", "Scans"),
    RANGE_OF_100("range of 100, new iterator", "Scans"),
    PUT("put, WAL off", "Writes"),
    BATCH_OF_10("batch of 10, build + write, WAL off", "Writes"),
    BATCH_OF_100("batch of 100, build + write, WAL off", "Writes"),
    BATCH_OF_1000("batch of 1,000, build + write, WAL off", "Writes"),
    STORE_PUT("Kafka's store: put", "KafkaStore"),
    STORE_GET("Kafka's store: get", "KafkaStore"),
    STORE_ALL("Kafka's store: all", "KafkaStore"),
    STORE_RANGE("Kafka's store: range of 20", "KafkaStore"),
    STORE_FLUSH("Kafka's store: put 100, flush", "KafkaStore"),
    STORE_FETCH("Kafka's window store: fetch", "KafkaWindowStore");

    private final String label;
    private final String program;

    Operation(String label, String program) {
        this.label = label;
        this.program = program;
    }

    /** The name of the class, which has a constructor for a {@link Setup}. */
    String program() {
        return Operation.class.getPackageName() + '.' + program;
    }

    /** Whether it begins with an empty database. */
    boolean isWriting() {
        return switch (this) {
            case PUT, BATCH_OF_10, BATCH_OF_100, BATCH_OF_1000, STORE_PUT, STORE_FLUSH -> true;
            default -> false;
        };
    }

    /** Sizes of values, in bytes. */
    List<Integer> sizes(boolean isQuick) {
        Supplier<List<Integer>> one = () -> List.of(100);
        return switch (this) {
            case GET -> isQuick ? List.of(100, 64 << 10) : List.of(16, 100, 1 << 10, 2 << 10, 64 << 10);
            case SCAN, MULTIGET -> isQuick ? one.get() : List.of(100, 1 << 10);
            default -> one.get();
        };
    }

    @Override
    public String toString() {
        return label;
    }
}
