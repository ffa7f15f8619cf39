package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Checkpoints, backups and exported column families hold what the original held. */
class CopiesTest extends DatabaseTest {
    private static final long BYTES_PER_SECOND = 1000;
    private static final int LIMITED_BYTES = 1_000_000;

    @Test
    void checkpointsContainUnflushedWrites() {
        Path path = directory.resolve("logged");
        try (RocksDB db = RocksDB.open(path, create().avoidFlushDuringShutdown(true))) {
            db.put(new byte[]{1}, new byte[]{2});
        }
        Path copy = directory.resolve("copy of logged");
        try (RocksDB db = RocksDB.openReadOnly(path)) {
            assertThatThrownBy(() -> db.checkpoint(copy)).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining("open it for writing to make a checkpoint");
        }
        assertThat(copy).doesNotExist();
        try (RocksDB db = RocksDB.open(path)) {
            db.checkpoint(copy);
        }
        RocksDB db = closeLater(RocksDB.open(copy));
        assertThat(db.get(new byte[]{1})).containsExactly(2);
    }

    @Test
    void aCheckpointIsADatabase() {
        RocksDB db = open();
        ColumnFamily users = db.createColumnFamily("users", new Options());
        fill(db, 1);
        fill(users, 2);
        Map<String, String> then = content(db);
        Map<String, String> usersThen = content(users);
        db.checkpoint(directory.resolve("flushed"));
        db.checkpoint(directory.resolve("with log"), Long.MAX_VALUE);
        fill(db, 3);
        refused(() -> db.checkpoint(directory.resolve("flushed")));
        refused(() -> db.checkpoint(directory.resolve("no").resolve("such").resolve("parent")));
        assertThatIllegalArgumentException().isThrownBy(() -> db.checkpoint(directory.resolve("more"), -1));
        for (String copy : List.of("flushed", "with log")) {
            try (RocksDB checkpoint = RocksDB.open(directory.resolve(copy))) {
                assertThat(content(checkpoint)).isEqualTo(then);
                assertThat(content(checkpoint.columnFamily("users"))).isEqualTo(usersThen);
            }
        }
    }

    @Test
    void backupsAreRestored() {
        Path target = directory.resolve("restored");
        RocksDB db = open();
        BackupEngine backups = closeLater(backups());
        fill(db, 1);
        Map<String, String> first = content(db);
        Instant before = Instant.now().minusSeconds(1);
        assertThat(backups.create(db)).isEqualTo(1);
        fill(db, 2);
        Map<String, String> second = content(db);
        assertThat(backups.create(db, new CreateBackupOptions().flushBeforeBackup(true), "größer")).isEqualTo(2);
        fill(db, 3);

        List<BackupInfo> infos = backups.infos();
        assertThat(infos).extracting(BackupInfo::id).containsExactly(1, 2);
        assertThat(infos).extracting(BackupInfo::metadata).containsExactly("", "größer");
        assertThat(infos).allSatisfy(info -> {
            assertThat(info.time()).isAfter(before.minusSeconds(1));
            assertThat(info.size()).isPositive();
            assertThat(info.fileCount()).isPositive();
        });
        backups.verify(1);
        backups.verifyChecksums(2);

        backups.restoreLatest(target, new RestoreOptions());
        assertDatabase(target, second);
        backups.restore(1, target, new RestoreOptions());
        assertDatabase(target, first);
        Path logs = directory.resolve("logs");
        backups.restore(1, target, logs, new RestoreOptions());
        assertThat(logs).isNotEmptyDirectory();
        try (RocksDB restored = RocksDB.open(target, new Options().walDir(logs.toString()))) {
            assertThat(content(restored)).isEqualTo(first);
        }

        backups.purge(1);
        assertThat(backups.infos()).extracting(BackupInfo::id).containsExactly(2);
        refused(() -> backups.verify(1));
        refused(() -> backups.restore(1, target, new RestoreOptions()));
    }

