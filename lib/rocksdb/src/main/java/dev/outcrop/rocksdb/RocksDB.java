package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.DatabaseKind.TimeToLive;
import dev.outcrop.rocksdb.DatabaseOpener.OpenedHandles;
import dev.outcrop.rocksdb.engine.FileLocks;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * An open RocksDB database.
 *
 * <pre>{@code
 * try (RocksDB db = RocksDB.open(path, new Options().createIfMissing(true))) {
 *     db.put(key, value);
 *     byte[] again = db.get(key);
 * }
 * }</pre>
 *
 * <p>All {@linkplain ColumnFamily column families} of a database are open with it. The methods of the database itself read and write its
 * default column family.
 *
 * <p>Thread-safe. Any thread may call {@link #close()} at any time, while other threads read and write: their running calls finish, and
 * later calls throw {@link IllegalStateException}.
 */
public sealed class RocksDB extends DatabaseMaintenance implements DatabaseWriter, AutoCloseable
        permits TransactionDB, OptimisticTransactionDB {
    private final Path path;
    private final OpenDatabase database;
    private final ColumnFamily defaultFamily;
    private final OpenDatabaseWriter writes;

    RocksDB(Path path, OpenedHandles opened) {
        super(owner -> defaultFamily(owner, path, opened));
        this.path = path;
        this.database = family.database;
        try {
            this.defaultFamily = database.defaultFamily();
            this.writes = new OpenDatabaseWriter(database, new WriteOptions());
        } catch (Throwable e) {
            // Out of memory: nothing else would close it, and it would stay locked until the process ends.
            database.close();
            throw e;
        }
    }

    private static ColumnFamily defaultFamily(Object owner, Path path, OpenedHandles opened) {
        OpenDatabase made = null;
        try {
            made = new OpenDatabase(owner, path, opened);
            return made.defaultFamily();
        } catch (Throwable e) {
            // As above.
            if (made == null) {
                opened.close();
            } else {
                made.close();
            }
            throw e;
        }
    }

    /**
     * Opens an existing database for reading and writing, with the options that it was last opened with; each column family has its own.
     * They are stored with the database, without caches, environments, limiters, listeners and loggers, see {@link LoadedOptions}. To use
     * other options, pass them; the stored ones are then ignored.
     *
     * @param path the database's directory
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link #open(Path, Options)}; also if the database was opened with something that it cannot do without
     *                          and that has no textual form (a comparator, merge operator, compaction filter or prefix extractor in Java, a
     *                          table format of another program, a directory for its logs); the message names it and says how to open the
     *                          database
     */
    public static RocksDB open(Path path) {
        LoadedOptions stored = LoadedOptions.toReopen(path);
        return open(path, stored.database(), stored.columnFamilies());
    }

    /**
     * Opens a database for reading and writing, with the same options for all its column families. At any time only one process can
     * have it open like this.
     *
     * @param path    the database's directory
     * @param options how to open it; {@link Options#createIfMissing(boolean)} creates it if need be
     * @return the database, which the caller must close
     * @throws RocksDBException if there is no database or there must not be one, if it is open elsewhere, or if it is damaged; the message
     *                          names the path and the reason, and nothing on the disk has changed. Also if the disk is full or fails: this
     *                          method then removes a database that it was creating, but an existing database may have new files, without
     *                          loss. Also if RocksDB left out records of its log that it could not apply; the log may have lost these
     *                          records then
     */
    public static RocksDB open(Path path, Options options) {
        return open(path, options, Map.of());
    }

    /**
     * Opens a database for reading and writing, with options for some of its column families.
     *
     * @param path     the database's directory
     * @param options  how to open it, and its column families that are not named here
     * @param families options of column families by name; families that do not exist are created if {@link
     *                 Options#createMissingColumnFamilies(boolean)} is set in {@code options}
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link #open(Path, Options)}; also if a column family does not exist
     */
    public static RocksDB open(Path path, Options options, Map<String, Options> families) {
        Path real = DatabaseDirectory.normalize(path);
        return new RocksDB(real, DatabaseOpener.open(real, options, families, DatabaseKind.PLAIN, NativeOpening::open));
    }

    /**
     * Opens an existing database for reading, as it is now, with the options that it was last opened with, see {@link #open(Path)}.
     *
     * @param path the database's directory
     * @return the database, which the caller must close, see {@link #openReadOnly(Path, Options)}
     * @throws RocksDBException see {@link #openReadOnly(Path, Options)} and {@link #open(Path)}
     */
    public static RocksDB openReadOnly(Path path) {
        LoadedOptions stored = LoadedOptions.toReopen(path);
        return openReadOnly(path, stored.database(), stored.columnFamilies());
    }

    /**
     * Opens an existing database for reading, as it is now, with the same options for all its column families. Others may have the database
     * open for writing; this object does not see their writes. If they delete files during this call, the call opens the database again, up
     * to a limit.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @return the database, which the caller must close; its writing methods throw {@link RocksDBException} with {@link
     *         Status.Code#NOT_SUPPORTED}
     * @throws RocksDBException if there is no database, or if it is damaged; with {@link Status.Code#TRY_AGAIN} if another process
     *                          writes it and changes its files too fast
     */
    public static RocksDB openReadOnly(Path path, Options options) {
        return openReadOnly(path, options, Map.of());
    }

    /**
     * Opens an existing database for reading, as it is now, with options for some of its column families.
     *
     * @param path     the database's directory
     * @param options  how to open it, and its column families that are not named here
     * @param families options of column families by name; all of them must exist
     * @return the database, which the caller must close, see {@link #openReadOnly(Path, Options)}
     * @throws RocksDBException if there is no database or no such column family, or if it is damaged
     */
    public static RocksDB openReadOnly(Path path, Options options, Map<String, Options> families) {
        Path real = DatabaseDirectory.normalize(path);
        boolean evenIfLogExists = false;
        return new RocksDB(real, DatabaseOpener.openExisting(real, options, families, DatabaseKind.Limited.READ_ONLY,
                (nativeOptions, name, count, names, familyOptions, handles, error) -> {
                    OptionLimits.forReading(nativeOptions);
                    return NativeOpening.openReadOnly(nativeOptions, name, count, names,
                            familyOptions, handles, evenIfLogExists, error);
                }));
    }

    /**
     * Opens a database as {@link #openSecondary(Path, Path, Options)} does, with the options that the database was last opened with, see
     * {@link #open(Path)}.
     *
     * @param path          the database's directory
     * @param secondaryPath a directory for this instance alone, for its info log; created if it does not exist
     * @return the database, which the caller must close, see {@link #openReadOnly(Path, Options)}
     * @throws RocksDBException see {@link #openSecondary(Path, Path, Options)} and {@link #open(Path)}
     */
    public static RocksDB openSecondary(Path path, Path secondaryPath) {
        Objects.requireNonNull(secondaryPath, "secondaryPath");
        LoadedOptions stored = LoadedOptions.toReopen(path);
        return openSecondary(path, secondaryPath, stored.database(), stored.columnFamilies());
    }

    /**
     * Opens a database for reading that another process, or this one, has open for writing, and can
     * {@linkplain #tryCatchUpWithPrimary() catch up} with it.
     *
     * @param path          the database's directory
     * @param secondaryPath a directory for this instance alone, for its info log; created if it does not exist
     * @param options       how to open it; {@link Options#maxOpenFiles(int)} of -1, the default, keeps files readable that the primary
     *                      deletes
     * @return the database, which the caller must close, see {@link #openReadOnly(Path, Options)}
     * @throws RocksDBException if there is no database or it is damaged; if a file is missing or cut off (a missing log only if its writer
     *                          or the manifest refers to it); or if the database was opened with {@link Options#recycleLogFileNum(long)
     *                          recycleLogFileNum}, which a secondary instance cannot follow
     */
    public static RocksDB openSecondary(Path path, Path secondaryPath, Options options) {
        return openSecondary(path, secondaryPath, options, Map.of());
    }

    /**
     * Opens a database as {@link #openSecondary(Path, Path, Options)} does, with options for some of its column families.
     *
     * @param path          the database's directory
     * @param secondaryPath a directory for this instance alone, for its info log; created if it does not exist
     * @param options       how to open it, and its column families that are not named here
     * @param families      options of column families by name; all of them must exist
     * @return the database, which the caller must close, see {@link #openReadOnly(Path, Options)}
     * @throws RocksDBException if there is no database or no such column family, or if it is damaged
     */
    public static RocksDB openSecondary(Path path, Path secondaryPath, Options options, Map<String, Options> families) {
        Objects.requireNonNull(secondaryPath, "secondaryPath");
        Path real = DatabaseDirectory.normalize(path);
        return new RocksDB(real, DatabaseOpener.openSecondary(real, secondaryPath, options, families));
    }

    /**
     * Opens a database with a time to live. Compactions drop entries some time after they were written; until then the entries can be read.
     * Open such a database with a time to live every time, from its creation on, because RocksDB stores the time of writing with each
     * value; the other methods refuse it.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @param ttl     how long to keep entries at least, in whole seconds, rounded up; 0 for no limit
     * @return the database, which the caller must close
     * @throws RocksDBException         see {@link #open(Path, Options)}; also if it was last opened without a time to live
     * @throws IllegalArgumentException if {@code ttl} is negative or longer than 68 years
     */
    public static RocksDB openWithTtl(Path path, Options options, Duration ttl) {
        return openWithTtl(path, options, ttl, Map.of(), Map.of());
    }

    /**
     * Opens a database as {@link #openWithTtl(Path, Options, Duration)} does, with the options that the database was last opened with, see
     * {@link #open(Path)}. The stored options do not include the time to live.
     *
     * @param path the database's directory
     * @param ttl  how long to keep entries at least, in whole seconds, rounded up; 0 for no limit
     * @return the database, which the caller must close
     * @throws RocksDBException         see {@link #openWithTtl(Path, Options, Duration)} and {@link #open(Path)}
     * @throws IllegalArgumentException if {@code ttl} is negative or longer than 68 years
     */
    public static RocksDB openWithTtl(Path path, Duration ttl) {
        LoadedOptions stored = LoadedOptions.toReopenWithTtl(path);
        return openWithTtl(path, stored.database(), ttl, stored.columnFamilies(), Map.of());
    }

    /**
     * Opens a database as {@link #openWithTtl(Path, Options, Duration)} does, with options and times for some of its column families.
     *
     * @param path     the database's directory
     * @param options  how to open it, and its column families that are not named in {@code families}
     * @param ttl      how long to keep entries in column families that are not named in {@code ttls}
     * @param families options of column families by name; families that do not exist are created if {@link
     *                 Options#createMissingColumnFamilies(boolean)} is set in {@code options}
     * @param ttls     how long to keep entries, by name of the column family
     * @return the database, which the caller must close
     * @throws RocksDBException         see {@link #open(Path, Options, Map)}; also if it was last opened without a time to live
     * @throws IllegalArgumentException if a time is negative or longer than 68 years, or for a column family that does not exist
     */
    public static RocksDB openWithTtl(Path path, Options options, Duration ttl, Map<String, Options> families,
            Map<String, Duration> ttls) {
        ApiCall.requireEntries("ttls", ttls);
        Path real = DatabaseDirectory.normalize(path);
        return new RocksDB(real, TimeToLive.open(real, options, ttl, families, ttls));
    }

    /**
     * Opens an existing database with timestamps and permanently drops all versions of keys that are younger than a timestamp. Column
     * families without timestamps stay unchanged.
     *
     * @param path      the database's directory
     * @param options   how to open it, and its column families that are not named in {@code families}
     * @param families  options of column families by name
     * @param timestamp the last timestamp to keep; as long as the timestamps of the column families
     * @return the database, which the caller must close
     * @throws RocksDBException see {@link #open(Path, Options)}; also if the timestamp has another length
     */
    public static RocksDB openTrimmed(Path path, Options options, Map<String, Options> families, byte[] timestamp) {
        Path real = DatabaseDirectory.normalize(path);
        return new RocksDB(real, DatabaseOpener.openTrimmed(real, options, families, timestamp));
    }

    /**
     * Rebuilds a database that can no longer be opened, from its table files and logs. Some of its data may be lost, and deleted entries
     * may come back; copy the directory first.
     *
     * @param path    the database's directory; it must not be open
     * @param options the options that all its column families were opened with, in particular the comparator and the merge operator
     * @throws RocksDBException if it is open, is no database, or was last opened with another comparator; or if RocksDB fails
     */
    public static void repair(Path path, Options options) {
        DatabaseDirectory.repair(DatabaseDirectory.normalize(path), options);
    }

    /**
     * Deletes a database. Other files in its directory stay.
     *
     * @param path    the database's directory; it must not be open
     * @param options the options that it was opened with, in particular the directories of its files and logs
     * @throws RocksDBException if it is open or is no database, or files cannot be deleted
     */
    public static void destroy(Path path, Options options) {
        DatabaseDirectory.destroy(DatabaseDirectory.normalize(path), options);
    }

    /**
     * Lists the column families of a database that need not be open.
     *
     * @param path the database's directory
     * @return their names; {@code "default"} is always among them
     * @throws RocksDBException if there is no database, or if it is damaged
     */
    public static Set<String> listColumnFamilies(Path path) {
        NativeCalls.requireAccess();
        Path real = DatabaseDirectory.normalize(path);
        ApiCall.requireLibrary();
        DatabaseDirectory.requireDatabase(real, "");
        return DatabaseDirectory.families(real, new Options());
    }

    /**
     * Returns the process that has a database open for writing. This is known on Linux only.
     *
     * @param path the database's directory
     * @return the process id; empty if no process has the database open, or if the process is not known
     */
    public static OptionalLong lockHolder(Path path) {
        Long holder = FileLocks.ofDatabase(DatabaseDirectory.normalize(path));
        return holder == null ? OptionalLong.empty() : OptionalLong.of(holder);
    }

    /**
     * Returns a view that writes this database with other options, for example {@code new WriteOptions().sync(true)}.
     *
     * @param options how to write; they can no longer be changed
     * @return a view, which can be kept and shared; there is nothing to close, and it ends with the database
     */
    public DatabaseWriter with(WriteOptions options) {
        return new OpenDatabaseWriter(database, options);
    }

    /**
     * Returns the directory of the database.
     *
     * @return its directory, absolute
     */
    public Path path() {
        return path;
    }

    /**
     * Returns the default column family, which every database has, and which this object reads and writes.
     *
     * @return the column family named {@code "default"}
     */
    public ColumnFamily defaultColumnFamily() {
        return defaultFamily;
    }

    /**
     * Returns a column family of this database.
     *
     * @param name its name
     * @return the column family, always the same object
     * @throws IllegalArgumentException if there is no such column family; the message lists the existing names
     * @see #findColumnFamily(String)
     */
    public ColumnFamily columnFamily(String name) {
        return database.requireFamily(name);
    }

    /**
     * Returns a column family of this database, if it exists.
     *
     * @param name its name
     * @return the column family, always the same object, or null if there is no such column family
     */
    public @Nullable ColumnFamily findColumnFamily(String name) {
        return database.family(name);
    }

    /**
     * Lists the column families of this database.
     *
     * @return a copy of the list as it is now, in the order of their creation
     */
    public List<ColumnFamily> columnFamilies() {
        return database.families();
    }

    /**
     * Creates a column family.
     *
     * @param name    its name; must not be in use
     * @param options its options; options that concern a whole database have no effect
     * @return the new column family
     * @throws RocksDBException if the name is in use, or RocksDB fails
     */
    public ColumnFamily createColumnFamily(String name, Options options) {
        Objects.requireNonNull(name, "name");
        return database.create(name, options);
    }

    /**
     * Creates several column families with the same options. If one cannot be created, the column families before it in the list exist.
     *
     * @param names   their names; must not be in use
     * @param options their options; options that concern a whole database have no effect
     * @return the new column families, in the same order
     * @throws RocksDBException if the name is in use, or RocksDB fails
     */
    public List<ColumnFamily> createColumnFamilies(List<String> names, Options options) {
        ApiCall.requireElements("names", names);
        Objects.requireNonNull(options, "options");
        return database.create(names, options);
    }

    /**
     * Returns whether the database was opened with a time to live, see {@link #openWithTtl(Path, Options, Duration)}.
     *
     * @return true if so
     */
    public boolean hasTtl() {
        return database.hasTtl();
    }

    /**
     * Creates a column family with a time to live for its entries, in a database that was opened with {@link #openWithTtl(Path, Options,
     * Duration)}.
     *
     * @param name    its name; must not be in use
     * @param options its options; options that concern a whole database have no effect
     * @param ttl     how long to keep entries at least, in whole seconds, rounded up; 0 for no limit
     * @return the new column family
     * @throws RocksDBException if the name is in use, if the database was opened without a time to live, or RocksDB fails
     */
    public ColumnFamily createColumnFamilyWithTtl(String name, Options options, Duration ttl) {
        Objects.requireNonNull(name, "name");
        return database.createWithTtl(name, options, ttl);
    }

    /**
     * Creates a column family from the files of a column family that was {@linkplain ColumnFamily#export(Path) exported} from any database.
     *
     * @param name          its name; must not be in use
     * @param options       its options; the comparator must be the one that the files were written with
     * @param importOptions how to import the files
     * @param exported      the files
     * @return the new column family
     * @throws RocksDBException if the name is in use, if the files have another comparator or are damaged or missing, if they hold merges
     *                          and {@code options} has no merge operator, or if RocksDB fails
     */
    public ColumnFamily createColumnFamilyWithImport(String name, Options options,
            ImportColumnFamilyOptions importOptions, ExportedColumnFamily exported) {
        Objects.requireNonNull(name, "name");
        return exported.create(database, name, options, importOptions);
    }

    /**
     * Drops a column family with all its entries. Running calls finish, and later calls throw {@link IllegalStateException}. RocksDB
     * deletes the files when nothing reads them.
     *
     * @param dropped a column family of this database, not the default one
     * @throws RocksDBException         if it is the default column family, or RocksDB fails
     * @throws IllegalArgumentException if it belongs to another database
     * @throws IllegalStateException    if the database is closed, or the column family was dropped before
     */
    public void dropColumnFamily(ColumnFamily dropped) {
        Objects.requireNonNull(dropped, "dropped");
        database.drop(dropped);
    }

    /**
     * Takes a snapshot: the database stays readable as it is now, see {@link ReadOptions#snapshot(Snapshot)}.
     *
     * @return the snapshot, which the caller must close
     * @throws RocksDBException if the database uses a memtable that does not support snapshots
     */
    public Snapshot snapshot() {
        return new Snapshot(database);
    }

    /**
     * Makes iterators over several column families that see them all as they were at the same moment.
     *
     * @param columnFamilies column families of this database; the list may include one twice
     * @return an iterator for each, in the same order; the caller must close all of them
     * @throws RocksDBException         if RocksDB refuses or fails; then there is no iterator at all
     * @throws IllegalArgumentException if a column family belongs to another database
     */
    public List<KeyValueIterator> iterators(List<ColumnFamily> columnFamilies) {
        return iterators(columnFamilies, new ReadOptions());
    }

    /**
     * Makes iterators over several column families that see them all as they were at the same moment, see {@link #iterators(List)}.
     *
     * @param columnFamilies column families of this database; the list may include one twice
     * @param options        how to read; they can no longer be changed
     * @return an iterator for each, in the same order; the caller must close all of them
     * @throws RocksDBException         if RocksDB refuses or fails; then there is no iterator at all
     * @throws IllegalArgumentException if a column family or a snapshot belongs to another database
     */
    public List<KeyValueIterator> iterators(List<ColumnFamily> columnFamilies, ReadOptions options) {
        ApiCall.requireElements("columnFamilies", columnFamilies);
        return Iterators.several(database, columnFamilies.stream().map(database::own).toList(), options);
    }

    /**
     * Catches up with the writes of the primary since this secondary instance was opened or last caught up. Open the instance again after
     * the primary has created or dropped a column family, or after the database was created anew; until then the instance shows its old
     * state.
     *
     * <p>RocksDB 11.8.1 may show an old entry. If this instance has read the entry from the log, and the primary has since changed it and
     * flushed, the old entry stays visible until the primary writes to that column family again and this instance catches up.
     *
     * @throws RocksDBException if this is no {@linkplain #openSecondary(Path, Path, Options) secondary instance} or must be opened again,
     *                          if the primary has a merge operator that this instance lacks, or if a file is missing, damaged or cut off
     */
    public void tryCatchUpWithPrimary() {
        database.tryCatchUpWithPrimary();
    }

    /** Returns the state of the open database. */
    final OpenDatabase database() {
        return database;
    }

    @Override
    public void write(WriteBatch batch) {
        writes.write(batch);
    }

    @Override
    public void write(WriteBatchWithIndex batch) {
        writes.write(batch);
    }

    /**
     * Closes the database. Waits for running calls on other threads. Writes and flushes that wait for memory
     * ({@link WriteBufferManager#allowStall}), for paused work, or without a {@link KeyComparator} for a compaction, continue; a call that
     * waits for a lock without a time limit returns when the transaction that has the lock ends. Open pinned slices stay readable and scans
     * run to their end; the native database is closed with the last of them. Does nothing if it was closed before.
     *
     * @throws IllegalStateException if the calling thread is in a callback from RocksDB; a {@link ScanVisitor} may close the database
     */
    @Override
    public void close() {
        StackCheck.require(CallbackGuard.WORKING);
        CallbackGuard.requireMayClose(this);
        database.close();
    }

    /** The database's name, for messages. */
    @Override
    public String toString() {
        return database.toString();
    }
}
