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
 * A database that a command has open, with the options that are stored with it. It was there before, or the command was asked for it to be
 * made.
 *
 * @param db      the database
 * @param scratch the directory of a secondary instance; null if it is none
 */
public record OpenDatabase(RocksDB db, @Nullable Path scratch) implements AutoCloseable {
    private static final String CURRENT = "CURRENT";

    /**
     * Opens for reading: nothing in the directory changes. If another process has it open, its writes up to now are seen as well, and a
     * line says so.
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
            say(err, path, holder.getAsLong(), "it is read beside that, as a secondary instance");
            return new OpenDatabase(db, scratch);
        } catch (RocksDBException e) {
            delete(scratch);
            if (e.status().code() != Status.Code.NOT_SUPPORTED) {
                throw e;
            }
            // A secondary instance cannot follow its logs.
            RocksDB db = RocksDB.openReadOnly(path);
            say(err, path, holder.getAsLong(), "it is read as it is on the disk, and reading may fail when files go");
            return new OpenDatabase(db, null);
        }
    }

    private static void say(PrintWriter err, Path path, long holder, String how) {
        err.println("outcrop: process " + holder + " has " + path + " open; " + how);
        err.flush();
    }

    /** Opens for writing, which only one process can; fails if there is no database, or another process has it. */
    public static OpenDatabase toWrite(Path path) {
        requireDatabase(path);
        OptionalLong holder = RocksDB.lockHolder(path);
        if (holder.isPresent()) {
            throw new Failure("process " + holder.getAsLong() + " has " + path
                    + " open, and only one can write; close it there first");
        }
        return new OpenDatabase(RocksDB.open(path), null);
    }

    /** Opens for writing. If asked for, makes the database and the column family if need be. */
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
                + "; name the directory that a database is in");
    }

    /** Refuses a path that is no directory. */
    static void requireDirectory(Path path) {
        if (!Files.exists(path)) {
            throw new Failure("there is no directory " + path + "; name the one that the database is in");
        }
        if (!Files.isDirectory(path)) {
            throw new Failure(path + " is a file; name the directory that the database is in");
        }
    }

    /** Refuses a directory without a database, unless one is to be created, and says how one is made. */
    public static void requireDatabaseUnlessCreated(Path path, boolean create) {
        if (!create) {
            try {
                requireDatabase(path);
            } catch (Failure e) {
                throw Files.exists(path) && !Files.isDirectory(path)
                        ? e
                        : new Failure(e.getMessage() + "; or give --create to make one");
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
            // In the directory for temporary files, which the system cleans up.
            scratch.toFile().deleteOnExit();
        }
    }

    /**
     * Returns a writer whose writes are on the disk when the command ends. It fails where RocksDB would wait for room on a full disk without
     * end.
     */
    static KeyValueWriter durably(ColumnFamily family) {
        return family.with(new WriteOptions().sync(true).noSlowdown(true));
    }
}
