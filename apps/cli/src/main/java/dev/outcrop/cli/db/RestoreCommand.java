package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.BackupEngine;
import dev.outcrop.rocksdb.BackupEngineOptions;
import dev.outcrop.rocksdb.BackupInfo;
import dev.outcrop.rocksdb.RestoreOptions;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db restore}. */
@Command(name = "restore", description = {"Make a database of a backup, or list the backups.", ""}, footer = {"",
        "  ./outcrop db restore backups --list", "  ./outcrop db restore backups data-of-monday --id 3"})
final class RestoreCommand extends DbAction {
    /** A directory in each directory of backups. */
    static final String META = "meta";

    @Parameters(index = "0", paramLabel = "BACKUPS", description = "The directory of the backups.")
    private Path backups = Path.of("");

    @Parameters(index = "1", arity = "0..1", paramLabel = "DIR", description = "Where to; new or empty.")
    private @Nullable Path directory;

    @Option(names = "--list", description = "List the backups: number, time, bytes, files.")
    private boolean list;

    @Option(names = "--id", paramLabel = "N", description = "The backup's number. Default: the last one.")
    private @Nullable Integer id;

    @Option(names = "--replace", description = "Delete the database that is in DIR.")
    private boolean replace;

    @Option(names = "--json", description = "With --list, a JSON object a line.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        require(list == (directory == null), "name a directory to restore to, or give --list");
        require(list || !json, "--json goes with --list");
        if (!Files.isDirectory(backups.resolve(META))) {
            throw new Failure("there are no backups in " + backups + ": "
                    + (Files.exists(backups) ? "it has no directory " + META : "there is no such directory")
                    + "; name the one that './outcrop db backup' was given");
        }
        Path target = directory;
        if (target != null) {
            requireFree(target);
        }
        try (BackupEngine engine = BackupEngine.open(new BackupEngineOptions(backups))) {
            List<BackupInfo> all = engine.infos();
            if (target == null) {
                if (!json) {
                    out.println("number\ttime\tbytes\tfiles");
                }
                all.forEach(backup -> out.println(line(backup)));
                return 0;
            }
            if (all.isEmpty()) {
                throw new Failure("there is no backup in " + backups);
            }
            int wanted = id == null ? all.getLast().id() : id;
            interruption().stopBy(engine::stopBackup);
            restore(engine, wanted, target);
            out.println(target + " is the database of backup " + wanted);
            return 0;
        }
    }

    private void restore(BackupEngine engine, int wanted, Path target) {
        boolean isKnown = engine.infos().stream().anyMatch(backup -> backup.id() == wanted);
        try (Progress _ = Progress.of("restore", "backups", Progress.UNKNOWN)) {
            engine.restore(wanted, target, new RestoreOptions());
        } catch (RocksDBException e) {
            if (isKnown) {
                warn(target + " is not a complete database; restore it again");
            }
            throw e;
        }
    }

    private void requireFree(Path target) throws IOException {
        if (!Files.exists(target)) {
            return;
        }
        if (!Files.isDirectory(target)) {
            throw new Failure(target + " is a file; name a directory");
        }
        if (Directories.isEmpty(target)) {
            return;
        }
        if (!Files.exists(target.resolve("CURRENT"))) {
            throw new Failure(target + " holds files, but no database; name a new or an empty directory");
        }
        if (!replace) {
            throw new Failure("there is a database in " + target + "; name another directory, or give --replace to"
                    + " delete that one");
        }
        OptionalLong holder = RocksDB.lockHolder(target);
        if (holder.isPresent()) {
            throw new Failure("process " + holder.getAsLong() + " has " + target
                    + " open; close it there first. Nothing of it was replaced");
        }
    }

    private String line(BackupInfo backup) {
        if (!json) {
            return backup.id() + "\t" + backup.time() + "\t" + backup.size() + "\t" + backup.fileCount();
        }
        return Json.line(Json.fields("id", backup.id(),
                "time", backup.time().toString(),
                "bytes", backup.size(),
                "files", backup.fileCount()));
    }
}
