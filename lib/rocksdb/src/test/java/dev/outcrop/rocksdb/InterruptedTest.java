package dev.outcrop.rocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Calls that touch files work the same in an interrupted thread, with sound and damaged files, and keep the interrupt. */
class InterruptedTest extends DatabaseTest {
    private static final int HEADER = 7;
    private static final int TYPE = 6;

    private Path path = Path.of("");

    /** An action that touches files; the other path is for files of its own. */
    interface Action {
        void run(Path path, Path other) throws Exception;
    }

    record Call(String name, boolean readsLog, boolean readsManifest, Action action) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Options options() {
        return new Options().avoidFlushDuringShutdown(true);
    }

    /** With something that was opened. */
    private static Action open(OpenedAction action) {
        return (path, other) -> {
            try (RocksDB db = RocksDB.open(path, options())) {
                assertThat(db.get(KEY)).isEqualTo(KEY);
                action.run(db, other);
            }
        };
    }

    interface OpenedAction {
        void run(RocksDB db, Path other) throws Exception;
    }

    static Stream<Call> calls() {
        return Stream.of(new Call("open", true, true, (path, _) -> RocksDB.open(path).close()),
                new Call("open with options", true, true, (path, _) -> RocksDB.open(path, options()).close()),
                new Call("open read-only", true, true, (path, _) -> RocksDB.openReadOnly(path).close()),
                new Call("open secondary", true, true, (path, other) -> {
                    try (RocksDB db = RocksDB.openSecondary(path, other)) {
                        db.tryCatchUpWithPrimary();
                        assertThat(db.get(KEY)).isEqualTo(KEY);
                    }
                }),
                new Call("open transactions", true, true, (path, _) -> TransactionDB.open(path, options()).close()),
                new Call("open optimistic transactions", true, true,
                        (path, _) -> OptimisticTransactionDB.open(path, options()).close()),
                new Call("open another", false, false, (_, other) -> {
                    RocksDB.open(other, new Options().createIfMissing(true)).close();
                    RocksDB.destroy(other, new Options());
                }),
                new Call("repair", true, false, (path, _) -> RocksDB.repair(path, new Options())),
                new Call("list column families", false, true,
                        (path, _) -> assertThat(RocksDB.listColumnFamilies(path)).hasSize(1)),
                new Call("stored options", false, false, (path, _) -> LoadedOptions.latest(path)),
                new Call("sections of stored options", false, false,
                        (path, _) -> assertThat(LoadedOptions.sections(path)).isNotEmpty()),
                new Call("lock holder", false, false, (path, _) -> assertThat(RocksDB.lockHolder(path)).isEmpty()),
                new Call("changes", true, true, open((db, _) -> {
                    db.put(KEY, KEY);
                    try (WalIterator changes = db.updatesSince(db.latestSequenceNumber())) {
                        assertThat(changes.next()).isTrue();
                    }
                })),
                new Call("checkpoint", true, true, open((db, other) -> db.checkpoint(other))),
                new Call("backup", true, true, open((db, other) -> {
                    try (BackupEngine backups = BackupEngine.open(new BackupEngineOptions(other))) {
                        int id = backups.create(db);
                        backups.verify(id);
                        backups.verifyChecksums(id);
                        backups.restoreLatest(other.resolveSibling("restored"), new RestoreOptions());
                    }
                })),
                new Call("table file", true, true, open((db, other) -> {
                    try (SstFileWriter writer = new SstFileWriter(other, options())) {
                        writer.put(Bytes.of("other"), KEY);
                        writer.finish();
                    }
                    db.ingest(List.of(other));
                })),
                new Call("files", true, true, open((db, _) -> {
                    db.put(KEY, KEY);
                    assertThat(db.walFiles()).isNotEmpty();
                    db.flush();
                    db.compact();
                    db.verifyChecksum();
                    assertThat(db.liveFiles()).isNotEmpty();
                })));
    }

    @BeforeEach
    void createDatabase() {
        path = directory.resolve("database");
        try (RocksDB db = RocksDB.open(path, options().createIfMissing(true))) {
            db.put(KEY, KEY);
            db.put(KEY, KEY);
        }
    }

    @AfterEach
    void endInterrupt() {
        boolean _ = Thread.interrupted();
    }

    private Throwable thrown(Call call) {
        Thread.currentThread().interrupt();
        Throwable thrown = catchThrowable(() -> call.action.run(path, directory.resolve("other")));
        assertThat(Thread.interrupted()).as("still interrupted").isTrue();
        return thrown;
    }

    @ParameterizedTest
    @MethodSource("calls")
    void sound(Call call) {
        assertThat(thrown(call)).isNull();
    }

    /** A type that makes RocksDB read a record again and again, see {@link LogFormatTest}. */
    private static void damage(Path file) throws IOException {
        byte[] content = Files.readAllBytes(file);
        int second = HEADER + (content[4] & 0xff) + ((content[5] & 0xff) << 8);
        content[second + TYPE] ^= 4;
        Files.write(file, content);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void damagedLog(Call call) throws IOException {
        Path file = DirectoryImage.file(path, "\\d+\\.log");
        damage(file);
        check(call, call.readsLog, file);
    }

    @ParameterizedTest
    @MethodSource("calls")
    void damagedManifest(Call call) throws IOException {
        Path file = DirectoryImage.file(path, "MANIFEST-\\d+");
        damage(file);
        check(call, call.readsManifest, file);
    }

    private void check(Call call, boolean isRead, Path damaged) {
        Map<String, String> before = DirectoryImage.of(path);
        Throwable thrown = thrown(call);
        if (isRead) {
            assertThat(thrown).isInstanceOf(RocksDBException.class).hasMessageContaining(damaged.toString());
            assertThat(DirectoryImage.of(path).equals(before)).as("nothing changed").isTrue();
        } else {
            assertThat(thrown).isNull();
        }
    }
}
