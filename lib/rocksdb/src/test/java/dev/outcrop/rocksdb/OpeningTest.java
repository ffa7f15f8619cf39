package dev.outcrop.rocksdb;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A database that cannot be opened gives an exception that names the path, and stays as it was, its logs included. */
class OpeningTest extends DatabaseTest {
    /** Opens in both ways; neither may succeed nor change anything in or beside the directory. */
    private static Status assertNeitherOpens(Path path, Options options) {
        Status status = assertFails(path, () -> RocksDB.open(path, options).close());
        assertFails(path, () -> RocksDB.openReadOnly(path, options).close());
        return status;
    }

    private static Status assertFails(Path path, ThrowingCallable opening) {
        Path parent = path.resolveSibling("");
        Map<String, String> before = DirectoryImage.of(parent);
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, opening);
        assertThat(thrown).isNotNull();
        assertThat(thrown).hasMessageContaining(path.toString());
        Map<String, String> after = DirectoryImage.of(parent);
        assertThat(after.keySet()).isEqualTo(before.keySet());
        assertThat(after.equals(before)).as("no file changed").isTrue();
        return thrown.status();
    }

    @Test
    void aMissingDirectoryIsNotCreatedUnasked() {
        Status status = assertNeitherOpens(directory.resolve("missing"), new Options());

        assertThat(status.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.subCode()).isEqualTo(Status.SubCode.PATH_NOT_FOUND);
        assertThat(status.message()).contains("createIfMissing(true)");
        assertFails(directory.resolve("missing"), () -> RocksDB.openReadOnly(directory.resolve("missing"), create()));
    }

    @Test
    void missingParentsAreCreatedWithTheDatabaseOnly() {
        Path path = directory.resolve("a/b/c");
        Map<String, String> before = DirectoryImage.of(directory);

        assertThat(catchThrowableOfType(RocksDBException.class, () -> RocksDB.open(path, new Options())).status()
                .subCode())
                .isEqualTo(Status.SubCode.PATH_NOT_FOUND);
        assertThatThrownBy(() -> RocksDB.open(path, create().walDir(directory + "/no/such/parent")))
                .isInstanceOf(RocksDBException.class);
        assertThat(DirectoryImage.of(directory)).isEqualTo(before);
        RocksDB.open(path, create()).close();
        RocksDB.open(path, new Options()).close();
    }

    @Test
    void aDatabaseInMemoryMakesNoDirectories() {
        RocksDB.open(directory.resolve("a/b"), create().env(Env.inMemory())).close();

        assertThat(directory.resolve("a")).doesNotExist();
    }

    @Test
    void familiesThatAreNotThereAreNamed() {
        Path path = directory.resolve("db");
        RocksDB.open(path, create()).close();
        Map<String, Options> families = Map.of("typo", new Options());

        RocksDBException thrown = catchThrowableOfType(RocksDBException.class,
                () -> RocksDB.open(path, new Options(), families));

        assertThat(thrown).hasMessageContainingAll("[typo]", "[default]", "createMissingColumnFamilies(true)");
        assertThat(thrown.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
    }

    @Test
    void aQueueIsNoPlaceForADatabase() throws IOException {
        Path queue = directory.resolve("orders");
        Files.createDirectories(queue.resolve("groups"));
        Files.createFile(queue.resolve("queue"));

        assertThat(assertNeitherOpens(queue, create()).message()).contains("holds a queue");
    }

    @Test
    void aFileIsNoDatabase() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "content");

        assertThat(assertNeitherOpens(file, create()).message()).contains("a file");
        assertNeitherOpens(file.resolve("below"), create());
    }

    @Test
    void aSymbolicLinkToNowhereIsNoDatabase() throws IOException {
        assertNeitherOpens(Files.createSymbolicLink(directory.resolve("link"), directory.resolve("gone")),
                new Options());
    }

    @Test
    void aDirectoryWithOtherFilesIsNoDatabase() throws IOException {
        Path path = Files.createDirectory(directory.resolve("other"));
        Files.writeString(path.resolve("notes.txt"), "mine");

        Status status = assertNeitherOpens(path, new Options());
        assertThat(status.message()).contains("CURRENT").contains("createIfMissing(true)");

        try (RocksDB db = RocksDB.open(path, create())) {
            db.put(Bytes.of("a"), Bytes.of("b"));
        }
        RocksDB.open(path).close();
        assertThat(path.resolve("notes.txt")).hasContent("mine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"000123.sst", "2024.log", "7.blob", "7.ldb"})
    void filesThatCreatingADatabaseWouldDeleteAreKept(String name) throws IOException {
        Path path = Files.createDirectory(directory.resolve("other"));
        Files.writeString(path.resolve(name), "mine");
        Files.writeString(path.resolve("LOG"), "mine too");

        assertThat(assertNeitherOpens(path, create()).message()).contains(name);
    }

    @Test
    void anExistingDatabaseCanBeAnError() {
        Path path = directory.resolve("db");
        RocksDB.open(path, create().errorIfExists(true)).close();

        Status status = assertFails(path, () -> RocksDB.open(path, create().errorIfExists(true)));

        assertThat(status.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.message()).contains("error_if_exists");
        RocksDB.open(path).close();
    }

    @Test
    void anotherComparatorIsRefused() {
        Path path = directory.resolve("db");
        RocksDB.open(path, create()).close();

        Status status = assertNeitherOpens(path, new Options().set("comparator=rocksdb.ReverseBytewiseComparator"));

        assertThat(status.code()).isEqualTo(Status.Code.INVALID_ARGUMENT);
        assertThat(status.message()).contains("comparator");
    }

    /** Each of these ends the process in RocksDB itself. */
    @ParameterizedTest
    @ValueSource(strings = {"table_cache_numshardbits=20", "log_readahead_size=1099511627776",
            "compaction_readahead_size=1099511627776", "blob_compaction_readahead_size=1099511627776",
            "allow_mmap_writes=true;allow_fallocate=false"})
    void optionsThatWouldCrashAreRefused(String options) {
        Path path = directory.resolve("db");

        Status status = assertNeitherOpens(path, create().set(options));

        assertThat(status.message()).contains(options.substring(0, options.indexOf('=')));
    }

    /** RocksDB would end the process when it flushes a full memtable in which there is nothing but a deletion of a range. */
    @Test
    void memtablesAreNotPurged() {
        Status status = assertNeitherOpens(directory.resolve("db"), create().experimentalMempurgeThreshold(0.1));

        assertThat(status.message()).contains("experimental_mempurge_threshold");
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), create()));
        assertThatThrownBy(() -> db.setOptions(Map.of("experimental_mempurge_threshold", "0.5")))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("experimental_mempurge_threshold");
        db.setOptions(Map.of("experimental_mempurge_threshold", "0.0"));
    }

    @Test
    void optionsThatRocksDbRefusesLeaveNothingBehind() {
        Status status = assertFails(directory.resolve("db"),
                () -> RocksDB.open(directory.resolve("db"), create().allowMmapReads(true).useDirectReads(true)));
        assertThat(status.code()).isEqualTo(Status.Code.NOT_SUPPORTED);

        assertFails(directory.resolve("db"),
                () -> RocksDB.open(directory.resolve("db"), create().walDir(directory + "/no/such/parent")));
    }

    /** RocksDB would create the database and then be unable to store its options. */
    @ParameterizedTest
    @ValueSource(strings = {"max_bytes_for_level_multiplier=nan", "memtable_prefix_bloom_size_ratio=inf",
            "blob_garbage_collection_age_cutoff=-inf", "blob_garbage_collection_force_threshold=nan"})
    void valuesThatAreNoNumbersAreRefused(String options) {
        assertThat(assertNeitherOpens(directory.resolve("db"), create().set(options)).message())
                .contains(options.substring(0, options.indexOf('='))).contains("finite");
    }

    @ParameterizedTest
    @ValueSource(strings = {"keep_log_file_num=1000", "max_log_file_size=100"})
    void anInfoLogElsewhereIsPutBack(String logs) throws IOException {
        Path path = directory.resolve("däta base+1");
        assertFails(path, () -> RocksDB.open(path, notOpened(withLogsElsewhere(logs))).close());
        RocksDB.open(path, withLogsElsewhere(logs)).close();
        Files.writeString(directory.resolve("logs/other_LOG"), "mine");
        assertThat(DirectoryImage.file(directory.resolve("logs"), ".*_LOG\\.old.*|.*base_1_LOG")).isNotEmptyFile();

        for (int i = 0; i < 2; i++) {
            assertFails(path, () -> RocksDB.open(path, notOpened(withLogsElsewhere(logs))).close());
        }
        RocksDB.open(path, withLogsElsewhere(logs)).close();
    }

    private Options withLogsElsewhere(String logs) {
        return create().dbLogDir(directory.resolve("logs").toString()).set(logs);
    }

    /** Faults that RocksDB finds only after it began a new log. */
    private Options notOpened(Options options) {
        return options.walDir(directory + "/no/such/parent");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void directoriesMadeForADatabaseThatIsNotCreatedGo(boolean isThere) throws IOException {
        Path path = directory.resolve("db");
        if (isThere) {
            Files.createDirectory(path);
            Files.writeString(path.resolve("notes.txt"), "mine");
        }
        // Faults that RocksDB finds after it made its directories.
        Path logs = directory.resolve("logs");
        Path wals = directory.resolve("wals");
        Files.createDirectory(wals);
        Files.writeString(wals.resolve("000009.log"), "of another database");

        Status status = assertFails(path, () -> RocksDB.open(path,
                create().dbLogDir(logs.toString()).walDir(wals.toString()).WALTtlSeconds(Duration.ofSeconds(100))));

        assertThat(status.message()).contains("000009.log");
        Files.delete(wals.resolve("000009.log"));
        Files.delete(wals);
        assertFails(path,
                () -> RocksDB.open(path, create().walDir(wals.toString()).dbLogDir(directory + "/no/such/parent")));
        RocksDB.open(path, create().dbLogDir(logs.toString()).walDir(wals.toString())).close();
    }

    @Test
    void aPathOfAnotherFileSystemIsRefused() throws IOException {
        FileSystem zip = closeLater(
                FileSystems.newFileSystem(directory.resolve("files.zip"), Map.of("create", "true")));
        Path path = zip.getPath("/db");
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> RocksDB.open(path, create()));
        assertThat(thrown).hasMessageContaining("/db").hasMessageContaining("operating system");
    }

    @Test
    void relativePathsAndUnicodeWork() {
        Path path = directory.resolve("grüße 数据库 \uD83D\uDE00");
        try (RocksDB db = RocksDB.open(Path.of("").toAbsolutePath().relativize(path), create())) {
            assertThat(db.path()).isEqualTo(path.toAbsolutePath());
        }
        assertThatCode(() -> RocksDB.open(path).close()).doesNotThrowAnyException();
    }

    @Test
    void withLittleStackItSaysHowMuchItNeeds() throws Exception {
        // Calls have to be linked first: a class that cannot be initialized is lost.
        RocksDB.open(directory.resolve("with enough"), create()).close();
        for (int kibibytes = 200; kibibytes <= 400; kibibytes += 50) {
            Path path = directory.resolve("with " + kibibytes);
            AtomicReference<Throwable> thrown = new AtomicReference<>();
            Thread thread = new Thread(null, () -> {
                try {
                    RocksDB.open(path, create()).close();
                } catch (Throwable e) {
                    thrown.set(e);
                }
            }, "little stack", (long) kibibytes << 10);
            thread.start();
            thread.join();
            if (thrown.get() != null) {
                assertThat(thrown.get()).isInstanceOf(StackOverflowError.class)
                        .hasMessageContaining("KiB of stack").hasMessageContaining("-Xss");
                assertThat(path).doesNotExist();
            }
        }
    }
}
