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
 * <p>All {@linkplain ColumnFamily column families} of a database are open with it. Reading and writing the database itself is reading
 * and writing its default column family.
 *
 * <p>Thread-safe. {@link #close()} may be called at any time, while other threads read and write: their calls that have started
 * finish, later ones throw {@link IllegalStateException}.
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
     * They are stored with the database, without caches, environments, limiters, listeners and loggers, see {@link LoadedOptions}. To have
     * others, give options: those that are stored count for nothing then.
     *
     * @param path the database's directory
     * @return the database, to be closed by the caller
     * @throws RocksDBException see {@link #open(Path, Options)}; also if it was opened with something that has no textual form and without
     *                          which it would be another database (a comparator, merge operator, compaction filter or prefix extractor in
     *                          Java, a table format of another program, a directory for its logs); the message names it and says how to
     *                          open the database
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
     * @return the database, to be closed by the caller
     * @throws RocksDBException if there is no database or there must not be one, if it is open elsewhere, or if it is damaged; the message
     *                          names the path and the reason, and nothing on the disk has been changed. If the disk is full or fails, a
     *                          database that was to be created is taken away again, but one that was there may have new files, without
     *                          loss. Also if RocksDB has left out records of its log that it could not apply; these may be gone from the
     *                          log then
     */
    public static RocksDB open(Path path, Options options) {
        return open(path, options, Map.of());
    }

    /**
     * Opens a database for reading and writing, with options for some of its column families.
     *
     * @param path     the database's directory
     * @param options  how to open it, and its column families that are not named here
     * @param families options of column families by name; those that do not exist are created if
     *                 {@link Options#createMissingColumnFamilies(boolean)} is set in {@code options}
     * @return the database, to be closed by the caller
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
     * @return the database, to be closed by the caller, see {@link #openReadOnly(Path, Options)}
     * @throws RocksDBException see {@link #openReadOnly(Path, Options)} and {@link #open(Path)}
     */
    public static RocksDB openReadOnly(Path path) {
        LoadedOptions stored = LoadedOptions.toReopen(path);
        return openReadOnly(path, stored.database(), stored.columnFamilies());
    }

    /**
     * Opens an existing database for reading, as it is now, with the same options for all its column families. Others may have it open for
     * writing; their writes are not seen. Where they delete files while it is opened, it is opened again, up to a limit.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @return the database, to be closed by the caller; its writing methods throw {@link RocksDBException} with
     *         {@link Status.Code#NOT_SUPPORTED}
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
     * @return the database, to be closed by the caller, see {@link #openReadOnly(Path, Options)}
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
     * @param secondaryPath a directory of this instance's own, for its info log; made if there is none
     * @return the database, to be closed by the caller, see {@link #openReadOnly(Path, Options)}
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
     * @param secondaryPath a directory of this instance's own, for its info log; made if there is none
     * @param options       how to open it; {@link Options#maxOpenFiles(int)} of -1, the default, keeps files readable that the primary
     *                      deletes
     * @return the database, to be closed by the caller, see {@link #openReadOnly(Path, Options)}
     * @throws RocksDBException if there is no database, if it is damaged, if a file is missing or cut off, where a missing log is noticed
     *                          only if its writer or the manifest refer to it, or if the database was opened with {@link
     *                          Options#recycleLogFileNum(long) recycleLogFileNum}, with which it cannot be followed
     */
    public static RocksDB openSecondary(Path path, Path secondaryPath, Options options) {
        return openSecondary(path, secondaryPath, options, Map.of());
    }

    /**
     * Opens a database as {@link #openSecondary(Path, Path, Options)} does, with options for some of its column families.
     *
     * @param path          the database's directory
     * @param secondaryPath a directory of this instance's own, for its info log; made if there is none
     * @param options       how to open it, and its column families that are not named here
     * @param families      options of column families by name; all of them must exist
     * @return the database, to be closed by the caller, see {@link #openReadOnly(Path, Options)}
     * @throws RocksDBException if there is no database or no such column family, or if it is damaged
     */
    public static RocksDB openSecondary(Path path, Path secondaryPath, Options options, Map<String, Options> families) {
        Objects.requireNonNull(secondaryPath, "secondaryPath");
        Path real = DatabaseDirectory.normalize(path);
        return new RocksDB(real, DatabaseOpener.openSecondary(real, secondaryPath, options, families));
    }

    /**
     * Opens a database with a time to live. Compactions drop entries some time after they were written; until then they can be read. A
     * database must be opened like this from its creation on, and always, because the time of writing is kept with each value; the other
     * methods refuse it.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @param ttl     for how long entries are kept at least, in whole seconds, rounded up; 0 keeps them without limit
     * @return the database, to be closed by the caller
     * @throws RocksDBException         see {@link #open(Path, Options)}; also if it was last opened without a time to live
     * @throws IllegalArgumentException if {@code ttl} is negative or longer than 68 years
     */
    public static RocksDB openWithTtl(Path path, Options options, Duration ttl) {
        return openWithTtl(path, options, ttl, Map.of(), Map.of());
    }

    /**
     * Opens a database as {@link #openWithTtl(Path, Options, Duration)} does, with the options that the database was last opened with, see
     * {@link #open(Path)}. The time to live is not among them.
     *
     * @param path the database's directory
     * @param ttl  for how long entries are kept at least, in whole seconds, rounded up; 0 keeps them without limit
     * @return the database, to be closed by the caller
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
     * @param ttl      for how long entries are kept in column families that are not named in {@code ttls}
     * @param families options of column families by name; those that do not exist are created if
     *                 {@link Options#createMissingColumnFamilies(boolean)} is set in {@code options}
     * @param ttls     for how long entries are kept, by name of the column family
     * @return the database, to be closed by the caller
     * @throws RocksDBException         see {@link #open(Path, Options, Map)}; also if it was last opened without a time to live
     * @throws IllegalArgumentException if a time is negative or longer than 68 years, or for a column family that is not there
     */
    public static RocksDB openWithTtl(Path path, Options options, Duration ttl, Map<String, Options> families,
            Map<String, Duration> ttls) {
        Objects.requireNonNull(ttls, "ttls");
        Path real = DatabaseDirectory.normalize(path);
        return new RocksDB(real, TimeToLive.open(real, options, ttl, families, ttls));
    }

    /**
     * Opens an existing database with timestamps and drops all versions of keys that are younger than a timestamp, for good. Its
     * column families without timestamps stay as they are.
     *
     * @param path      the database's directory
     * @param options   how to open it, and its column families that are not named in {@code families}
     * @param families  options of column families by name
     * @param timestamp the last one that is kept; as long as the timestamps of the column families
     * @return the database, to be closed by the caller
     * @throws RocksDBException see {@link #open(Path, Options)}; also if the timestamp has another length
     */
    public static RocksDB openTrimmed(Path path, Options options, Map<String, Options> families, byte[] timestamp) {
        Path real = DatabaseDirectory.normalize(path);
        return new RocksDB(real, DatabaseOpener.openTrimmed(real, options, families, timestamp));
    }

    /**
     * Rebuilds a database that can no longer be opened from its table files and logs. Some of its data may be lost, and deleted entries may
     * come back; make a copy of the directory before.
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
     * @return the process's id; empty if none has it open, or if that is not known here
     */
    public static OptionalLong lockHolder(Path path) {
        Long holder = FileLocks.ofDatabase(DatabaseDirectory.normalize(path));
        return holder == null ? OptionalLong.empty() : OptionalLong.of(holder);
    }

    /**
     * Returns a view that writes this database with other options, for example {@code new WriteOptions().sync(true)}.
     *
     * @param options how to write; they can no longer be changed
     * @return a view to be kept and shared; there is nothing to close, and it ends with the database
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
     * @throws IllegalArgumentException if there is none of that name; the message has the names that there are
     * @see #findColumnFamily(String)
     */
    public ColumnFamily columnFamily(String name) {
        return database.requireFamily(name);
    }

    /**
     * Returns a column family of this database, if it exists.
     *
     * @param name its name
     * @return the column family, always the same object, or null if there is none of that name
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
     * @param name    its name; there must be none of that name
     * @param options its options; those that concern a whole database have no effect
     * @return the new column family
     * @throws RocksDBException if there is one already, or RocksDB fails
     */
    public ColumnFamily createColumnFamily(String name, Options options) {
        Objects.requireNonNull(name, "name");
        return database.create(name, options);
    }

    /**
     * Creates several column families with the same options. If one cannot be created, those before it in the list are there.
     *
     * @param names   their names; there must be none of these names
     * @param options their options; those that concern a whole database have no effect
     * @return the new column families, in the same order
     * @throws RocksDBException if there is one already, or RocksDB fails
     */
    public List<ColumnFamily> createColumnFamilies(List<String> names, Options options) {
        names.forEach(name -> Objects.requireNonNull(name, "one of names"));
        Objects.requireNonNull(options, "options");
        return database.create(names, options);
    }

    /**
     * Creates a column family with a time to live for its entries, in a database that was opened with {@link #openWithTtl(Path, Options,
     * Duration)}.
     *
     * @param name    its name; there must be none of that name
     * @param options its options; those that concern a whole database have no effect
     * @param ttl     for how long entries are kept at least, in whole seconds, rounded up; 0 keeps them without limit
     * @return the new column family
     * @throws RocksDBException if there is one already, if the database was opened otherwise, or RocksDB fails
     */
    public ColumnFamily createColumnFamilyWithTtl(String name, Options options, Duration ttl) {
        Objects.requireNonNull(name, "name");
        return database.createWithTtl(name, options, ttl);
    }

    /**
     * Creates a column family from the files of one that was {@linkplain ColumnFamily#export(Path) exported} from any database.
     *
     * @param name          its name; there must be none of that name
     * @param options       its options; the comparator must be the one that the files were written with
     * @param importOptions how to take in the files
     * @param exported      the files
     * @return the new column family
     * @throws RocksDBException if there is one already, if the files have another comparator or are damaged or missing, if they hold
     *                          merges and {@code options} has no merge operator, or if RocksDB fails
     */
    public ColumnFamily createColumnFamilyWithImport(String name, Options options,
            ImportColumnFamilyOptions importOptions, ExportedColumnFamily exported) {
        Objects.requireNonNull(name, "name");
        return exported.create(database, name, options, importOptions);
    }

    /**
     * Drops a column family with all that is in it. Calls that have started finish, later ones throw {@link IllegalStateException}; its
     * files are deleted when nothing reads them.
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
     * @return the snapshot, to be closed by the caller
     * @throws RocksDBException if a memtable is used that cannot do it
     */
    public Snapshot snapshot() {
        return new Snapshot(database);
    }

    /**
     * Makes iterators over several column families that see them all as they were at the same moment.
     *
     * @param columnFamilies column families of this database; one may be there twice
     * @return an iterator for each, in the same order, each to be closed by the caller
     * @throws RocksDBException         if RocksDB refuses or fails; then there is no iterator at all
     * @throws IllegalArgumentException if a column family belongs to another database
     */
    public List<KeyValueIterator> iterators(List<ColumnFamily> columnFamilies) {
        return iterators(columnFamilies, new ReadOptions());
    }

    /**
     * Makes iterators over several column families that see them all as they were at the same moment, see {@link #iterators(List)}.
     *
     * @param columnFamilies column families of this database; one may be there twice
     * @param options        how to read; they can no longer be changed
     * @return an iterator for each, in the same order, each to be closed by the caller
     * @throws RocksDBException         if RocksDB refuses or fails; then there is no iterator at all
     * @throws IllegalArgumentException if a column family or a snapshot belongs to another database
     */
    public List<KeyValueIterator> iterators(List<ColumnFamily> columnFamilies, ReadOptions options) {
        return Iterators.several(database, columnFamilies.stream().map(database::own).toList(), options);
    }

    /**
     * Catches up with what the primary has written since this secondary instance was opened or caught up. Open it again after the primary
     * has made or dropped a column family, or the database was made anew; until then it shows its old state.
     *
     * <p>RocksDB 11.8.1 goes on to show an entry that it had read from the log, if the primary has changed it since and then flushed:
     * until the primary writes to that column family again, and this instance catches up with that.
     *
     * @throws RocksDBException if this is no {@linkplain #openSecondary(Path, Path, Options) secondary instance} or it is to be opened
     *                          again, if the primary has got a merge operator that this one has not, or if a file is missing,
     *                          damaged or cut off
     */
    public void tryCatchUpWithPrimary() {
        database.tryCatchUpWithPrimary();
    }

    /** The state of the open database. */
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
     * Closes the database. Waits for the calls that have started on other threads, and lets those writes go on that wait for memory
     * ({@link WriteBufferManager#allowStall}) or for paused work. Pinned slices that are still open stay readable and scans go on to
     * their end, and the native database goes with the last of them. Does nothing if it was closed before.
     *
     * @throws IllegalStateException if RocksDB itself called the calling thread back; a {@link ScanVisitor} may close
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
