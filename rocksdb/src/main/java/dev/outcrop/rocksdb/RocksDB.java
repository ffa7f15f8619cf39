package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
public sealed class RocksDB implements KeyValueReader, DatabaseWriter, AutoCloseable
        permits TransactionDB, OptimisticTransactionDB {
    private final Path path;
    private final Store store;
    private final ColumnFamily family;
    private final DatabaseWrites writes;

    RocksDB(Path path, Opened opened) {
        try {
            this.path = path;
            this.store = new Store(this, "database " + path, opened);
            this.family = store.defaultFamily();
            this.writes = new DatabaseWrites(store, new WriteOptions());
        } catch (Throwable e) {
            // Out of memory: nobody else could close it, and it would stay locked until the process ends.
            opened.close();
            throw e;
        }
    }

    /**
     * Opens an existing database for reading and writing, with RocksDB's default options.
     *
     * @param path the database's directory
     * @return the database, to be closed by the caller
     * @throws RocksDBException see {@link #open(Path, Options)}
     */
    public static RocksDB open(Path path) {
        return open(path, new Options());
    }

    /**
     * Opens a database for reading and writing, with the same options for all its column families. At any time only one process can
     * have it open like this.
     *
     * @param path    the database's directory
     * @param options how to open it; {@link Options#createIfMissing(boolean)} creates it if need be
     * @return the database, to be closed by the caller
     * @throws RocksDBException     if there is no database or there must not be one, if somebody else has it open, or if it is
     *                              damaged; the message names the path and the reason, and nothing on the disk has been changed.
     *                              If the disk is full or fails, a database that was to be created is taken away again, but
     *                              one that was there may have new files, without loss
     * @throws UnsatisfiedLinkError if the native library cannot be found or loaded
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
     * @throws RocksDBException     see {@link #open(Path, Options)}; also if a column family does not exist
     * @throws UnsatisfiedLinkError if the native library cannot be found or loaded
     */
    public static RocksDB open(Path path, Options options, Map<String, Options> families) {
        Path real = Opening.normalize(path);
        return new RocksDB(real, Opening.open(real, options, families, DatabaseKind.PLAIN,
                CApi::rocksdb_open_column_families));
    }

    /**
     * Opens an existing database for reading, as it is now, with the same options for all its column families. Others may have it open
     * for writing; what they write is not seen.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @return the database, to be closed by the caller; its writing methods throw {@link RocksDBException} with
     *         {@link Status.Code#NOT_SUPPORTED}
     * @throws RocksDBException     if there is no database, or if it is damaged
     * @throws UnsatisfiedLinkError if the native library cannot be found or loaded
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
     * @throws RocksDBException     if there is no database or no such column family, or if it is damaged
     * @throws UnsatisfiedLinkError if the native library cannot be found or loaded
     */
    public static RocksDB openReadOnly(Path path, Options options, Map<String, Options> families) {
        Path real = Opening.normalize(path);
        byte evenIfLogExists = 0;
        return new RocksDB(real, Opening.openExisting(real, options, families,
                (nativeOptions, name, count, names, familyOptions, handles, error) -> CApi
                        .rocksdb_open_for_read_only_column_families(nativeOptions, name, count, names, familyOptions,
                                handles, evenIfLogExists, error)));
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
        Path real = Opening.normalize(path);
        Native.requireLibrary();
        Opening.requireDatabase(real, "");
        return Opening.families(real, new Options());
    }

    /**
     * This database, read with other options.
     *
     * @param options how to read; they cannot be changed any more
     * @return a view to be kept and shared; there is nothing to close, and it ends with the database
     * @throws IllegalArgumentException if the options have a snapshot of another database
     */
    public KeyValueReader with(ReadOptions options) {
        return family.with(options);
    }

    /**
     * This database, written with other options, for example {@code new WriteOptions().sync(true)}.
     *
     * @param options how to write; they cannot be changed any more
     * @return a view to be kept and shared; there is nothing to close, and it ends with the database
     */
    public DatabaseWriter with(WriteOptions options) {
        return new DatabaseWrites(store, options);
    }

    /**
     * Where the database is.
     *
     * @return its directory, absolute
     */
    public Path path() {
        return path;
    }

    /**
     * The column family that every database has, and that this object reads and writes.
     *
     * @return the column family named {@code "default"}
     */
    public ColumnFamily defaultColumnFamily() {
        return family;
    }

    /**
     * A column family of this database.
     *
     * @param name its name
     * @return the column family, always the same object, or null if there is none of that name
     */
    public @Nullable ColumnFamily columnFamily(String name) {
        return store.family(name);
    }

    /**
     * All column families of this database.
     *
     * @return a copy of the list as it is now, in the order of their creation
     */
    public List<ColumnFamily> columnFamilies() {
        return store.families();
    }

    /**
     * Creates a column family.
     *
     * @param name    its name; there must be none of that name
     * @param options its options; those that concern a whole database have no effect
     * @return the new column family
     * @throws RocksDBException      if there is one already, or RocksDB fails
     * @throws IllegalStateException if the database is closed
     */
    public ColumnFamily createColumnFamily(String name, Options options) {
        SafeOptions.require(path, options);
        long nativeOptions = options.copyNative();
        try (Scratch scratch = store.enter()) {
            MemorySegment text = OptionValues.text("A column family's name", name, scratch);
            long handle = store.kind().createColumnFamily(store.db, nativeOptions, text, Native.error(scratch));
            Native.check(scratch, "Cannot create the column family " + name);
            try {
                return store.add(scratch, name, handle, options);
            } catch (Throwable e) {
                CApi.rocksdb_column_family_handle_destroy(handle);
                throw e;
            }
        } finally {
            CApi.rocksdb_options_destroy(nativeOptions);
        }
    }

    /**
     * Drops a column family with all that is in it. Calls that have started finish, later ones throw
     * {@link IllegalStateException}; its files go when nothing reads them any more.
     *
     * @param dropped a column family of this database, not the default one
     * @throws RocksDBException         if it is the default column family, or RocksDB fails
     * @throws IllegalArgumentException if it belongs to another database
     * @throws IllegalStateException    if the database is closed, or the column family was dropped before
     */
    public void dropColumnFamily(ColumnFamily dropped) {
        store.drop(store.own(dropped));
    }

    /**
     * Keeps the database as it is now readable, see {@link ReadOptions#snapshot(Snapshot)}.
     *
     * @return the snapshot, to be closed by the caller
     * @throws RocksDBException      if a memtable is used that cannot do it
     * @throws IllegalStateException if the database is closed
     */
    public Snapshot snapshot() {
        return new Snapshot(store);
    }

    /**
     * Makes iterators over several column families that see them all as they were at the same moment.
     *
     * @param columnFamilies column families of this database; one may be there twice
     * @return an iterator for each, in the same order, each to be closed by the caller
     * @throws RocksDBException         if RocksDB refuses or fails; then there is no iterator at all
     * @throws IllegalArgumentException if a column family belongs to another database
     * @throws IllegalStateException    if the database is closed or a column family was dropped
     */
    public List<KeyValueIterator> iterators(List<ColumnFamily> columnFamilies) {
        return iterators(columnFamilies, new ReadOptions());
    }

    /**
     * Makes iterators over several column families that see them all as they were at the same moment, see {@link #iterators(List)}.
     *
     * @param columnFamilies column families of this database; one may be there twice
     * @param options        how to read; they cannot be changed any more
     * @return an iterator for each, in the same order, each to be closed by the caller
     * @throws RocksDBException         if RocksDB refuses or fails; then there is no iterator at all
     * @throws IllegalArgumentException if a column family or a snapshot belongs to another database
     * @throws IllegalStateException    if the database is closed or a column family was dropped
     */
    public List<KeyValueIterator> iterators(List<ColumnFamily> columnFamilies, ReadOptions options) {
        return Iterators.several(store, columnFamilies.stream().map(store::own).toList(), options);
    }

    /**
     * Estimates how many bytes ranges of keys take in table files, compressed as they are there. What is in memory only does not count.
     *
     * @param ranges which keys; their directions do not matter
     * @return an estimate for each range, in the same order
     * @throws RocksDBException         if RocksDB refuses or fails
     * @throws IllegalArgumentException if one is no range in the order of the column family
     * @throws IllegalStateException    if the database is closed
     */
    public long[] approximateSizes(List<KeyRange> ranges) {
        return family.approximateSizes(ranges);
    }

    /**
     * Estimates how many bytes ranges of keys take.
     *
     * @param ranges  which keys; their directions do not matter
     * @param options what counts: table files, blob files, memory; they cannot be changed any more
     * @return an estimate for each range, in the same order
     * @throws RocksDBException         if RocksDB refuses or fails, for example because nothing is to count
     * @throws IllegalArgumentException if one is no range in the order of the column family
     * @throws IllegalStateException    if the database is closed
     */
    public long[] approximateSizes(List<KeyRange> ranges, SizeApproximationOptions options) {
        return family.approximateSizes(ranges, options);
    }

    /**
     * How many changes the database has seen.
     *
     * @return the sequence number of the latest change; 0 if there was none
     * @throws IllegalStateException if the database is closed
     */
    public long latestSequenceNumber() {
        return WriteAheadLog.latestSequenceNumber(store);
    }

    /**
     * Reads the changes in the write-ahead log again, such as to apply them elsewhere.
     *
     * @param sequenceNumber the number of the first change to see, up to {@link #latestSequenceNumber()} + 1, which is the next change
     *                       that will be written; the batch that it is part of is seen whole
     * @return the iterator, to be closed by the caller
     * @throws IllegalArgumentException if the number is negative, or beyond that of the next change
     * @throws IllegalStateException    if the database is closed
     */
    public WalIterator updatesSince(long sequenceNumber) {
        return updatesSince(sequenceNumber, new WalReadOptions());
    }

    /**
     * Reads the changes in the write-ahead log again, see {@link #updatesSince(long)}.
     *
     * @param sequenceNumber the number of the first change to see
     * @param options        how to read; they cannot be changed any more
     * @return the iterator, to be closed by the caller
     * @throws IllegalArgumentException if the number is negative, or beyond that of the next change
     * @throws IllegalStateException    if the database is closed
     */
    public WalIterator updatesSince(long sequenceNumber, WalReadOptions options) {
        return WriteAheadLog.updatesSince(store, sequenceNumber, options);
    }

    /**
     * The files of the write-ahead log, with those that are archived.
     *
     * @return the oldest file first
     * @throws RocksDBException      if RocksDB fails
     * @throws IllegalStateException if the database is closed
     */
    public List<WalFile> walFiles() {
        return WriteAheadLog.files(store);
    }

    /**
     * The file of the write-ahead log that is written now. Its start sequence is not looked up.
     *
     * @return the file
     * @throws RocksDBException      if there is none, because the database was opened for reading, or RocksDB fails
     * @throws IllegalStateException if the database is closed
     */
    public WalFile currentWalFile() {
        return WriteAheadLog.currentFile(store);
    }

    /**
     * Writes what is in memory into table files, and waits until that is done.
     *
     * @throws RocksDBException      if RocksDB refuses or fails
     * @throws IllegalStateException if the database is closed
     */
    public void flush() {
        family.flush();
    }

    /**
     * Compacts the whole default column family, and waits until that is done. Does nothing if the database was opened for reading.
     *
     * @throws RocksDBException      if RocksDB fails, for example because a file is damaged
     * @throws IllegalStateException if the database is closed
     */
    public void compact() {
        family.compact();
    }

    /**
     * Asks for one of RocksDB's properties, such as {@code rocksdb.stats} or {@code rocksdb.estimate-num-keys}.
     *
     * @param name the property's name
     * @return its value as text, or null if there is no such property
     * @throws IllegalStateException if the database is closed
     */
    public @Nullable String property(String name) {
        return family.property(name);
    }

    /**
     * Asks for a property that is a number, see {@link ColumnFamily#longProperty(String)}.
     *
     * @param name the property's name, for example {@link Property#ESTIMATE_NUM_KEYS}
     * @return its value, unsigned, or null if there is no such property or it is no number
     * @throws IllegalStateException if the database is closed
     */
    public @Nullable Long longProperty(String name) {
        return family.longProperty(name);
    }

    /**
     * Asks for a property that consists of pairs, see {@link ColumnFamily#mapProperty(String)}.
     *
     * @param name the property's name, for example {@link Property#AGGREGATED_TABLE_PROPERTIES}
     * @return its values by name, or null if there is no such property
     * @throws IllegalArgumentException if it does not consist of pairs
     * @throws IllegalStateException    if the database is closed
     */
    public @Nullable Map<String, String> mapProperty(String name) {
        return family.mapProperty(name);
    }

    /**
     * What RocksDB has counted, if the options that this database was opened with had {@link Options#enableStatistics()} called.
     *
     * @return the statistics, always the same object, or null if there are none
     */
    public @Nullable Statistics statistics() {
        return store.statistics;
    }

    /**
     * How many bytes of values are pinned now, see {@link Options#pinBudget(long)}.
     *
     * @return bytes; exact while no thread pins or unpins
     */
    public long pinnedBytes() {
        return store.lifetime.leasedWeight();
    }

    /** What an operation on the whole database needs. */
    final Store store() {
        return store;
    }

    @Override
    public void write(WriteBatch batch) {
        writes.write(batch);
    }

    @Override
    public void write(WriteBatchWithIndex batch) {
        writes.write(batch);
    }

    @Override
    public KeyValueWriter at(MemorySegment timestamp) {
        return family.at(timestamp);
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        family.put(key, value);
    }

    @Override
    public void delete(MemorySegment key) {
        family.delete(key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        family.singleDelete(key);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        family.deleteRange(begin, end);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        family.merge(key, operand);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        return family.get(key);
    }

    @Override
    public byte @Nullable [] get(MemorySegment key) {
        return family.get(key);
    }

    @Override
    public long get(MemorySegment key, MemorySegment buffer) {
        return family.get(key, buffer);
    }

    @Override
    public @Nullable PinnedSlice getPinned(MemorySegment key) {
        return family.getPinned(key);
    }

    @Override
    public @Nullable PinnedSlice getHybrid(MemorySegment key, MemorySegment buffer) {
        return family.getHybrid(key, buffer);
    }

    @Override
    public KeyValueIterator iterator() {
        return family.iterator();
    }

    @Override
    public KeyValueIterator iterator(KeyRange range) {
        return family.iterator(range);
    }

    @Override
    public void scan(KeyRange range, ScanVisitor visitor) {
        family.scan(range, visitor);
    }

    @Override
    public MultiGet multiGet() {
        return family.multiGet();
    }

    @Override
    public boolean keyMayExist(MemorySegment key) {
        return family.keyMayExist(key);
    }

    @Override
    public long keyMayExist(MemorySegment key, MemorySegment buffer) {
        return family.keyMayExist(key, buffer);
    }

    @Override
    public @Nullable TimestampedValue getTimestamped(MemorySegment key) {
        return family.getTimestamped(key);
    }

    @Override
    public List<@Nullable TimestampedValue> multiGetTimestamped(List<byte[]> keys) {
        return family.multiGetTimestamped(keys);
    }

    /**
     * Closes the database. Waits for the calls that have started on other threads; pinned slices that are still open stay
     * readable and scans go on to their end, and the native database goes with the last of them. Does nothing if it was closed
     * before.
     *
     * @throws IllegalStateException if RocksDB itself called the calling thread back; a {@link ScanVisitor} may close
     */
    @Override
    public void close() {
        if (Upcall.isRunning()) {
            throw new IllegalStateException("The " + this + " cannot be closed from inside a callback of RocksDB;"
                    + " close it after the call has returned, or from another thread");
        }
        store.close();
    }

    /** The database's name, for messages. */
    @Override
    public String toString() {
        return store.toString();
    }
}
