package dev.outcrop.rocksdb;

import dev.outcrop.memory.ExclusiveLifetime;
import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.NativeTableWriter;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.ComparatorFailure;
import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.Linkage;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes a table file that a column family can {@linkplain ColumnFamily#ingest(java.util.List) ingest}: the fastest way to load large
 * amounts of sorted data.
 *
 * <pre>{@code
 * try (SstFileWriter writer = new SstFileWriter(file, new Options())) {
 *     writer.put(a, value);
 *     writer.put(b, value); // keys in ascending order
 *     writer.finish();
 * }
 * db.ingest(List.of(file));
 * }</pre>
 *
 * <p>Only one thread at a time may use it, but threads may take turns. Each method throws {@link IllegalStateException} if it is closed or
 * another thread is using it.
 */
public final class SstFileWriter implements AutoCloseable {
    /** RocksDB's message for a range that ends before it begins. */
    private static final String REVERSED = "end key comes before start key";
    private final Path file;
    private final Options options;
    private final long writer;
    private final ExclusiveLifetime lifetime;
    /** The caller of the comparator, if that is in Java. */
    private final @Nullable CheckedComparator comparator;
    private final ComparatorFailure order = new ComparatorFailure();
    private boolean finished;

    /**
     * Starts a table file.
     *
     * @param file    the file, which must not exist yet
     * @param options the options of the column family that the file is for, in particular its comparator and its table options
     * @throws RocksDBException if the file exists already, or cannot be created
     */
    public SstFileWriter(Path file, Options options) {
        this(file, options, new EnvOptions());
    }

    /**
     * Starts a table file.
     *
     * @param file       the file, which must not exist yet
     * @param options    the options of the column family that the file is for, in particular its comparator and its table options
     * @param envOptions how to write the file
     * @throws RocksDBException if the file exists already, or cannot be created
     */
    public SstFileWriter(Path file, Options options, EnvOptions envOptions) {
        Objects.requireNonNull(file, "file");
        StackCheck.require(CallbackGuard.WORKING);
        NativeCalls.requireAccess();
        Linkage.linkNow("rocksdb_sstfilewriter_put", "rocksdb_sstfilewriter_put_with_ts", "rocksdb_sstfilewriter_merge",
                "rocksdb_sstfilewriter_delete", "rocksdb_sstfilewriter_delete_with_ts",
                "rocksdb_sstfilewriter_delete_range", "rocksdb_sstfilewriter_finish",
                "rocksdb_sstfilewriter_file_size", "rocksdb_sstfilewriter_destroy");
        this.file = OsPath.require(file);
        // A copy: the native writer points to the options.
        this.options = options.copy();
        OptionChecks.requireToWrite("Cannot start the table file " + this.file, options);
        if (!options.hasOwnEnv() && Files.exists(this.file, LinkOption.NOFOLLOW_LINKS)) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, "Cannot start the table file "
                    + this.file + ": there is a file already, which RocksDB would overwrite; delete it first");
        }
        this.writer = open(envOptions);
        this.comparator = options.checkedComparator();
        if (comparator != null) {
            comparator.addUser(order);
        }
        this.lifetime = new ExclusiveLifetime(this, "writer of the table file " + this.file, this::free);
    }

    private long open(EnvOptions envOptions) {
        long made;
        try {
            made = NativeTableWriter.create(envOptions.use(), options.use());
        } finally {
            Reference.reachabilityFence(envOptions);
        }
        try (Scratch scratch = ApiCall.scratch()) {
            NativeTableWriter.open(made, OsPath.in(scratch, file), ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot start the table file " + file);
            return made;
        } catch (Throwable e) {
            CApi.rocksdb_sstfilewriter_destroy(made);
            throw e;
        }
    }

    /**
     * Adds an entry.
     *
     * @param key   after all keys so far
     * @param value its value
     * @throws RocksDBException if the key does not come after the keys so far, or the file cannot be written
     */
    public void put(MemorySegment key, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        withTwo(NativeTableWriter::put, key, value);
    }

    /**
     * Adds an entry as {@link #put(MemorySegment, MemorySegment)} does.
     *
     * @param key   after all keys so far
     * @param value its value
     * @throws RocksDBException if the key does not come after the keys so far, or the file cannot be written
     */
    public void put(byte[] key, byte[] value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
        put(MemorySegment.ofArray(key), MemorySegment.ofArray(value));
    }

    /**
     * Adds an entry with a timestamp, for a column family with timestamps.
     *
     * @param key       not before the keys so far; of the same key, the younger timestamp comes first
     * @param timestamp as long as the comparator says
     * @param value     its value
     * @throws RocksDBException if the order or the timestamp's length is wrong, or the file cannot be written
     */
    public void put(MemorySegment key, MemorySegment timestamp, MemorySegment value) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(timestamp, "timestamp");
        Objects.requireNonNull(value, "value");
        ApiCall.requireSize(key.byteSize() + timestamp.byteSize() + value.byteSize());
        lifetime.enter();
        try (Scratch scratch = begin()) {
            MemorySegment k = ApiCall.key(scratch, key);
            MemorySegment t = ApiCall.in(scratch, timestamp);
            MemorySegment v = ApiCall.in(scratch, value);
            CApi.rocksdb_sstfilewriter_put_with_ts(writer, k, key.byteSize(), t, timestamp.byteSize(), v,
                    value.byteSize(), ApiCall.error(scratch));
            checkAdded(scratch, "an entry with", key);
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Adds a merge.
     *
     * @param key     after all keys so far
     * @param operand for the merge operator of the column family that the file is for; it must have one
     * @throws RocksDBException if the key does not come after the keys so far, or the file cannot be written
     */
    public void merge(MemorySegment key, MemorySegment operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        withTwo(NativeTableWriter::merge, key, operand);
    }

    /**
     * Adds an operand as {@link #merge(MemorySegment, MemorySegment)} does.
     *
     * @param key     after all keys so far
     * @param operand for the merge operator of the column family that the file is for; it must have one
     * @throws RocksDBException if the key does not come after the keys so far, or the file cannot be written
     */
    public void merge(byte[] key, byte[] operand) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(operand, "operand");
        merge(MemorySegment.ofArray(key), MemorySegment.ofArray(operand));
    }

    /**
     * Adds a deletion: once ingested, the file hides the value that the column family had for the key.
     *
     * @param key after all keys so far
     * @throws RocksDBException if the key does not come after the keys so far, or the file cannot be written
     */
    public void delete(MemorySegment key) {
        Objects.requireNonNull(key, "key");
        lifetime.enter();
        try (Scratch scratch = begin()) {
            NativeTableWriter.delete(writer, ApiCall.key(scratch, key), key.byteSize(), ApiCall.error(scratch));
            checkAdded(scratch, "a deletion of", key);
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Adds a deletion as {@link #delete(MemorySegment)} does.
     *
     * @param key after all keys so far
     * @throws RocksDBException if the key does not come after the keys so far, or the file cannot be written
     */
    public void delete(byte[] key) {
        Objects.requireNonNull(key, "key");
        delete(MemorySegment.ofArray(key));
    }

    /**
     * Adds a deletion with a timestamp, for a column family with timestamps.
     *
     * @param key       not before the keys so far; of the same key, the younger timestamp comes first
     * @param timestamp as long as the comparator says
     * @throws RocksDBException if the order or the timestamp's length is wrong, or the file cannot be written
     */
    public void delete(MemorySegment key, MemorySegment timestamp) {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(timestamp, "timestamp");
        withTwo(CApi::rocksdb_sstfilewriter_delete_with_ts, key, timestamp);
    }

    /**
     * Adds the deletion of a range. Ranges may come in any order, and anywhere between the entries; they hide entries of the column family,
     * but no entries of this file.
     *
     * @param begin the first key
     * @param end   the key after the last one
     * @throws RocksDBException if the range ends before it begins, or the file cannot be written
     */
    public void deleteRange(MemorySegment begin, MemorySegment end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        try {
            withTwo(CApi::rocksdb_sstfilewriter_delete_range, begin, end);
        } catch (RocksDBException e) {
            // RocksDB has compared the keys already, but does not report which they were.
            throw e.status().message().endsWith(REVERSED)
                    ? RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                            KeyRange.reversed("delete", this.toString(), begin, end))
                    : e;
        }
    }

    /**
     * Adds a deletion as {@link #deleteRange(MemorySegment, MemorySegment)} does.
     *
     * @param begin the first key
     * @param end   the key after the last one
     * @throws RocksDBException if the range ends before it begins, or the file cannot be written
     */
    public void deleteRange(byte[] begin, byte[] end) {
        Objects.requireNonNull(begin, "begin");
        Objects.requireNonNull(end, "end");
        deleteRange(MemorySegment.ofArray(begin), MemorySegment.ofArray(end));
    }

    /**
     * Completes the file and syncs it to the disk. Nothing can be added to it afterwards.
     *
     * @throws RocksDBException      if nothing was added, or the file cannot be written; the file is of no use then
     * @throws IllegalStateException if it was completed before
     */
    public void finish() {
        lifetime.enter();
        try (Scratch scratch = begin()) {
            NativeTableWriter.finish(writer, ApiCall.error(scratch));
            ApiCall.check(scratch, "Cannot finish " + this);
            finished = true;
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Returns the size of the file.
     *
     * @return bytes; until {@link #finish()}, approximately the size so far
     */
    public long fileSize() {
        lifetime.enter();
        try {
            NativeTableWriter.fileSize(writer, lifetime.wordAddress(0));
            return lifetime.word(0);
        } finally {
            lifetime.exit();
        }
    }

    /**
     * Ends writing. A file that was not {@linkplain #finish() finished} is deleted: it would be of no use. Does nothing if it was
     * closed before.
     */
    @Override
    public void close() {
        lifetime.close();
    }

    private void free() {
        if (comparator != null) {
            comparator.removeUser(order);
        }
        try {
            CApi.rocksdb_sstfilewriter_destroy(writer);
        } finally {
            // The native writer used the native options to its end.
            Reference.reachabilityFence(options);
        }
        if (!finished && !options.hasOwnEnv()) {
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                // The file stays, incomplete; nothing ingests it, because it has no end.
            }
        }
    }

    /** The shape of the C functions that take two keys, or a key and a value. */
    private interface WithTwo {
        void call(long writer, MemorySegment first, long firstLength, MemorySegment second, long secondLength,
                long error);
    }

    private void withTwo(WithTwo function, MemorySegment first, MemorySegment second) {
        ApiCall.requireSize(first.byteSize() + second.byteSize());
        lifetime.enter();
        try (Scratch scratch = begin()) {
            MemorySegment a = ApiCall.key(scratch, first);
            MemorySegment b = ApiCall.in(scratch, second);
            function.call(writer, a, first.byteSize(), b, second.byteSize(), ApiCall.error(scratch));
            checkAdded(scratch, "an entry with", first);
        } finally {
            lifetime.exit();
        }
    }

    /** Checks a call. Makes the message only if there is an error. */
    private void checkAdded(Scratch scratch, String what, MemorySegment key) {
        if (scratch.word(ApiCall.ERROR) != 0) {
            ApiCall.check(scratch, "Cannot add " + what + " key " + KeyText.of(key) + " to " + this);
        }
        CallbackFailures.rethrow();
    }

    private Scratch begin() {
        if (finished) {
            throw new IllegalStateException("The " + this + " is finished; nothing more can be added to it");
        }
        if (comparator != null) {
            StackCheck.require(CallbackGuard.WRITING);
            if (order.cause() != null) {
                throw new IllegalStateException("The " + this
                        + " can no longer be used, because its comparator has thrown an"
                        + " exception or has contradicted itself, see the cause; write the file again with one that works",
                        order.cause());
            }
        }
        return ApiCall.scratchForCall();
    }

    /** The writer's name, for messages. */
    @Override
    public String toString() {
        return lifetime.toString();
    }
}
