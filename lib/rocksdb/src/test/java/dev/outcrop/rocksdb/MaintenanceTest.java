package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.zip.CRC32C;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Flushes, compactions, files, checksums and options of an open database. */
class MaintenanceTest extends DatabaseTest {
    private static final int KEYS = 1000;

    @Test
    void aFamilyMayBeNamedAgainForAFlush() {
        RocksDB db = open();
        ColumnFamily users = db.createColumnFamily("users", new Options().disableAutoCompactions(true));
        for (int i = 1; i <= 20; i++) {
            users.put(Bytes.of("a"), Bytes.of("1"));
            db.put(Bytes.of("b"), Bytes.of("2"));
            db.flush(Collections.nCopies(30, users), new FlushOptions().forceAtomicFlush(true));
            assertThat(db.liveFiles()).hasSize(i).extracting(LiveFile::columnFamily).containsOnly("users");
        }
    }

    @Test
    void flushesSeveralFamiliesAtOnce() {
        RocksDB db = open();
        ColumnFamily users = db.createColumnFamily("users", new Options());
        db.put(Bytes.of("a"), Bytes.of("1"));
        users.put(Bytes.of("b"), Bytes.of("2"));
        db.flush(List.of(db.defaultColumnFamily(), users), new FlushOptions().forceAtomicFlush(true));
        assertThat(db.liveFiles()).extracting(LiveFile::columnFamily).containsExactlyInAnyOrder("default", "users");
        LiveFile file = db.liveFiles().stream().filter(f -> f.columnFamily().equals("users")).findFirst().orElseThrow();
        assertThat(text(file.smallestKey())).isEqualTo("b");
        assertThat(text(file.largestKey())).isEqualTo("b");
        assertThat(file.entries()).isEqualTo(1);
        assertThat(file.deletions()).isZero();
        assertThat(file.level()).isZero();
        assertThat(file.path()).hasParent(directory).exists().hasSize(file.size());
        db.flushWal(true);
        db.flushWal(new FlushWalOptions().sync(false));
        try (RocksDB other = RocksDB.open(directory.resolve("other"), create())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> db.flush(List.of(other.defaultColumnFamily()), new FlushOptions()));
        }
        db.dropColumnFamily(users);
        assertThatIllegalStateException().isThrownBy(() -> db.flush(List.of(users), new FlushOptions()));
    }

    @Test
    void anAtomicFlushIsRefusedWhereOthersRunBesideIt() {
        FlushOptions forced = new FlushOptions().forceAtomicFlush(true);
        Map<String, String> many = Map.of("max_background_jobs", "8");
        try (RocksDB db = RocksDB.open(directory.resolve("many"), create().maxBackgroundJobs(8))) {
            refused(Status.Code.NOT_SUPPORTED, () -> db.flush(List.of(db.defaultColumnFamily()), forced));
            refused(Status.Code.NOT_SUPPORTED,
                    () -> db.liveFilesStorageInfo(new LiveFilesStorageInfoOptions().atomicFlush(true)));
            try (BackupEngine backups = BackupEngine.open(new BackupEngineOptions(directory.resolve("backups")))) {
                refused(Status.Code.NOT_SUPPORTED,
                        () -> backups.create(db, new CreateBackupOptions().atomicFlush(true)));
            }
            db.flush(List.of(db.defaultColumnFamily()), new FlushOptions());
        }
        try (RocksDB db = RocksDB.open(directory.resolve("few"), create())) {
            db.flush(List.of(db.defaultColumnFamily()), forced);
            refused(Status.Code.NOT_SUPPORTED, () -> db.setDbOptions(many));
            refused(Status.Code.NOT_SUPPORTED, () -> db.setDbOptions(Map.of("max_background_flushes", "2")));
            db.setDbOptions(Map.of("max_background_jobs", "7"));
            fill(db, "v");
            db.flush(List.of(db.defaultColumnFamily()), forced);
        }
        try (RocksDB db = RocksDB.open(directory.resolve("more"), create())) {
            db.setDbOptions(many);
            refused(Status.Code.NOT_SUPPORTED, () -> db.flush(forced));
        }
        RocksDB db = closeLater(
                RocksDB.open(directory.resolve("atomic"), create().maxBackgroundJobs(8).atomicFlush(true)));
        fill(db, "v");
        db.flush(List.of(db.defaultColumnFamily()), forced);
        db.setDbOptions(Map.of("max_background_jobs", "16"));
        db.flush(forced);
        assertThat(db.liveFiles()).hasSize(1);
    }

    @Test
    void compactsRangesAndFiles() {
        RocksDB db = open(create().disableAutoCompactions(true));
        fill(db, "v");
        db.flush();
        fill(db, "w");
        db.flush();
        assertThat(db.metadata().levels().getFirst().files()).hasSize(2);
        List<Path> inputs = db.liveFiles().stream().map(LiveFile::path).toList();
        CompactionJobInfo job = db.compactFiles(inputs, 2, new CompactionOptions());
        assertThat(job.status()).isNull();
        assertThat(job.inputFiles()).map(Path::of).containsExactlyInAnyOrderElementsOf(inputs);
        assertThat(job.outputLevel()).isEqualTo(2);
        assertThat(job.compactionReason()).isEqualTo(CompactionReason.MANUAL_COMPACTION);
        List<Path> outputs = job.outputFiles().stream().map(Path::of).toList();
        assertThat(outputs).hasSize(1).allSatisfy(file -> assertThat(file).exists());
        assertThat(db.liveFiles()).extracting(LiveFile::path).isEqualTo(outputs);
        assertThat(db.metadata(new ColumnFamilyMetadataOptions().level(2)).fileCount()).isEqualTo(1);

        db.compact(segment("k"), segment("l"), new CompactRangeOptions().changeLevel(true).targetLevel(4)
                .bottommostLevelCompaction(BottommostLevelCompaction.FORCE));
        ColumnFamilyMetadata metadata = db.metadata();
        assertThat(metadata.name()).isEqualTo("default");
        LevelMetadata level = metadata.levels().get(4);
        assertThat(level.files()).hasSize(1);
        assertThat(level.size()).isEqualTo(metadata.size());
        assertThat(text(level.files().getFirst().smallestKey())).isEqualTo(key(0));
        assertThat(text(level.files().getFirst().largestKey())).isEqualTo(key(KEYS - 1));
        assertThat(level.files().getFirst().path()).exists();
        assertThat(db.get(Bytes.of(key(7)))).isEqualTo(Bytes.of("w7"));

        db.suggestCompactRange(segment("a"), segment("z"));
        db.backgroundWork().waitForCompact();
    }

    @Test
    void filesThatNeedNoCompactionAreMoved() {
        RocksDB db = open(create().disableAutoCompactions(true));
        for (int i = 0; i < 20; i++) {
            db.put(Bytes.of(key(i)), Bytes.of("v"));
            db.flush();
            List<Path> files = db.metadata().levels().getFirst().files().stream().map(SstFileMetadata::path).toList();
            CompactionJobInfo job = db.compactFiles(files, 3, new CompactionOptions().allowTrivialMove(true));
            assertThat(job.outputFiles()).map(Path::of).isEqualTo(files).allSatisfy(file -> assertThat(file).exists());
            assertThat(job.inputFiles()).isEqualTo(job.outputFiles());
            assertThat(job.columnFamilyName()).isEqualTo("default");
            assertThat(job.compactionReason()).isEqualTo(CompactionReason.MANUAL_COMPACTION);
            assertThat(job.outputLevel()).isEqualTo(3);
            assertThat(List.of(job.inputRecords(), job.totalOutputBytes(), job.stats().totalInputBytes()))
                    .containsOnly(0L);
            assertThat(db.metadata(new ColumnFamilyMetadataOptions().level(3)).fileCount()).isEqualTo(i + 1);
        }
    }

    @Test
    void refusesCompactionsThatWouldDoNothing() {
        RocksDB db = open();
        fill(db, "v");
        refused(Status.Code.INVALID_ARGUMENT, () -> db.compact(segment("b"), segment("a")));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.suggestCompactRange(segment("b"), segment("a")));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.deleteFilesInRange(segment("b"), segment("a")));
        refused(Status.Code.INVALID_ARGUMENT,
                () -> db.compact(new CompactRangeOptions().changeLevel(true).targetLevel(99)));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.compact(new CompactRangeOptions().targetPathId(1)));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.compactFiles(List.of(), 1, new CompactionOptions()));
        // RocksDB would hang.
        assertThatIllegalArgumentException()
                .isThrownBy(() -> db.flush(List.of(), new FlushOptions().forceAtomicFlush(true)));
        refused(Status.Code.INVALID_ARGUMENT,
                () -> db.compactFiles(List.of(Path.of("nonsense")), 1, new CompactionOptions()));
        db.flush();
        List<Path> files = db.liveFiles().stream().map(LiveFile::path).toList();
        for (int level : new int[]{-1, 7, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
            refused(Status.Code.INVALID_ARGUMENT, () -> db.compactFiles(files, level, new CompactionOptions()));
        }
        Cancellation cancellation = new Cancellation();
        cancellation.cancel();
        refused(Status.Code.INCOMPLETE,
                () -> db.compactFiles(files, 1, new CompactionOptions().canceled(cancellation)));

        db.backgroundWork().disableManualCompaction();
        refused(Status.Code.INCOMPLETE, db::compact);
        db.backgroundWork().enableManualCompaction();
        assertThatIllegalStateException().isThrownBy(() -> db.backgroundWork().enableManualCompaction());
        db.compact();
        assertThat(db.metadata().levels().getFirst().files()).isEmpty();
        db.backgroundWork().cancelAll(true);
        refused(Status.Code.SHUTDOWN_IN_PROGRESS, db::compact);
        assertThat(db.get(Bytes.of(key(1)))).isEqualTo(Bytes.of("v1"));
    }

    @Test
    void pausedWorkGoesOnWhenTheDatabaseCloses() throws Exception {
        RocksDB db = open();
        fill(db, "v");
        BackgroundWork work = db.backgroundWork();
        assertThatIllegalStateException().isThrownBy(work::resume);
        work.pause();
        refused(Status.Code.ABORTED, () -> work.waitForCompact(new WaitForCompactOptions().abortOnPause(true)));
        work.pause();
        work.resume();
        Thread flush = Thread.ofPlatform().start(db::flush);
        while ("0".equals(db.property("rocksdb.num-immutable-mem-table"))) {
            Thread.onSpinWait();
        }
        refused(Status.Code.TIMED_OUT,
                () -> work.waitForCompact(new WaitForCompactOptions().timeout(Duration.ofMillis(1))));
        assertThat(db.liveFiles()).isEmpty();
        db.close();
        flush.join();
        assertThatIllegalStateException().isThrownBy(work::pause).withMessageContaining("is closed");
        RocksDB again = closeLater(RocksDB.open(directory));
        assertThat(again.get(Bytes.of(key(3)))).isEqualTo(Bytes.of("v3"));
    }

    @Test
    void deletesFilesOfARange() {
        RocksDB db = open();
        fill(db, "v");
        db.compact();
        assertThat(db.liveFiles()).hasSize(1);
        db.deleteFilesInRange(segment(key(1)), segment("z"));
        assertThat(db.get(Bytes.of(key(5)))).as("the file has a key before the range").isNotNull();
        db.deleteFilesInRange(segment(""), segment("z"));
        assertThat(db.liveFiles()).isEmpty();
        assertThat(db.get(Bytes.of(key(5)))).isNull();
    }

    @Test
    void deletesFilesOfAKeyRangeWithoutItsEnd() {
        RocksDB db = open();
        for (String prefix : List.of("a", "b", "c")) {
            db.put(Bytes.of(prefix), Bytes.of("1"));
            db.put(Bytes.of(prefix + "x"), Bytes.of("2"));
            db.flush();
            // Files of level 0 are never deleted so.
            db.compact(KeyRange.prefix(Bytes.of(prefix)));
        }
        assertThat(db.liveFiles()).hasSize(3);
        db.deleteFilesInRange(KeyRange.of(Bytes.of("b"), Bytes.of("bx")));
        db.deleteFilesInRange(KeyRange.to(Bytes.of("")));
        assertThat(db.liveFiles()).as("the end of a range is not in it").hasSize(3);
        db.deleteFilesInRange(KeyRange.prefix(Bytes.of("b")));
        assertThat(db.get(Bytes.of("b"))).isNull();
        db.deleteFilesInRange(Bytes.of("c"), Bytes.of("cx"));
        assertThat(db.get(Bytes.of("cx"))).isNull();
        assertThat(db.get(Bytes.of("ax"))).isEqualTo(Bytes.of("2"));
        db.deleteFilesInRange(KeyRange.all());
        assertThat(db.liveFiles()).isEmpty();
    }

    @Test
    void compactsAKeyRange() {
        RocksDB db = open();
        fill(db, "v");
        db.flush();
        db.compact(KeyRange.from(Bytes.of("zz")));
        assertThat(db.liveFiles()).allMatch(file -> file.level() == 0);
        db.compact(KeyRange.from(Bytes.of(key(1))), new CompactRangeOptions());
        assertThat(db.liveFiles()).noneMatch(file -> file.level() == 0);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> db.compact(KeyRange.of(Bytes.of("b"), Bytes.of("a"))))
                .withMessageContaining("ends before it begins");
    }

    @Test
    void keepsFilesWhileDeletionsAreDisabled() {
        RocksDB db = open();
        fill(db, "v");
        db.flush();
        Path file = db.liveFiles().getFirst().path();
        db.disableFileDeletions();
        fill(db, "w");
        db.compact();
        assertThat(db.liveFiles()).extracting(LiveFile::path).doesNotContain(file);
        assertThat(file).exists();
        db.enableFileDeletions();
        db.backgroundWork().waitForCompact(new WaitForCompactOptions().waitForPurge(true));
        assertThat(file).doesNotExist();
    }

    @Test
    void listsTheFilesOfReadOnlyDatabasesWithoutAFlush() {
        Options options = create().manualWalFlush(true);
        try (RocksDB db = RocksDB.open(directory, options)) {
            fill(db, "v");
        }
        LiveFilesStorageInfoOptions all = new LiveFilesStorageInfoOptions().walSizeForFlush(Long.MAX_VALUE);
        try (RocksDB reader = RocksDB.openReadOnly(directory, options)) {
            assertThat(reader.liveFilesStorageInfo(all)).isNotEmpty();
        }
        RocksDB follower = closeLater(RocksDB.openSecondary(directory, directory.resolve("own"), options));
        assertThat(follower.liveFilesStorageInfo(all)).isNotEmpty();
    }

    @Test
    void changesThatBlockWritesAreRefused() {
        Options options = create().maxWriteBufferNumber(5).minWriteBufferNumberToMerge(3);
        RocksDB db = closeLater(RocksDB.open(directory, options));
        ColumnFamily family = db.defaultColumnFamily();
        for (Map<String, String> change : List.of(Map.of("max_write_buffer_number", "3"),
                Map.of("level0_stop_writes_trigger", "3"), Map.of("level0_file_num_compaction_trigger", "100"))) {
            refused(Status.Code.INVALID_ARGUMENT, () -> family.setOptions(change));
        }
        family.setOptions(Map.of("max_write_buffer_number", "4", "level0_stop_writes_trigger", "20"));
        fill(db, "v");
    }

    @Test
    void writesDoNotWaitForMemoryThatIsNotGivenBack() {
        WriteBufferManager manager = new WriteBufferManager(2000);
        assertThatIllegalArgumentException().isThrownBy(() -> manager.allowStall(true))
                .withMessageContaining("buffer_size");
        manager.bufferSize(4 << 20).allowStall(true);
        assertThatIllegalArgumentException().isThrownBy(() -> manager.bufferSize(2000));
        manager.allowStall(false).bufferSize(2000);
    }

    @Test
    void listsTheFilesOfACopy() {
        Options options = create().fileChecksumGenFactory(FileChecksumGenFactory.crc32c());
        RocksDB db = closeLater(RocksDB.open(directory, options));
        fill(db, "v");
        List<LiveFileStorageInfo> files = db
                .liveFilesStorageInfo(new LiveFilesStorageInfoOptions().includeChecksumInfo(true));
        assertThat(files).extracting(LiveFileStorageInfo::fileType).contains(FileType.TABLE, FileType.CURRENT,
                FileType.DESCRIPTOR, FileType.OPTIONS);
        for (LiveFileStorageInfo file : files) {
            switch (file.fileType()) {
                case CURRENT -> assertThat(file.replacementContents()).startsWith("MANIFEST-");
                case TABLE -> {
                    assertThat(file.path()).exists().hasSize(file.size());
                    assertThat(file.checksumFunction()).isEqualTo("FileChecksumCrc32c");
                    assertThat(file.replacementContents()).isNull();
                    assertThat(file.fileNumber()).isPositive();
                }
                default -> assertThat(file.path()).exists();
            }
        }
        assertThat(db.dbIdentity()).matches("[0-9a-f-]{36}");
    }

    /** One checksum in 64 contains a zero byte, where the C API cuts it. */
    @Test
    @Tag("verify")
    void theChecksumsOfFilesAreWhole() throws IOException {
        Options options = create().fileChecksumGenFactory(FileChecksumGenFactory.crc32c()).disableAutoCompactions(true)
                .level0SlowdownWritesTrigger(1000).level0StopWritesTrigger(1000);
        RocksDB db = closeLater(RocksDB.open(directory, options));
        int files = TestSize.choose("outcrop.checksums.files", 60, 300);
        for (int i = 0; i < files; i++) {
            db.put(Bytes.of("key" + i), Bytes.of("value"));
            db.flush();
        }
        for (LiveFileStorageInfo file : db
                .liveFilesStorageInfo(new LiveFilesStorageInfoOptions().includeChecksumInfo(true))) {
            if (file.fileType() == FileType.TABLE) {
                CRC32C checksum = new CRC32C();
                checksum.update(Files.readAllBytes(file.path()));
                assertThat(file.checksum().getBytes(StandardCharsets.ISO_8859_1))
                        .isEqualTo(ByteBuffer.allocate(4).putInt((int) checksum.getValue()).array());
            }
        }
    }

    @Test
    void findsDamagedFiles() {
        Options options = create().fileChecksumGenFactory(FileChecksumGenFactory.crc32c());
        Path file;
        try (RocksDB db = RocksDB.open(directory, options)) {
            fill(db, "v");
            db.flush();
            db.verifyChecksum(new ReadOptions());
            db.verifyChecksum();
            db.verifyFileChecksums(new ReadOptions());
            db.verifyFileChecksums();
            file = db.liveFiles().getFirst().path();
        }
        DirectoryImage.flip(file, 100);
        try (RocksDB db = RocksDB.open(directory, options)) {
            refused(Status.Code.CORRUPTION, () -> db.verifyChecksum(new ReadOptions()));
            refused(Status.Code.CORRUPTION, db::verifyChecksum);
            refused(Status.Code.CORRUPTION, () -> db.verifyFileChecksums(new ReadOptions()));
            refused(Status.Code.CORRUPTION, db::verifyFileChecksums);
        }
        RocksDB db = closeLater(RocksDB.open(directory, new Options()));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.verifyFileChecksums(new ReadOptions()));
    }

    @Test
    void changesOptionsOfAnOpenDatabase() {
        RocksDB db = open();
        ColumnFamily users = db.createColumnFamily("users", new Options());
        users.setOptions(Map.of("write_buffer_size", "131072", "disable_auto_compactions", "true"));
        db.setOptions(Map.of("block_based_table_factory", "{block_size=8192}"));
        db.setDbOptions(Map.of("max_background_jobs", "4"));
        db.setDbOptions(Map.of("compaction_readahead_size", "2MB"));
        ColumnFamily log = db.createColumnFamily("log",
                new Options().compactionStyle(CompactionStyle.FIFO).numLevels(1));
        log.setOptions(Map.of("compaction_options_fifo",
                "{file_temperature_age_thresholds={{temperature=kWarm;age=10}:{temperature=kCold;age=100}}}"));
        db.setOptions(Map.of("max_bytes_for_level_multiplier_additional", "1 : 2"));
        assertThat(OptionsFile.ofFamiliesIfAny(directory).get("users")).containsEntry("write_buffer_size", "131072");
        assertThat(OptionsFile.ofFamiliesIfAny(directory).get("default")).doesNotContainEntry("write_buffer_size",
                "131072");

        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("no_such_option", "1")));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("write_buffer_size", "many")));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("write_buffer_size", "-5")));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("num_levels", "3")));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("sst_partitioner_factory", "foo")));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setDbOptions(Map.of("max_background_jobs", "1000000")));
        refused(Status.Code.INVALID_ARGUMENT,
                () -> db.setOptions(Map.of("block_based_table_factory", "{block_size=0}")));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of()));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("prefix_extractor", "nullptr")));
        assertThatIllegalArgumentException().isThrownBy(() -> db.setOptions(Map.of("write_buffer_size", "1\0" + "2")));
        users.put(Bytes.of("a"), Bytes.of("b"));
        assertThat(users.get(Bytes.of("a"))).isEqualTo(Bytes.of("b"));
    }

    @Test
    void changesThatBlockWritesOrEndTheProcessAreRefused() {
        RocksDB plain = closeLater(RocksDB.open(directory.resolve("plain"), create()));
        TransactionDB locking = closeLater(TransactionDB.open(directory.resolve("locking"), create()));
        OptimisticTransactionDB optimistic = closeLater(
                OptimisticTransactionDB.open(directory.resolve("optimistic"), create()));
        RocksDB ageing = closeLater(
                RocksDB.openWithTtl(directory.resolve("ageing"), create(), Duration.ofDays(1)));
        for (RocksDB db : List.of(plain, locking, optimistic, ageing)) {
            for (String rate : List.of("0", "1", "3")) {
                refused(Status.Code.INVALID_ARGUMENT, () -> db.setDbOptions(Map.of("delayed_write_rate", rate)));
            }
            db.setDbOptions(Map.of("delayed_write_rate", "4"));
            refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("level0_stop_writes_trigger", "3")));
        }
    }

    /** RocksDB corrects limits when it opens a family, but not when they are changed. */
    @Test
    void changesAreCheckedAgainstWhatOpeningHasCorrected() {
        Options options = create().level0FileNumCompactionTrigger(100).minWriteBufferNumberToMerge(6)
                .maxWriteBufferNumber(4);
        RocksDB db = open(options);
        for (ColumnFamily family : List.of(db.defaultColumnFamily(), db.createColumnFamily("more", options))) {
            family.setOptions(Map.of("disable_auto_compactions", "true"));
            family.setOptions(Map.of("disable_auto_compactions", "false"));
            family.setOptions(Map.of("max_write_buffer_number", "5"));
            refused(Status.Code.INVALID_ARGUMENT,
                    () -> family.setOptions(Map.of("level0_stop_writes_trigger", "99")));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"max_write_buffer_number=0", "max_write_buffer_number=1;min_write_buffer_number_to_merge=5",
            "min_write_buffer_number_to_merge=7;max_write_buffer_number=4", "min_write_buffer_number_to_merge=0",
            "min_write_buffer_number_to_merge=3;max_write_buffer_number=6;atomic_flush=true",
            "level0_file_num_compaction_trigger=100", "level0_file_num_compaction_trigger=0",
            "level0_file_num_compaction_trigger=-1", "level0_stop_writes_trigger=0",
            "level0_slowdown_writes_trigger=50;level0_stop_writes_trigger=7", "level0_slowdown_writes_trigger=1",
            "level0_slowdown_writes_trigger=-1;level0_stop_writes_trigger=-1"})
    void theCorrectionsOfOpeningAreThoseOfRocksDb(String given) throws IOException {
        Options options = create().set(given);
        RocksDB.open(directory, options).close();
        Options opened = options.opened(options.atomicFlush());
        assertThat(OptionsFile.ofFamiliesIfAny(directory).get("default"))
                .containsEntry("max_write_buffer_number", opened.maxWriteBufferNumber() + "")
                .containsEntry("min_write_buffer_number_to_merge", opened.minWriteBufferNumberToMerge() + "")
                .containsEntry("level0_file_num_compaction_trigger", opened.level0FileNumCompactionTrigger() + "")
                .containsEntry("level0_slowdown_writes_trigger", opened.level0SlowdownWritesTrigger() + "")
                .containsEntry("level0_stop_writes_trigger", opened.level0StopWritesTrigger() + "");
    }

    /** Writes would wait for files that are never merged. */
    @ParameterizedTest
    @ValueSource(strings = {"{min_merge_width=1000}", "{min_merge_width=33}", "{min_merge_width=1K}",
            "{min_merge_width=4294967295}", "{max_merge_width=0}", "{max_merge_width=1}",
            "{min_merge_width=4;max_merge_width=3}", "min_merge_width=33"})
    void universalCompactionMergesWhatWritesWaitFor(String widths) throws IOException {
        String universal = "compaction_options_universal";
        Options style = create().compactionStyle(CompactionStyle.UNIVERSAL);
        Options options = style.copy().set(universal + "=" + widths);
        refused(Status.Code.INVALID_ARGUMENT, () -> RocksDB.open(directory, options));
        RocksDB db = open(style);
        refused(Status.Code.INVALID_ARGUMENT, () -> db.createColumnFamily("more", options));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of(universal, widths)));
        fill(db, "v");
        db.createColumnFamily("level", options.copy().compactionStyle(CompactionStyle.LEVEL));
        // Nothing is merged there, and nothing waits.
        ColumnFamily manual = db.createColumnFamily("manual", options.copy().disableAutoCompactions(true));
        refused(Status.Code.INVALID_ARGUMENT, () -> manual.setOptions(Map.of("disable_auto_compactions", "false")));
    }

    @Test
    void theWidthsOfUniversalCompactionAreKnown() throws IOException {
        Options options = create().compactionStyle(CompactionStyle.UNIVERSAL).universalCompactionOptions(
                new UniversalCompactionOptions().minMergeWidth(32).maxMergeWidth(-1)).set("max_open_files=100");
        try (RocksDB db = RocksDB.open(directory, options)) {
            for (String stopping : List.of("level0_stop_writes_trigger=35", "level0_file_num_compaction_trigger=5")) {
                String[] option = stopping.split("=", -1);
                assertThatThrownBy(() -> db.setOptions(Map.of(option[0], option[1])))
                        .isInstanceOf(RocksDBException.class)
                        .hasMessageContaining("min_merge_width must be at most 31");
            }
            db.setOptions(Map.of("compaction_options_universal", "{size_ratio=2}"));
            db.setOptions(Map.of("level0_stop_writes_trigger", "40"));
            db.setOptions(Map.of("compaction_options_universal", "{min_merge_width=36}"));
        }
        try (RocksDB db = RocksDB.open(directory)) {
            assertThat(OptionsFile.ofFamiliesIfAny(directory).getOrDefault("default", Map.of())
                    .get("compaction_options_universal"))
                    .contains("min_merge_width=36", "size_ratio=2");
            refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("level0_stop_writes_trigger", "39")));
            db.setOptions(Map.of("level0_stop_writes_trigger", "41"));
        }
        // The number of files at which writes wait is raised with the number at which compaction begins.
        try (RocksDB _ = RocksDB.open(directory.resolve("raised"), create().compactionStyle(CompactionStyle.UNIVERSAL)
                .level0FileNumCompactionTrigger(100))) {
            assertThat(OptionsFile.ofFamiliesIfAny(directory.resolve("raised")).get("default"))
                    .containsEntry("level0_stop_writes_trigger", "100");
        }
    }

    /** The triggers may be changed one after the other. */
    @Test
    void changesAreCheckedAgainstThePresentOptions() {
        RocksDB db = open();
        db.setOptions(Map.of("level0_file_num_compaction_trigger", "30", "level0_stop_writes_trigger", "60"));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("level0_stop_writes_trigger", "20")));
        db.setOptions(Map.of("disable_auto_compactions", "true", "level0_stop_writes_trigger", "20"));
        refused(Status.Code.INVALID_ARGUMENT, () -> db.setOptions(Map.of("disable_auto_compactions", "false")));
        db.setOptions(Map.of("level0_file_num_compaction_trigger", "10"));
        db.setOptions(Map.of("disable_auto_compactions", "false"));
        assertThat(OptionsFile.ofFamiliesIfAny(directory).get("default"))
                .containsEntry("level0_file_num_compaction_trigger", "10")
                .containsEntry("level0_stop_writes_trigger", "20");
    }

    @Test
    void optionsOfThisProgramMayBeUsedAgain() {
        Options options = create();
        RocksDB db = open(options);
        options.set("use_direct_io_for_flush_and_compaction=true;writable_file_max_buffer_size=0");
        db.setDbOptions(Map.of("max_open_files", "100"));
    }

    @Test
    void dropsOldVersions() {
        Options timestamps = new Options().set("comparator=leveldb.BytewiseComparator.u64ts");
        try (RocksDB db = open()) {
            ColumnFamily history = db.createColumnFamily("history", timestamps);
            assertThat(history.fullHistoryTsLow()).isNull();
            history.increaseFullHistoryTsLow(new byte[]{9, 0, 0, 0, 0, 0, 0, 0});
            assertThat(history.fullHistoryTsLow()).isEqualTo(new byte[]{9, 0, 0, 0, 0, 0, 0, 0});
            refused(Status.Code.INVALID_ARGUMENT, () -> history.increaseFullHistoryTsLow(new byte[8]));
            refused(Status.Code.INVALID_ARGUMENT, () -> history.increaseFullHistoryTsLow(new byte[7]));
            refused(Status.Code.INVALID_ARGUMENT, () -> history.increaseFullHistoryTsLow(new byte[0]));
            refused(Status.Code.INVALID_ARGUMENT, () -> db.defaultColumnFamily().increaseFullHistoryTsLow(new byte[8]));
            refused(Status.Code.INVALID_ARGUMENT, () -> db.defaultColumnFamily().fullHistoryTsLow());
            refused(Status.Code.NOT_SUPPORTED, () -> history.suggestCompactRange(segment("a"), segment("b")));
            history.compact(segment(""), segment("b"));
        }
        Map<String, Options> families = Map.of("history", timestamps);
        refused(Status.Code.INVALID_ARGUMENT,
                () -> RocksDB.openTrimmed(directory, new Options(), families, new byte[3]));
        refused(Status.Code.INVALID_ARGUMENT,
                () -> RocksDB.openTrimmed(directory, new Options(), families, new byte[0]));
        RocksDB db = closeLater(RocksDB.openTrimmed(directory, new Options(), families, new byte[8]));
        assertThat(db.columnFamilies()).hasSize(2);
    }

    @Test
    void createsSeveralFamilies() {
        try (RocksDB db = open()) {
            List<ColumnFamily> families = db.createColumnFamilies(List.of("a", "b"), new Options());
            assertThat(families).extracting(ColumnFamily::name).containsExactly("a", "b");
            refused(Status.Code.INVALID_ARGUMENT, () -> db.createColumnFamilies(List.of("c", "b", "d"), new Options()));
            assertThat(db.columnFamilies()).extracting(ColumnFamily::name).containsExactly("default", "a", "b", "c");
            db.columnFamily("c").put(Bytes.of("k"), Bytes.of("v"));
            assertThat(db.createColumnFamilies(List.of(), new Options())).isEmpty();
        }
        RocksDB.open(directory).close();
    }

    private static void refused(Status.Code code, ThrowingCallable call) {
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(call)
                .satisfies(e -> assertThat(e.status().code()).isEqualTo(code));
    }

    private static void fill(KeyValueWriter writer, String value) {
        for (int i = 0; i < KEYS; i++) {
            writer.put(Bytes.of(key(i)), Bytes.of(value + i));
        }
    }

    private static String key(int i) {
        return String.format("k%05d", i);
    }

    private static MemorySegment segment(String text) {
        return MemorySegment.ofArray(Bytes.of(text));
    }
}
