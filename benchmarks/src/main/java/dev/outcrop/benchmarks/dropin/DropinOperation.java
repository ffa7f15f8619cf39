package dev.outcrop.benchmarks.dropin;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** An operation, and the program that does it. Only names, so that nothing of {@code org.rocksdb} is loaded for it. */
enum DropinOperation {
    GET("get", "ReadProgram", "read_into_new"),
    MULTIGET("multiGetAsList of 100", "ReadProgram", "get_into_new"),
    COMPARATOR("get, comparator in Java", "ReadProgram", null),
    SCAN("scan", "ScanProgram", "scan_into_new"),
    RANGE_OF_20("range of 20, new iterator", "ScanProgram", "ranges_into_new"),
    RANGE_OF_100("range of 100, new iterator", "ScanProgram", "ranges_into_new"),
    PUT("put, WAL off", "WriteProgram", "put_keys"),
    BATCH_OF_10("batch of 10, build + write, WAL off", "WriteProgram", "write_batches"),
    BATCH_OF_100("batch of 100, build + write, WAL off", "WriteProgram", "write_batches"),
    BATCH_OF_1000("batch of 1,000, build + write, WAL off", "WriteProgram", "write_batches"),
    STORE_PUT("Kafka's store: put", "KafkaStore", null),
    STORE_GET("Kafka's store: get", "KafkaStore", null),
    STORE_ALL("Kafka's store: all", "KafkaStore", null),
    STORE_RANGE("Kafka's store: range of 20", "KafkaStore", null),
    STORE_FLUSH("Kafka's store: put 100, flush", "KafkaStore", null),
    STORE_RESTORE("Kafka's store: restore 1,000", "KafkaStore", null),
    STORE_FETCH("Kafka's window store: fetch", "KafkaWindowStore", null);

    private static final int WRITTEN_RECORDS = 5000;
    /** Threads look at the clock more often, or one would go on alone for too long when the other is done. */
    private static final int WRITTEN_RECORDS_OF_THREADS = 1000;

    private final String label;
    private final String program;
    private final @Nullable String limit;

    DropinOperation(String label, String program, @Nullable String limit) {
        this.label = label;
        this.program = program;
        this.limit = limit;
    }

    /** The name of the class, which has a constructor for a {@link ProgramSetup}. */
    String program() {
        return DropinOperation.class.getPackageName() + '.' + program;
    }

    /**
     * The function in C that does the same, with a copy in other memory for each new array. If there is one, all sides work on one open
     * database.
     */
    @Nullable
    String limit() {
        return limit;
    }

    /** Whether it begins with an empty database. */
    boolean isWriting() {
        return switch (this) {
            case PUT, BATCH_OF_10, BATCH_OF_100, BATCH_OF_1000, STORE_PUT, STORE_FLUSH, STORE_RESTORE -> true;
            default -> false;
        };
    }

    /** How many records a batch or a range has. */
    int records() {
        return switch (this) {
            case BATCH_OF_10 -> 10;
            case RANGE_OF_20, STORE_RANGE -> 20;
            case RANGE_OF_100, BATCH_OF_100, STORE_FLUSH -> 100;
            case BATCH_OF_1000, STORE_RESTORE -> 1000;
            default -> 1;
        };
    }

    /** How many operations a thread does before it looks at the clock; entries, where all are read. */
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

    /** Sizes of values, in bytes, for so many threads; none if they do not do it. */
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
