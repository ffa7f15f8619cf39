package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.KeyText;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A column family: a key space in a database, with its own memtables, files and options. Column families share the log, so one write can
 * change several of them atomically.
 *
 * <p>Read and write it like a database. There is nothing to close: a column family ends with its database, or when it is dropped, and
 * throws {@link IllegalStateException} from then on. Thread-safe.
 */
public final class ColumnFamily extends FamilyOperations {
    ColumnFamily(Family family) {
        super(family);
    }

    Family family() {
        return family;
    }

    /**
     * Returns its name. Programs in C++ can use names that are not UTF-8. Such a name has the char {@code U+DC00} plus the byte's value for
     * each byte that is not part of a character. All methods accept such names; {@link #bytesOf} and {@link #nameOf} convert between names
     * and bytes.
     *
     * @return {@code "default"} for the column family that every database has
     */
    public String name() {
        return family.name;
    }

    /**
     * Returns the bytes of a name as RocksDB stores them.
     *
     * @param name a column family's name
     * @return the bytes of its characters in UTF-8, and the bytes that are not part of a character
     * @throws IllegalArgumentException if {@link #nameOf} never returns such a name, because it has half a character
     */
    public static byte[] bytesOf(String name) {
        return NativeText.bytes(Objects.requireNonNull(name, "name"));
    }

    /**
     * Returns the name by which this API knows a column family that RocksDB stores with some bytes as its name. Different bytes give
     * different names.
     *
     * @param bytes the name as RocksDB stores it
     * @return the characters, if the bytes are UTF-8
     */
    public static String nameOf(byte[] bytes) {
        return NativeText.string(Objects.requireNonNull(bytes, "bytes"));
    }

    /**
     * Returns its id in the database, which is never used again.
     *
     * @return 0 for the default column family
     */
    public int id() {
        return family.id;
    }

    /**
     * Returns a view that writes this column family with other options, for example {@code new WriteOptions().sync(true)}.
     *
     * @param options how to write; they can no longer be changed
     * @return a view, which can be kept and shared; there is nothing to close, and it ends with the column family
     */
    public KeyValueWriter with(WriteOptions options) {
        return family.database.writer(family, options);
    }

    /**
     * Makes a copy of this column family, which {@link RocksDB#createColumnFamilyWithImport} can import into any database. The files are
     * hard links if the copy is on the same file system.
     *
     * @param directory for the copy; must not exist yet, but its parent must
     * @return the export, for the import
     * @throws RocksDBException if the directory exists, or the disk is full or fails
     */
    public ExportedColumnFamily export(Path directory) {
        Objects.requireNonNull(directory, "directory");
        OsPath.require(directory);
        try (Scratch scratch = family.enterForBackgroundWait()) {
            AtomicLong metadata = new AtomicLong();
            family.database.withCheckpoint(scratch, checkpoint -> {
                metadata.set(NativeCheckpoints.export(scratch, checkpoint, family.handle,
                        OsPath.in(scratch, directory)));
                ApiCall.check(scratch, "Cannot export the " + family + " to " + directory, metadata.get(),
                        NativeCheckpoints::destroyExport);
            });
            return new ExportedColumnFamily(scratch, metadata.get());
        }
    }

    /**
     * Allows old versions of keys to be dropped, in a column family with timestamps.
     *
     * @param timestamp versions before it may be dropped, except the youngest of each key
     * @throws RocksDBException if it has another length, or comes before the timestamp that is set already
     */
    public void increaseFullHistoryTsLow(byte[] timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        try (Scratch scratch = family.enterForAdmin()) {
            MemorySegment copy = ApiCall.key(scratch, timestamp);
            family.database.requireWritable("changed");
            if (family.timestampSize != timestamp.length || timestamp.length == 0) {
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                        "The timestamp has " + timestamp.length + " bytes, but those of the " + family + " have "
                                + family.timestampSize);
            }
            CApi.rocksdb_increase_full_history_ts_low(family.database.db, family.handle, copy, timestamp.length,
                    ApiCall.error(scratch));
            Status failure = ApiCall.status(scratch);
            if (failure != null) {
                byte[] now = fullHistoryTsLow();
                throw now != null && failure.code() == Status.Code.INVALID_ARGUMENT
                        ? new RocksDBException(failure,
                                "The " + family + " already drops versions before the timestamp "
                                        + KeyText.of(now) + "; give a later one than " + KeyText.of(timestamp))
                        : new RocksDBException(failure);
            }
            CallbackFailures.rethrow();
        }
    }

    /**
     * Returns the timestamp from which on all versions of keys are kept.
     *
     * @return the timestamp, or null if none was set
     * @throws RocksDBException if this column family has no timestamps
     */
    public byte @Nullable [] fullHistoryTsLow() {
        try (Scratch scratch = family.enterForRead()) {
            long timestamp = CApi.rocksdb_get_full_history_ts_low(family.database.db, family.handle,
                    scratch.wordAddress(1), ApiCall.error(scratch));
            ApiCall.check(scratch);
            byte[] bytes = ApiCall.takeBytes(timestamp, scratch.word(1));
            return bytes.length == 0 ? null : bytes;
        }
    }

    /** The column family's name and its database's, for messages. */
    @Override
    public String toString() {
        return family.toString();
    }
}
