package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
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
 * <p>Thread-safe. {@link #close()} may be called at any time, while other threads read and write: their calls that have started
 * finish, later ones throw {@link IllegalStateException}.
 */
public final class RocksDB implements KeyValueReader, KeyValueWriter, AutoCloseable {
    private final Path path;
    private final Store store;
    private final Reads reads;
    private final Writes writes;

    private RocksDB(Path path, long db, Options options) {
        this.path = path;
        this.store = new Store(this, "database " + path, db, options);
        this.reads = new Reads(store, new ReadOptions());
        this.writes = new Writes(store, new WriteOptions());
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
     * Opens a database for reading and writing. At any time only one process can have it open like this.
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
        Path real = Opening.normalize(path);
        return new RocksDB(real, Opening.open(real, options), options);
    }

    /**
     * Opens an existing database for reading, as it is now. Others may have it open for writing; what they write is not seen.
     *
     * @param path    the database's directory
     * @param options how to open it
     * @return the database, to be closed by the caller; its writing methods throw {@link RocksDBException} with
     *         {@link Status.Code#NOT_SUPPORTED}
     * @throws RocksDBException     if there is no database, or if it is damaged
     * @throws UnsatisfiedLinkError if the native library cannot be found or loaded
     */
    public static RocksDB openReadOnly(Path path, Options options) {
        Path real = Opening.normalize(path);
        return new RocksDB(real, Opening.openReadOnly(real, options), options);
    }

    /**
     * This database, read with other options.
     *
     * @param options how to read; they cannot be changed any more
     * @return a view to be kept and shared; there is nothing to close, and it ends with the database
     */
    public KeyValueReader with(ReadOptions options) {
        return new Reads(store, options);
    }

    /**
     * This database, written with other options, for example {@code new WriteOptions().sync(true)}.
     *
     * @param options how to write; they cannot be changed any more
     * @return a view to be kept and shared; there is nothing to close, and it ends with the database
     */
    public KeyValueWriter with(WriteOptions options) {
        return new Writes(store, options);
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
     * Writes what is in memory into table files, and waits until that is done.
     *
     * @throws RocksDBException      if RocksDB refuses or fails
     * @throws IllegalStateException if the database is closed
     */
    public void flush() {
        try (Scratch scratch = store.enter()) {
            long error = Native.error(scratch);
            long options = CApi.rocksdb_flushoptions_create();
            try {
                CApi.rocksdb_flush_cf(store.db, options, store.family, error);
            } finally {
                CApi.rocksdb_flushoptions_destroy(options);
            }
            Native.check(scratch);
        }
    }

    /**
     * Compacts the whole database, and waits until that is done. Does nothing if it was opened for reading.
     *
     * @throws RocksDBException      if RocksDB fails, for example because a file is damaged
     * @throws IllegalStateException if the database is closed
     */
    public void compact() {
        try (Scratch scratch = store.enter()) {
            CApi.rocksdb_compact_range_cf(store.db, store.family, MemorySegment.NULL, 0, MemorySegment.NULL, 0);
            if (!"0".equals(property(scratch, "rocksdb.background-errors"))) {
                throwBackgroundError(scratch);
            }
        }
    }

    /** The C API does not say how a compaction went. A failed one stops background work, and waiting for that returns its error. */
    private void throwBackgroundError(Scratch scratch) {
        long error = Native.error(scratch);
        long options = CApi.rocksdb_wait_for_compact_options_create();
        try {
            CApi.rocksdb_wait_for_compact(store.db, options, error);
        } finally {
            CApi.rocksdb_wait_for_compact_options_destroy(options);
        }
        Native.check(scratch);
    }

    /**
     * Asks for one of RocksDB's properties, such as {@code rocksdb.stats} or {@code rocksdb.estimate-num-keys}.
     *
     * @param name the property's name
     * @return its value as text, or null if there is no such property
     * @throws IllegalStateException if the database is closed
     */
    public @Nullable String property(String name) {
        if (name.indexOf('\0') >= 0) {
            // C would look for what stands before it.
            return null;
        }
        try (Scratch scratch = store.enter()) {
            return property(scratch, name);
        }
    }

    private @Nullable String property(Scratch scratch, String name) {
        long value = CApi.rocksdb_property_value_cf(store.db, store.family, Native.in(scratch, name));
        return value == 0 ? null : Native.takeString(value);
    }

    /**
     * How many bytes of values are pinned now, see {@link Options#pinBudget(long)}.
     *
     * @return bytes; exact while no thread pins or unpins
     */
    public long pinnedBytes() {
        return store.lifetime.leasedWeight();
    }

    @Override
    public void put(MemorySegment key, MemorySegment value) {
        writes.put(key, value);
    }

    @Override
    public void delete(MemorySegment key) {
        writes.delete(key);
    }

    @Override
    public void singleDelete(MemorySegment key) {
        writes.singleDelete(key);
    }

    @Override
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        writes.deleteRange(begin, end);
    }

    @Override
    public void merge(MemorySegment key, MemorySegment operand) {
        writes.merge(key, operand);
    }

    @Override
    public byte @Nullable [] get(byte[] key) {
        return reads.get(key);
    }

    @Override
    public byte @Nullable [] get(MemorySegment key) {
        return reads.get(key);
    }

    @Override
    public long get(MemorySegment key, MemorySegment buffer) {
        return reads.get(key, buffer);
    }

    @Override
    public @Nullable PinnedSlice getPinned(MemorySegment key) {
        return reads.getPinned(key);
    }

    @Override
    public @Nullable PinnedSlice getHybrid(MemorySegment key, MemorySegment buffer) {
        return reads.getHybrid(key, buffer);
    }

    @Override
    public void scan(ScanVisitor visitor) {
        reads.scan(visitor);
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
        store.lifetime.close();
    }

    /** The database's name, for messages. */
    @Override
    public String toString() {
        return store.toString();
    }
}
