package dev.outcrop.rocksdbjni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BackupInfo;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.DbPath;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.MutableColumnFamilyOptions;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RestoreOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.StdErrLogger;

/** Texts that C takes without their lengths are passed whole, or refused: never cut. */
class TextsTest extends DatabaseTest {
    private final Options options = closeLater(new Options().setCreateIfMissing(true));
    private final TransactionDBOptions locking = closeLater(new TransactionDBOptions());

    @Test
    void textsThatCWouldCutAreRefused() throws Exception {
        String cut = directory.resolve("x") + "\0y";
        Path open = directory.resolve("open");
        Path backups = Files.createDirectory(directory.resolve("backups"));
        DBOptions database = closeLater(new DBOptions());
        ColumnFamilyOptions family = closeLater(new ColumnFamilyOptions());
        RocksDB db = closeLater(RocksDB.open(options, open.toString()));
        Checkpoint checkpoint = closeLater(Checkpoint.create(db));
        EnvOptions env = closeLater(new EnvOptions());
        SstFileWriter writer = closeLater(new SstFileWriter(env, options));
        IngestExternalFileOptions ingest = closeLater(new IngestExternalFileOptions());
        ConfigOptions config = closeLater(new ConfigOptions());
        BackupEngineOptions backup = closeLater(new BackupEngineOptions(backups.toString()));
        BackupEngine engine = closeLater(BackupEngine.open(Env.getDefault(), backup));
        RestoreOptions restore = closeLater(new RestoreOptions(false));
        engine.createNewBackup(db);
        Map<String, ThrowingCallable> calls = new TreeMap<>();
        calls.put("open", () -> RocksDB.open(options, cut));
        calls.put("open families", () -> RocksDB.open(database, cut, new ArrayList<>(), new ArrayList<>()));
        calls.put("read-only", () -> RocksDB.openReadOnly(options, cut));
        calls.put("secondary", () -> RocksDB.openAsSecondary(options, open.toString(), cut));
        calls.put("locking", () -> TransactionDB.open(options, locking, cut));
        calls.put("ttl", () -> TtlDB.open(options, cut, 1, false));
        calls.put("list", () -> RocksDB.listColumnFamilies(options, cut));
        calls.put("destroy", () -> RocksDB.destroyDB(cut, options));
        calls.put("property", () -> db.getProperty("rocksdb.stats\0x"));
        calls.put("number", () -> db.getLongProperty("rocksdb.num-files-at-level0\0x"));
        calls.put("checkpoint", () -> checkpoint.createCheckpoint(cut));
        calls.put("export", () -> checkpoint.exportColumnFamily(db.getDefaultColumnFamily(), cut));
        calls.put("writer", () -> writer.open(cut));
        calls.put("ingest", () -> db.ingestExternalFile(List.of(cut), ingest));
        calls.put("restore", () -> engine.restoreDbFromLatestBackup(cut, cut, restore));
        calls.put("restore log", () -> engine.restoreDbFromBackup(1, directory + "/restored", cut, restore));
        calls.put("backups", () -> new BackupEngineOptions(backups + "\0x"));
        calls.put("log directory", () -> options.setDbLogDir(cut));
        calls.put("wal directory", () -> database.setWalDir(cut));
        calls.put("off-peak", () -> database.setDailyOffpeakTimeUTC("01:00-02:00\0"));
        calls.put("merge operator", () -> family.setMergeOperatorName("uint64add\0x"));
        calls.put("stored", () -> OptionsUtil.loadLatestOptions(config, open + "\0x", database, new ArrayList<>()));
        calls.put("paths", () -> {
            try (Options several = new Options().setCreateIfMissing(true)
                    .setDbPaths(List.of(new DbPath(Path.of(directory + "/\uD800"), 1)))) {
                RocksDB.open(several, directory + "/y").close();
            }
        });
        calls.put("half a character", () -> RocksDB.open(options, directory + "/\uD834"));
        calls.put("prefix", () -> new StdErrLogger(InfoLogLevel.INFO_LEVEL, "a\0b"));
        List<Path> before = files();
        calls.forEach((name, call) -> assertThatThrownBy(call).as(name).isInstanceOf(IllegalArgumentException.class));
        assertThat(files()).isEqualTo(before);
    }

    @Test
    void optionsThatChangeEndWithTheirText() {
        assertThatThrownBy(() -> MutableColumnFamilyOptions.parse("write_buffer_size=1048576\0"))
                .isInstanceOf(RuntimeException.class).hasMessageContaining("Did not expect");
    }

    /** They have lengths. */
    @Test
    void namesOfTransactionsAndMetadataOfBackupsAreWhole() throws Exception {
        Path backups = Files.createDirectory(directory.resolve("backups"));
        TransactionDB db = closeLater(TransactionDB.open(options, locking, path()));
        WriteOptions write = closeLater(new WriteOptions());
        Transaction first = closeLater(db.beginTransaction(write));
        Transaction second = closeLater(db.beginTransaction(write));
        BackupEngineOptions backup = closeLater(new BackupEngineOptions(backups.toString()));
        BackupEngine engine = closeLater(BackupEngine.open(Env.getDefault(), backup));
        first.setName("t\0first");
        second.setName("t\0second");
        assertThat(first.getName()).isEqualTo("t\0first");
        assertThat(db.getTransactionByName("t\0second").getID()).isEqualTo(second.getID()).isNotEqualTo(first.getID());
        assertThat(db.getTransactionByName("t")).isNull();
        engine.createNewBackupWithMetadata(db, "before\0after", false);
        assertThat(engine.getBackupInfo()).singleElement().extracting(BackupInfo::appMetadata)
                .isEqualTo("before\0after");
    }

    private List<Path> files() throws Exception {
        try (var all = Files.walk(directory)) {
            return all.filter(file -> !file.getFileName().toString().contains("LOG")).sorted().toList();
        }
    }
}
