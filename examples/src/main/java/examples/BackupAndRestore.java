package examples;

import static examples.Example.check;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.rocksdb.BackupEngine;
import dev.outcrop.rocksdb.BackupEngineOptions;
import dev.outcrop.rocksdb.BackupInfo;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RestoreOptions;
import dev.outcrop.rocksdb.RocksDB;
import java.nio.file.Path;
import java.util.Arrays;

/** Backups of an open database. Each takes only the files that are new since the one before, and can be restored alone. */
public final class BackupAndRestore {
    public static void main(String[] args) {
        Path directory = Example.directory();
        Path database = directory.resolve("database");
        byte[] key = "state".getBytes(UTF_8);
        int before;
        // tag::backup[]
        try (BackupEngine backups = BackupEngine.open(new BackupEngineOptions(directory.resolve("backups")));
                RocksDB db = RocksDB.open(database, new Options().createIfMissing(true))) {
            db.put(key, "good".getBytes(UTF_8));
            before = backups.create(db); // while others read and write
            db.put(key, "spoilt".getBytes(UTF_8));
            int after = backups.create(db);

            backups.verifyChecksums(after); // reads all its files
            for (BackupInfo backup : backups.infos()) {
                IO.println("backup " + backup.id() + " of " + backup.time() + ": " + backup.size() + " bytes");
            }
        }
        // end::backup[]
        // tag::restore[]
        Path restored = directory.resolve("restored"); // or the database's own directory, once it is closed
        try (BackupEngine backups = BackupEngine.open(new BackupEngineOptions(directory.resolve("backups")))) {
            backups.restore(before, restored, new RestoreOptions());
            backups.purge(1); // keeps the newest
            check(backups.infos().size() == 1, "one backup is left");
        }
        try (RocksDB db = RocksDB.open(restored)) {
            check(Arrays.equals(db.get(key), "good".getBytes(UTF_8)), "the older state is back");
        }
        // end::restore[]
        try (RocksDB db = RocksDB.open(database)) {
            check(Arrays.equals(db.get(key), "spoilt".getBytes(UTF_8)), "the database itself stays as it is");
        }
    }
}
