package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.BackupEngine;
import dev.outcrop.rocksdb.BackupEngineOptions;
import dev.outcrop.rocksdb.CreateBackupOptions;
import dev.outcrop.rocksdb.LiveFile;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db backup}. */
@Command(name = "backup", description = {"Add a backup to a directory of backups.",
        "Table files of an earlier backup are not copied again.",
        ""}, footer = {"", "  ./outcrop db backup data backups --keep 7"})
final class BackupCommand extends DatabaseAction {
    /** The bytes between two calls that report progress. */
    private static final long INTERVAL = 4L << 20;

    @Parameters(index = "1", paramLabel = "BACKUPS", description = "The directory of the backups; created if needed.")
    private Path backups = Path.of("");

    @Option(names = "--keep", paramLabel = "N", description = "Then delete all backups but the last N.")
    private int keep = Integer.MAX_VALUE;

    @Option(names = "--json", description = "Describe the backup as a JSON object.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        require(keep >= 1, "--keep must be 1 or more, not " + keep);
        OpenDatabase.requireDatabase(directory());
        requireForBackups();
        try (OpenDatabase open = OpenDatabase.toWrite(directory());
                BackupEngine engine = BackupEngine
                        .open(new BackupEngineOptions(backups).callbackTriggerIntervalSize(INTERVAL))) {
            interruption().stopBy(engine::stopBackup);
            int id = create(engine, open.db());
            say(out, id);
            if (keep < Integer.MAX_VALUE) {
                engine.purge(keep);
            }
        } catch (RocksDBException e) {
            if (interruption().isRequested()) {
                return interrupted("no backup was made; the earlier ones are unchanged");
            }
            throw e;
        }
        return 0;
    }

    private void say(PrintWriter out, int id) {
        if (json) {
            out.println(Json.line(Json.fields("path", directory().toString(),
                    "backups", backups.toString(),
                    "backup", id)));
        } else {
            out.println("backup " + id + " of " + directory() + " is in " + backups);
        }
    }

    private static int create(BackupEngine engine, RocksDB db) {
        long bytes = db.liveFiles().stream().mapToLong(LiveFile::size).sum();
        AtomicLong copied = new AtomicLong();
        try (Progress progress = Progress.of("backup", "bytes", bytes)) {
            return engine.create(db, new CreateBackupOptions()
                    .progressCallback(() -> progress.at(copied.addAndGet(INTERVAL))));
        }
    }

    /** Fails if the directory has other files: a mistyped path must not become a directory of backups among them. */
    private void requireForBackups() throws IOException {
        Path there = backups.toAbsolutePath().normalize();
        if (there.startsWith(directory().toAbsolutePath().normalize())) {
            throw new Failure(backups + " is in the database's own directory; name another one");
        }
        if (!Files.exists(there) || Files.isDirectory(there.resolve(RestoreCommand.META))) {
            return;
        }
        if (!Files.isDirectory(there)) {
            throw new Failure(backups + " is a file; name a directory");
        }
        if (!Directories.isEmpty(there)) {
            throw new Failure(backups + " holds other files than backups; name a new or an empty directory");
        }
    }
}
