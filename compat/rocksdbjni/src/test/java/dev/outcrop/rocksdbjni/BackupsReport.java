package dev.outcrop.rocksdbjni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BackupInfo;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Prints what happens to backups that are deleted, damaged or unfinished. */
final class BackupsReport {

    private final Map<String, String> lines = new TreeMap<>();
    private final Path backups;

    private BackupsReport(Path backups) {
        this.backups = backups;
    }

    static Map<String, String> report(Path directory) throws Exception {
        RocksDB.loadLibrary();
        BackupsReport report = new BackupsReport(Files.createDirectory(directory.resolve("backups")));
        try (Options options = new Options().setCreateIfMissing(true).setDisableAutoCompactions(true);
                RocksDB db = RocksDB.open(options, directory.resolve("db").toString());
                FlushOptions flush = new FlushOptions();
                BackupEngineOptions backups = new BackupEngineOptions(report.backups.toString())) {
            try (BackupEngine engine = BackupEngine.open(Env.getDefault(), backups)) {
                report.about("without any", engine);
                for (byte i = 1; i <= 5; i++) {
                    db.put(new byte[]{i}, new byte[100]);
                    db.flush(flush);
                    engine.createNewBackup(db);
                }
                report.about("with five", engine);
                for (int backup : new int[]{2, 2, 0, -1, 99, Integer.MIN_VALUE}) {
                    report.line("delete " + backup + (report.lines.containsKey("delete " + backup) ? " again" : ""),
                            () -> engine.deleteBackup(backup));
                }
                report.about("with four", engine);
            }
            report.damage();
            try (BackupEngine engine = BackupEngine.open(Env.getDefault(), backups)) {
                report.about("damaged", engine);
                report.line("garbage", engine::garbageCollect);
                report.about("without garbage", engine);
                report.line("delete a damaged one", () -> engine.deleteBackup(3));
                report.about("without a damaged one", engine);
                report.line("back up again", () -> engine.createNewBackup(db));
                report.line("purge", () -> engine.purgeOldBackups(1));
                report.about("with one", engine);
            }
        }
        return report.lines;
    }

    private interface Call {
        void run() throws Exception;
    }

    private void line(String name, Call call) {
        String result = "done";
        try {
            call.run();
        } catch (RocksDBException e) {
            result = e.getStatus().getCode() + " " + e.getStatus().getSubCode() + " " + e.getStatus().getState();
        } catch (Exception e) {
            result = e.getClass().getName();
        }
        lines.put(name, result.replace(backups.toString(), "BACKUPS"));
    }

    private void about(String name, BackupEngine engine) throws Exception {
        lines.put(name + " corrupted", Arrays.toString(engine.getCorruptedBackups()));
        lines.put(name + " sound", engine.getBackupInfo().stream().map(BackupInfo::backupId).toList().toString());
        try (Stream<Path> files = Files.walk(backups)) {
            lines.put(name + " files", files.filter(Files::isRegularFile)
                    .map(file -> backups.relativize(file).toString().replaceAll("_s[^_]*_", "_s_")).sorted().toList()
                    .toString());
        }
    }

    /** Damages the descriptions of two backups, and leaves the files of one that was not finished. */
    private void damage() throws Exception {
        Files.writeString(backups.resolve("meta/3"), "x");
        Files.delete(backups.resolve("meta/4"));
        Files.createDirectory(backups.resolve("private/7"));
        Files.writeString(backups.resolve("private/7/CURRENT"), "MANIFEST-000001");
        Files.writeString(backups.resolve("meta/8.tmp"), "x");
    }
}
