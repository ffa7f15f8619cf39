package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionLogIterator;
import org.rocksdb.TtlDB;

/** Logs and manifests with a record that RocksDB would read again and again, in interrupted threads too. */
class DamagedLogsTest extends DatabaseTest {
    private static final int HEADER = 7;
    private static final int TYPE = 6;

    private Path path = Path.of("");
    private Path logs = Path.of("");

    interface Action {
        void run(Path path, Path logs, Path other) throws Exception;
    }

    record Call(String name, boolean readsLog, Action action) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Options options(Path logs) {
        return new Options().setCreateIfMissing(true).setAvoidFlushDuringShutdown(true).setWalDir(logs.toString());
    }

    private static List<ColumnFamilyDescriptor> families() {
        return List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY));
    }

    static Stream<Call> calls() {
        return Stream.of(new Call("open", true, (path, logs, _) -> {
            try (Options options = options(logs); RocksDB db = RocksDB.open(options, path.toString())) {
                assertThat(db.get(KEY)).isEqualTo(KEY);
            }
        }), new Call("open families", true, (path, logs, _) -> {
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            try (DBOptions options = new DBOptions().setWalDir(logs.toString());
                    RocksDB db = RocksDB.open(options, path.toString(), families(), handles)) {
                assertThat(db.get(KEY)).isEqualTo(KEY);
            }
        }), new Call("open read-only", true, (path, logs, _) -> {
            try (Options options = options(logs); RocksDB db = RocksDB.openReadOnly(options, path.toString())) {
                assertThat(db.get(KEY)).isEqualTo(KEY);
            }
        }), new Call("open as secondary", true, (path, logs, other) -> {
            try (Options options = options(logs);
                    RocksDB db = RocksDB.openAsSecondary(options, path.toString(), other.toString())) {
                db.tryCatchUpWithPrimary();
                assertThat(db.get(KEY)).isEqualTo(KEY);
            }
        }), new Call("open transactions", true, (path, logs, _) -> {
            try (Options options = options(logs);
                    TransactionDBOptions locking = new TransactionDBOptions();
                    TransactionDB db = TransactionDB.open(options, locking, path.toString())) {
                assertThat(db.get(KEY)).isEqualTo(KEY);
            }
        }), new Call("open optimistic transactions", true, (path, logs, _) -> {
            try (Options options = options(logs);
                    OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path.toString())) {
                assertThat(db.get(KEY)).isEqualTo(KEY);
            }
        }), new Call("open with a time to live", true, (path, logs, _) -> {
            try (Options options = options(logs); TtlDB db = TtlDB.open(options, path.toString())) {
                assertThat(db.get("none".getBytes(UTF_8))).isNull();
            }
        }), new Call("list column families", false, (path, logs, _) -> {
            try (Options options = options(logs)) {
                assertThat(RocksDB.listColumnFamilies(options, path.toString())).hasSize(1);
            }
        }));
    }

    @BeforeEach
    void create() throws RocksDBException {
        path = directory.resolve("database");
        logs = directory.resolve("logs");
        try (Options options = options(logs); RocksDB db = RocksDB.open(options, path.toString())) {
            db.put(KEY, KEY);
            db.put(KEY, KEY);
        }
    }

    @AfterEach
    void endInterrupt() {
        boolean _ = Thread.interrupted();
    }

    private static Path file(Path in, String pattern) throws IOException {
        try (Stream<Path> files = Files.list(in)) {
            return files.filter(file -> file.getFileName().toString().matches(pattern)).sorted()
                    .reduce((_, last) -> last).orElseThrow();
        }
    }

    /** A type that is for a log that uses the file of an older one again. */
    private static void damage(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        int second = HEADER + (content[4] & 0xff) + ((content[5] & 0xff) << 8);
        content[second + TYPE] ^= 4;
        Files.write(file, content);
    }

    private Throwable thrown(Call call) {
        Thread.currentThread().interrupt();
        Throwable thrown = catchThrowable(() -> call.action.run(path, logs, directory.resolve("other")));
        assertThat(Thread.interrupted()).isTrue();
        return thrown;
    }

    private static void assertDamaged(Throwable thrown, Path file) {
        assertThat(thrown).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.Corruption))
                .hasMessageContaining(file.toString());
    }

    @ParameterizedTest
    @MethodSource("calls")
    void log(Call call) throws IOException {
        Path file = file(logs, "\\d+\\.log");
        damage(file);
        Throwable thrown = thrown(call);
        if (call.readsLog) {
            assertDamaged(thrown, file);
        } else {
            assertThat(thrown).isNull();
        }
    }

    @ParameterizedTest
    @MethodSource("calls")
    void manifest(Call call) throws IOException {
        Path file = file(path, "MANIFEST-\\d+");
        damage(file);
        assertDamaged(thrown(call), file);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void sound(Call call) {
        assertThat(thrown(call)).isNull();
    }

    @Test
    void theLogOfAnOpenDatabase() throws RocksDBException, IOException {
        try (Options options = options(logs); RocksDB db = RocksDB.open(options, path.toString())) {
            db.put(KEY, KEY);
            db.put(KEY, KEY);
            long first = db.getLatestSequenceNumber();
            try (TransactionLogIterator changes = db.getUpdatesSince(first)) {
                assertThat(changes.isValid()).isTrue();
            }
            Path file = file(logs, "\\d+\\.log");
            damage(file);
            assertDamaged(catchThrowable(() -> db.getUpdatesSince(first)), file);
        }
    }
}
