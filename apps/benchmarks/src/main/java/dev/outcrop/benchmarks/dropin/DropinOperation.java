package dev.outcrop.benchmarks.dropin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation, and the program that does it. It only has names, so that it loads nothing of {@code org.rocksdb}. */
enum DropinOperation {
    GET("get", "RocksProgram", "read_into_new"),
    MULTIGET("multiGetAsList of 100", "RocksProgram", "get_into_new"),
    COMPARATOR("get, comparator in Java", "RocksProgram", null),
    SCAN("scan", "RocksProgram", "scan_into_new"),
    RANGE_OF_20("range of 20, new iterator", "RocksProgram", "ranges_into_new"),
    RANGE_OF_100("range of 100, new iterator", "RocksProgram", "ranges_into_new"),
    PUT("put, WAL off", "RocksProgram", "put_keys"),
    BATCH_OF_10("batch of 10, build + write, WAL off", "RocksProgram", "write_batches"),
    BATCH_OF_100("batch of 100, build + write, WAL off", "RocksProgram", "write_batches"),
    BATCH_OF_1000("batch of 1,000, build + write, WAL off", "RocksProgram", "write_batches"),
    STORE_PUT("Kafka's store: put", "KafkaStore", null),
    STORE_GET("Kafka's store: get", "KafkaStore", null),
    STORE_ALL("Kafka's store: all", "KafkaStore", null),
    STORE_RANGE("Kafka's store: range of 20", "KafkaStore", null),
    STORE_FLUSH("Kafka's store: put 100, flush", "KafkaStore", null),
    STORE_RESTORE("Kafka's store: restore 1,000", "KafkaStore", null),
    STORE_FETCH("Kafka's window store: fetch", "KafkaWindowStore", null);

    private static final int WRITTEN_RECORDS = 5000;
    /**
     * The limit if there are several threads. They must check the clock more often: otherwise one thread would run alone for too long after
     * the others are done.
     */
    private static final int WRITTEN_RECORDS_OF_THREADS = 1000;

    private final String label;
    private final String program;
    private final @Nullable String limit;

    DropinOperation(String label, String program, @Nullable String limit) {
        this.label = label;
        this.program = program;
        this.limit = limit;
    }

    /** Returns the name of the class. The class has a constructor that takes the directory of its databases. */
    String program() {
        return DropinOperation.class.getPackageName() + '.' + program;
    }

    /**
     * Returns the C function that does the same. Instead of making a new array, it copies into other memory. If there is such a function,
     * all sides work on one open database.
     */
    @Nullable
    String limit() {
        return limit;
    }

    /** Returns whether the operation begins with an empty database. */
    boolean isWriting() {
        return switch (this) {
            case PUT, BATCH_OF_10, BATCH_OF_100, BATCH_OF_1000, STORE_PUT, STORE_FLUSH, STORE_RESTORE -> true;
            default -> false;
        };
    }

    /** Returns the number of records of a batch or a range. */
    int records() {
        return switch (this) {
            case BATCH_OF_10 -> 10;
            case RANGE_OF_20, STORE_RANGE -> 20;
            case RANGE_OF_100, BATCH_OF_100, STORE_FLUSH -> 100;
            case BATCH_OF_1000, STORE_RESTORE -> 1000;
            default -> 1;
        };
    }

    /** Returns the number of operations of a thread between two checks of the clock. If all entries are read, an operation is an entry. */
    int operations(int valueBytes, int keys, int threads) {
        return switch (this) {
            case SCAN, STORE_ALL -> keys;
            case MULTIGET, RANGE_OF_100, STORE_FETCH -> 20;
            case RANGE_OF_20, STORE_RANGE -> 100;
            case PUT, BATCH_OF_10, BATCH_OF_100, BATCH_OF_1000 ->
                (threads == 1 ? WRITTEN_RECORDS : WRITTEN_RECORDS_OF_THREADS) / records();
            case STORE_FLUSH, STORE_RESTORE -> 1;
            default -> valueBytes > 4 << 10 ? 100 : 500;
        };
    }

    /** Returns the sizes of values to measure with this number of threads. */
    List<Integer> sizes(int threads, boolean isQuick) {
        List<Integer> one = List.of(100);
        if (threads > 1) {
            return switch (this) {
                case PUT -> one;
                case GET, RANGE_OF_20, BATCH_OF_100 -> isQuick ? List.of() : one;
                default -> List.of();
            };
        }
        return switch (this) {
            case GET -> isQuick ? List.of(100, 64 << 10) : List.of(16, 100, 1 << 10, 2 << 10, 64 << 10);
            case SCAN, MULTIGET -> isQuick ? one : List.of(100, 1 << 10);
            default -> one;
        };
    }

    @Override
    public String toString() {
        return label;
    }
}
