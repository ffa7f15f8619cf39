package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Status;
import dev.outcrop.rocksdb.WriteOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A database that a command has open, with the options that are stored with it. The database existed before, or the user asked the command
 * to create it.
 *
 * @param db      the database
 * @param scratch the directory of a secondary instance; null if it is none
 */
public record OpenDatabase(RocksDB db, @Nullable Path scratch) implements AutoCloseable {
    private static final String CURRENT = "CURRENT";

    /**
     * Opens for reading: nothing in the directory changes. If another process has the database open, the command also sees the writes of
     * that process up to now, and prints a line about this.
     */
    static OpenDatabase toRead(Path path, PrintWriter err) throws IOException {
        requireDatabase(path);
        OptionalLong holder = RocksDB.lockHolder(path);
        if (holder.isEmpty()) {
            return new OpenDatabase(RocksDB.openReadOnly(path), null);
        }
        Path scratch = Files.createTempDirectory("outcrop-db");
        try {
            RocksDB db = RocksDB.openSecondary(path, scratch);
            say(err, path, holder.getAsLong(), "reading it beside that process, as a secondary instance");
            return new OpenDatabase(db, scratch);
        } catch (RocksDBException e) {
            delete(scratch);
            if (e.status().code() != Status.Code.NOT_SUPPORTED) {
                throw e;
            }
            // A secondary instance cannot follow the logs of this database.
            RocksDB db = RocksDB.openReadOnly(path);
            say(err, path, holder.getAsLong(),
                    "reading the files on the disk, which may fail if that process deletes one");
            return new OpenDatabase(db, null);
        }
    }

    private static void say(PrintWriter err, Path path, long holder, String how) {
        err.println("outcrop: process " + holder + " has " + path + " open; " + how);
        err.flush();
    }

    /** Opens for writing. Only one process can do so. Fails if there is no database, or if another process has it open. */
    public static OpenDatabase toWrite(Path path) {
        requireDatabase(path);
        OptionalLong holder = RocksDB.lockHolder(path);
        if (holder.isPresent()) {
            throw new Failure("process " + holder.getAsLong() + " has " + path
                    + " open, and only one process can write; close it there first");
        }
        return new OpenDatabase(RocksDB.open(path), null);
    }

    /** Opens for writing. Creates the database and the column family if they are missing and {@code create} is true. */
    public static OpenDatabase toWrite(Path path, boolean create, FamilyOption family) {
        requireDatabaseUnlessCreated(path, create);
        if (!create) {
            return toWrite(path);
        }
        OpenDatabase open = Files.exists(path.resolve(CURRENT))
                ? toWrite(path)
                : new OpenDatabase(RocksDB.open(path, new Options().createIfMissing(true)), null);
        try {
            String name = family.name(open.db.columnFamilies().stream().map(ColumnFamily::name).toList());
            if (name.indexOf('\0') >= 0) {
                throw new Failure(
                        "'" + FamilyOption.shown(name) + "' cannot be the name of a column family here: it has a"
                                + " zero byte");
            }
            if (open.db.findColumnFamily(name) == null) {
                open.db.createColumnFamily(name, new Options());
            }
            return open;
        } catch (Throwable e) {
            open.db.close();
            throw e;
        }
    }

    /** Refuses a directory without a database. */
    static void requireDatabase(Path path) {
        if (Files.exists(path.resolve(CURRENT))) {
            return;
        }
        requireDirectory(path);
        if (!Files.isExecutable(path)) {
            throw new Failure("there may be a database in " + path + ", but this user may not look into it");
        }
        throw new Failure("there is no database in " + path + ": it has no file " + CURRENT
                + "; give the directory of a database");
    }

    /** Refuses a path that is not a directory. */
    static void requireDirectory(Path path) {
        if (!Files.exists(path)) {
            throw new Failure("there is no directory " + path + "; give the directory of a database");
        }
        if (!Files.isDirectory(path)) {
            throw new Failure(path + " is a file; give the directory of a database");
        }
    }

    /** Refuses a directory without a database, unless the database should be created. The message says how to create one. */
    public static void requireDatabaseUnlessCreated(Path path, boolean create) {
        if (!create) {
            try {
                requireDatabase(path);
            } catch (Failure e) {
                throw Files.exists(path) && !Files.isDirectory(path)
                        ? e
                        : new Failure(e.getMessage() + ", or --create to make one");
            }
        }
    }

    @Override
    public void close() {
        db.close();
        if (scratch != null) {
            delete(scratch);
        }
    }

    private static void delete(Path scratch) {
        try {
            Directories.delete(scratch);
        } catch (IOException e) {
            // The directory for temporary files: the system cleans it up.
            scratch.toFile().deleteOnExit();
        }
    }

    /**
     * Returns a writer. Its writes are on the disk when the command ends. On a full disk it fails, where RocksDB would wait for room
     * without end.
     */
    static KeyValueWriter durably(ColumnFamily family) {
        return family.with(new WriteOptions().sync(true).noSlowdown(true));
    }
}
