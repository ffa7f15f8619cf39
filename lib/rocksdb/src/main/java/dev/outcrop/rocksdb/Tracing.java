package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFiles;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records the activity of a database in files: its operations, which can be {@linkplain #replayer(Path) replayed}, its input and output,
 * and the accesses to its block cache. See {@link RocksDB#tracing()}. Thread-safe; throws {@link IllegalStateException} once the database
 * is closed, which ends all traces.
 */
public final class Tracing {
    /** The C API's value for "the environment of the database" and for "the default options". */
    private static final long DEFAULT = 0;

    /** Traces of reads and writes that databases of this process are writing: they are looked through before they are replayed. */
    private static final Set<Path> RECORDING = ConcurrentHashMap.newKeySet();

    private final OpenDatabase database;
    /** The one of this database. */
    private @Nullable Path recording;

    Tracing(OpenDatabase database) {
        this.database = database;
    }

    /**
     * Starts to record reads and writes. A running trace ends.
     *
     * @param file    a new file
     * @param options options of the record
     * @throws RocksDBException if the file exists or cannot be written
     */
    public synchronized void start(Path file, TraceOptions options) {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(options, "options");
        // Entered until the trace is recorded here, so that the database does not close before it can know of the trace.
        try (Scratch _ = database.enterForRead()) {
            start(file, options, options::use, CApi::rocksdb_start_trace);
            record(OsPath.require(file));
        }
    }

    /**
     * Ends recording reads and writes.
     *
     * @throws RocksDBException if nothing is recorded, or the file cannot be completed
     */
    public synchronized void end() {
        try {
            end(NativeFiles::endTrace);
        } finally {
            // RocksDB ends it even if it cannot complete the file.
            record(null);
        }
    }

    /** Called when another trace was started, or when recording ended. */
    synchronized void record(@Nullable Path next) {
        if (recording != null) {
            RECORDING.remove(recording);
        }
        recording = next;
        if (next != null) {
            RECORDING.add(next);
        }
    }

    /** Refuses a trace that still grows: its later records would not be checked, and the replay could be recorded in it. */
    static void requireEnded(Path file) {
        if (RECORDING.contains(OsPath.require(file))) {
            throw RocksDBException.of(Status.Code.BUSY,
                    "The trace " + file + " is still being recorded; end it before it is replayed");
        }
    }

    /**
     * Starts to record reads and writes of the database's files.
     *
     * @param file    a new file
     * @param options options of the record
     * @throws RocksDBException if the file exists or cannot be written, or such a trace is running already
     */
    public void startIo(Path file, TraceOptions options) {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(options, "options");
        start(file, options, options::use, CApi::rocksdb_start_io_trace);
    }

    /** Ends recording input and output, if that was started. */
    public void endIo() {
        end(CApi::rocksdb_end_io_trace);
    }

    /**
     * Starts to record accesses to the block cache.
     *
     * @param file    a new file
     * @param options options of the record
     * @throws RocksDBException if the file exists or cannot be written, or such a trace is running already
     */
    public void startBlockCache(Path file, TraceOptions options) {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(options, "options");
        start(file, options, options::use, CApi::rocksdb_start_block_cache_trace);
    }

    /**
     * Starts to record accesses to the block cache.
     *
     * @param file          a new file
     * @param options       options of the record
     * @param writerOptions how to write the file
     * @throws RocksDBException if the file exists or cannot be written, or such a trace is running already
     */
    public void startBlockCache(Path file, BlockCacheTraceOptions options, BlockCacheTraceWriterOptions writerOptions) {
        Objects.requireNonNull(file, "file");
        Objects.requireNonNull(options, "options");
        try {
            long writer = writerOptions.use();
            start(file, options, options::use, (db, env, envOptions, native_, path, error) -> CApi
                    .rocksdb_start_block_cache_trace_with_options(db, env, envOptions, native_, writer, path, error));
        } finally {
            Reference.reachabilityFence(writerOptions);
        }
    }

    /** Ends recording accesses to the block cache, if that was started. */
    public void endBlockCache() {
        end(CApi::rocksdb_end_block_cache_trace);
    }

    /**
     * Opens a trace of reads and writes, to replay it against this database's default column family.
     *
     * @param file the file that {@link #start} wrote
     * @return the replayer, which the caller must close
     * @throws RocksDBException see {@link #replayer(Path, List)}
     */
    public Replayer replayer(Path file) {
        return replayer(file, List.of(database.defaultFamily()));
    }

    /**
     * Opens a trace of reads and writes, to replay it against this database. This reads the trace once, to check that its writes are
     * possible.
     *
     * @param file           the file that {@link #start} wrote
     * @param columnFamilies all column families of the trace; they must have the same ids as when it was recorded
     * @return the replayer, which the caller must close
     * @throws RocksDBException         if the file cannot be read, is damaged or is still being recorded; if it has writes that the column
     *                                  families cannot take, or that only RocksDB itself may make, such as the first phase of a
     *                                  transaction's commit
     * @throws IllegalArgumentException if a column family belongs to another database, or the list is empty
     */
    public Replayer replayer(Path file, List<ColumnFamily> columnFamilies) {
        Objects.requireNonNull(file, "file");
        ApiCall.requireElements("columnFamilies", columnFamilies);
        return new Replayer(database, file, columnFamilies.stream().map(database::own).toList());
    }

    /** The shape of the C functions that start a trace. */
    private interface Start {
        void call(long db, long env, long envOptions, long options, MemorySegment path, long error);
    }

    /** The shape of the C functions that end one. */
    private interface End {
        void call(long db, long error);
    }

    /** Gives the native options. */
    private interface Use {
        long use();
    }

    private void start(Path file, Object options, Use use, Start start) {
        Path path = OsPath.require(file);
        try (Scratch scratch = database.enterForRead()) {
            if (!database.options.hasOwnEnv() && Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "Cannot start the trace "
                        + path + ": there is a file already, which RocksDB would overwrite; delete it first");
            }
            start.call(database.db, DEFAULT, DEFAULT, use.use(), OsPath.in(scratch, path), ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot start the trace " + path);
        } finally {
            Reference.reachabilityFence(options);
        }
    }

    private void end(End end) {
        try (Scratch scratch = database.enterForRead()) {
            end.call(database.db, ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot end the trace of the " + database);
        }
    }

    /** The database's name, for messages. */
    @Override
    public String toString() {
        return "tracing of " + database;
    }
}