    @Test
    void damagedBackupsAreFound() {
        RocksDB db = open();
        BackupEngine backups = closeLater(backups());
        fill(db, 1);
        db.flush();
        int flipped = backups.create(db);
        Path file = DirectoryImage.file(directory.resolve("backups/shared_checksum"), ".*\\.sst");
        DirectoryImage.flip(file, 200);
        backups.verify(flipped);
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> backups.verifyChecksums(flipped))
                .withMessageContaining(file.getFileName().toString())
                .satisfies(e -> assertThat(e.status().code()).isEqualTo(Status.Code.CORRUPTION));
        refused(() -> backups.restore(flipped, directory.resolve("restored"), new RestoreOptions()));
        DirectoryImage.flip(file, 200);
        backups.verifyChecksums(flipped);
        DirectoryImage.cut(file, 1);
        refused(() -> backups.verify(flipped));
        refused(() -> backups.verifyChecksums(flipped));
    }

    @Test
    void aDatabaseWithAnOrderOfItsOwnIsBackedUpUnderOtherNames() {
        Path named = directory.resolve("named");
        KeyComparator order = KeyComparator.of("reversed", (a, b) -> UserComparator.BYTEWISE.compare(b, a));
        Options options = create().comparator(order);
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), options));
        BackupEngine backups = closeLater(backups());
        BackupEngine fitting = closeLater(BackupEngine.open(new BackupEngineOptions(named)
                .shareFilesWithChecksumNaming(BackupFileNaming.LEGACY_CRC32C_AND_FILE_SIZE)));
        fill(db, 1);
        try (Snapshot _ = db.snapshot()) {
            db.deleteRange(Bytes.of("key00009"), Bytes.of("key00005"));
            db.flush();
        }
        Map<String, String> then = content(db);
        // RocksDB would end the process.
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> backups.create(db))
                .withMessageContaining("LEGACY_CRC32C_AND_FILE_SIZE");
        fitting.verifyChecksums(fitting.create(db));
        fitting.restoreLatest(directory.resolve("restored"), new RestoreOptions());
        RocksDB restored = closeLater(RocksDB.open(directory.resolve("restored"), options));
        assertThat(content(restored)).isEqualTo(then);
    }

    @Test
    void misusedBackupEnginesRefuse() {
        RocksDB db = open();
        BackupEngine backups = backups();
        fill(db, 1);
        refused(() -> backups().close());
        assertThatIllegalArgumentException().isThrownBy(() -> backups.verify(0));
        assertThatIllegalArgumentException().isThrownBy(() -> backups.restore(-1, directory, new RestoreOptions()));
        assertThatIllegalArgumentException().isThrownBy(() -> backups.purge(-1));
        refused(() -> backups.verify(99));
        refused(() -> backups.restoreLatest(directory.resolve("restored"), new RestoreOptions()));
        backups.create(db);
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> backups.restoreLatest(db.path(), new RestoreOptions()))
                .withMessageContaining("open");
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(
                () -> backups.restore(1, directory.resolve("restored"), db.path(), new RestoreOptions()))
                .withMessageContaining("open");
        assertThat(db.get(Bytes.of("key00001"))).isEqualTo(Bytes.random(8, 1));
        refused(() -> backups.restoreLatest(directory.resolve("backups"), new RestoreOptions()));
        refused(() -> backups.restoreLatest(directory, new RestoreOptions()));
        try (RocksDB reader = RocksDB.openReadOnly(db.path(), new Options())) {
            refused(() -> backups.create(reader));
        }
        backups.stopBackup();
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(() -> backups.create(db))
                .satisfies(e -> assertThat(e.status().code()).isEqualTo(Status.Code.INCOMPLETE));
        db.close();
        assertThatIllegalStateException().isThrownBy(() -> backups.create(db)).withMessageContaining("database");
        backups.close();
        backups.close();
        for (ThrowingCallable call : List.<ThrowingCallable>of(() -> backups.create(db), backups::infos,
                () -> backups.verify(1), () -> backups.verifyChecksums(1), () -> backups.purge(1), backups::stopBackup,
                () -> backups.restoreLatest(directory.resolve("restored"), new RestoreOptions()))) {
            assertThatIllegalStateException().isThrownBy(call).withMessageContaining("backup engine of");
        }
        BackupEngine again = closeLater(backups());
        assertThat(again.infos()).hasSize(1);
    }

    @Test
    void aRateLimitHoldsBackupsUp() throws Exception {
        List<BackupEngineOptions> limits = List.of(
                new BackupEngineOptions(directory.resolve("by rate")).backupRateLimit(BYTES_PER_SECOND),
                new BackupEngineOptions(directory.resolve("by limiter"))
                        .backupRateLimiter(RateLimiter.of(BYTES_PER_SECOND)));
        RocksDB db = open();
        BackupEngine free = closeLater(BackupEngine
                .open(new BackupEngineOptions(directory.resolve("free")).shareTableFiles(false)));
        db.put(Bytes.of("key"), Bytes.random(1, LIMITED_BYTES));
        db.flush();
        for (BackupEngineOptions limit : limits) {
            try (BackupEngine limited = BackupEngine.open(limit)) {
                assertHeldUp(limited, () -> limited.create(db), limit.backupDir().resolve("private/1"),
                        () -> assertThat(free.create(db)).isPositive());
                assertThat(limited.infos()).isEmpty();
            }
        }
    }

    @Test
    void aRateLimitHoldsRestoringUp() throws Exception {
        Path backups = directory.resolve("backups");
        List<BackupEngineOptions> limits = List.of(
                new BackupEngineOptions(backups).restoreRateLimit(BYTES_PER_SECOND),
                new BackupEngineOptions(backups).restoreRateLimiter(RateLimiter.of(BYTES_PER_SECOND)));
        try (RocksDB db = open();
                BackupEngine free = BackupEngine.open(new BackupEngineOptions(directory.resolve("free")))) {
            db.put(Bytes.of("key"), Bytes.random(1, LIMITED_BYTES));
            db.flush();
            free.create(db);
            for (BackupEngineOptions limit : limits) {
                Path target = directory.resolve("restored " + limits.indexOf(limit));
                try (BackupEngine limited = BackupEngine.open(limit)) {
                    limited.create(db);
                    assertHeldUp(limited, () -> limited.restoreLatest(target, new RestoreOptions()), target,
                            () -> free.restoreLatest(directory.resolve("restored"), new RestoreOptions()));
                    // Reads that copy nothing still work.
                    limited.verifyChecksums(1);
                    assertThat(limited.infos()).isNotEmpty();
                }
            }
        }
        assertThat(directory.resolve("restored")).isNotEmptyDirectory();
    }

    /**
     * Starts a copy that takes a quarter of an hour at its rate, and makes others without a limit meanwhile. They end, and it does not
     * until it is stopped.
     */
    private static void assertHeldUp(BackupEngine limited, Runnable copy, Path begun, Runnable unlimitedCopy)
            throws InterruptedException {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<?> waiting = other.submit(copy);
            try {
                while (!Files.exists(begun) && !waiting.isDone()) {
                    Thread.sleep(1);
                }
                for (int i = 0; i < 5; i++) {
                    unlimitedCopy.run();
                }
                assertThat(waiting).isNotDone();
            } finally {
                limited.stopBackup();
            }
            ExecutionException stopped = catchThrowableOfType(ExecutionException.class, waiting::get);
            assertThat(stopped.getCause()).isInstanceOfSatisfying(RocksDBException.class,
                    e -> assertThat(e.status().code()).isEqualTo(Status.Code.INCOMPLETE));
        }
    }

    @Test
    void exportedFamiliesAreImported() {
        try (RocksDB db = open(); RocksDB other = RocksDB.open(directory.resolve("other"), create())) {
            ColumnFamily users = db.createColumnFamily("users", new Options());
            fill(users, 1);
            users.flush();
            fill(users, 2);
            Map<String, String> then = content(users);
            ExportedColumnFamily exported = users.export(directory.resolve("exported"));
            assertThat(exported.comparator()).isEqualTo("leveldb.BytewiseComparator");
            assertThat(exported.files()).hasSize(2).allSatisfy(file -> assertThat(file.path()).exists());
            users.delete(Bytes.of("key00001"));

            ColumnFamily copy = other.createColumnFamilyWithImport("copy", new Options(),
                    new ImportColumnFamilyOptions(), exported);
            assertThat(content(copy)).isEqualTo(then);
            ColumnFamily parts = other.createColumnFamilyWithImport("parts", new Options(),
                    new ImportColumnFamilyOptions().moveFiles(true),
                    new ExportedColumnFamily(exported.comparator(), exported.files()));
            assertThat(content(parts)).isEqualTo(then);
            refused(() -> other.createColumnFamilyWithImport("gone", new Options(), new ImportColumnFamilyOptions(),
                    exported));
            assertThat(other.findColumnFamily("gone")).isNull();
        }
        assertThat(RocksDB.listColumnFamilies(directory.resolve("other"))).containsExactly("default", "copy", "parts");
    }

    @Test
    void importsThatDoNotFitAreRefused() {
        RocksDB db = open();
        ColumnFamily merged = db.createColumnFamily("merged", new Options().mergeOperator(MergeOperator.STRING_APPEND));
        merged.merge(Bytes.of("a"), Bytes.of("1"));
        ColumnFamily ranges = db.createColumnFamily("ranges", new Options());
        fill(ranges, 1);
        try (Snapshot _ = db.snapshot()) {
            ranges.deleteRange(Bytes.of("key00001"), Bytes.of("key00005"));
            ranges.flush();
        }
        Map<String, String> then = content(ranges);
        ExportedColumnFamily merges = merged.export(directory.resolve("merges"));
        ExportedColumnFamily holes = ranges.export(directory.resolve("holes"));
        ImportColumnFamilyOptions options = new ImportColumnFamilyOptions();
        refused(() -> db.createColumnFamilyWithImport("x", new Options(), options, merges));
        refused(() -> db.createColumnFamilyWithImport("x",
                new Options().set("comparator=rocksdb.ReverseBytewiseComparator"), options, holes));
        refused(() -> db.createColumnFamilyWithImport("x", new Options(), options,
                new ExportedColumnFamily(holes.comparator(), holes.files())));
        refused(() -> db.createColumnFamilyWithImport("x", new Options(), options,
                new ExportedColumnFamily(holes.comparator(), List.of())));
        LiveFile file = holes.files().getFirst();
        refused(() -> db.createColumnFamilyWithImport("x", new Options(), options,
                new ExportedColumnFamily(holes.comparator(), List.of(new LiveFile("x", file.path(), 1000,
                        file.size(), file.smallestKey(), file.largestKey(), 0, 0, 1, 0)))));
        assertThatIllegalArgumentException().isThrownBy(
                () -> new ExportedColumnFamily(holes.comparator(), List.of(new LiveFile("x", file.path(), -1,
                        file.size(), file.smallestKey(), file.largestKey(), 0, 0, 1, 0))));
        for (long[] numbers : new long[][]{{-1, 0}, {2, 1}, {0, Long.MAX_VALUE}, {1L << 56, 1L << 56}}) {
            assertThatIllegalArgumentException().isThrownBy(
                    () -> new ExportedColumnFamily(holes.comparator(), List.of(new LiveFile("x", file.path(), 0,
                            file.size(), file.smallestKey(), file.largestKey(), numbers[0], numbers[1], 1, 0))))
                    .withMessageContaining("sequence number");
        }
        String timed = "leveldb.BytewiseComparator.u64ts";
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> db.createColumnFamilyWithImport("x", new Options().set("comparator=" + timed),
                        options, new ExportedColumnFamily(timed, merges.files())))
                .withMessageContaining("not a table with the comparator");
        refused(() -> db.createColumnFamilyWithImport("ranges", new Options(), options, holes));
        assertThat(db.columnFamilies()).hasSize(3);
        assertThat(content(db.createColumnFamilyWithImport("x", new Options(), options, holes))).isEqualTo(then);
    }

    private void assertDatabase(Path path, Map<String, String> content) {
        try (RocksDB restored = RocksDB.open(path)) {
            assertThat(content(restored)).isEqualTo(content);
        }
    }

    private static void fill(KeyValueWriter writer, int seed) {
        for (int i = 0; i < 1000; i++) {
            writer.put(Bytes.of(String.format("key%05d", i * seed)), Bytes.random(i * 7L + seed, i % 300));
        }
    }

    private static Map<String, String> content(KeyValueReader reader) {
        Map<String, String> content = new TreeMap<>();
        reader.scan((key, value) -> {
            content.put(new String(key.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1),
                    new String(value.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1));
            return true;
        });
        assertThat(content).isNotEmpty();
        return content;
    }

    private BackupEngine backups() {
        return BackupEngine.open(new BackupEngineOptions(directory.resolve("backups")));
    }
}
