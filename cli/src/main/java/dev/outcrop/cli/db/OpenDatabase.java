package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.RocksDBException;
import dev.outcrop.rocksdb.Status;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A database that a command has open, with the options that are stored with it. It was there before, or somebody has asked for it to be
 * made.
 *
 * @param db      the database
 * @param scratch the directory of a secondary instance; null if it is none
 */
public record OpenDatabase(RocksDB db, @Nullable Path scratch) implements AutoCloseable {
    private static final String CURRENT = "CURRENT";

    /**
     * Opens for reading: nothing in the directory changes. If another process has it open, its writes up to now are seen as well.
     *
     * @param err told that another process has it
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
            // Its logs are such that it cannot be followed.
            RocksDB db = RocksDB.openReadOnly(path);
            say(err, path, holder.getAsLong(), "it is read as it is on the disk, and reading may fail when files go");
            return new OpenDatabase(db, null);
        }
    }

    private static void say(PrintWriter err, Path path, long holder, String how) {
        err.println("outcrop: process " + holder + " has " + path + " open; " + how);
        err.flush();
    }

    /**
     * Opens for writing, which only one process can.
     *
     * @param path the database's directory
     * @return the database, to be closed
     * @throws Failure if there is none, or another process has it
     */
    public static OpenDatabase toWrite(Path path) {
        requireDatabase(path);
        OptionalLong holder = RocksDB.lockHolder(path);
        if (holder.isPresent()) {
            throw new Failure("process " + holder.getAsLong() + " has " + path
                    + " open, and only one can write; close it there first");
        }
        return new OpenDatabase(RocksDB.open(path), null);
    }

    /**
     * As {@link #toWrite}, but makes the database and the column family if need be.
     *
     * @param path   the database's directory
     * @param family names the column family
     * @return the database, to be closed
     */
    public static OpenDatabase toCreate(Path path, FamilyOption family) {
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

    /**
     * Refuses a directory without a database, and says how one is made.
     *
     * @param path   the database's directory
     * @param create whether it is made if there is none, so that nothing is refused
     * @throws Failure if there is none
     */
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
        try (Stream<Path> files = Files.list(scratch)) {
            // An info log and its like, no directories.
            List<Path> all = files.toList();
            for (Path file : all) {
                Files.delete(file);
            }
            Files.delete(scratch);
        } catch (IOException e) {
            // In the directory for temporary files, which the system cleans up.
            scratch.toFile().deleteOnExit();
        }
    }
}
