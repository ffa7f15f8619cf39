package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeText;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A column family: a key space of its own in a database, with its own memtables, files and options, that shares the log with the
 * others, so that they can be written atomically together.
 *
 * <p>It is read and written like a database. There is nothing to close: it ends with its database, or when it is dropped, and throws
 * {@link IllegalStateException} from then on. Thread-safe.
 */
public final class ColumnFamily extends FamilyOperations {
    ColumnFamily(Family family) {
        super(family);
    }

    Family family() {
        return family;
    }

    /**
     * Its name. Programs in C++ can give names that are not UTF-8: such a name has the char {@code U+DC00} plus its value for each byte
     * that is no part of a character, and is taken back everywhere; {@link #bytesOf} tells the bytes, {@link #nameOf} makes it of them.
     *
     * @return {@code "default"} for the one that every database has
     */
    public String name() {
        return family.name;
    }

    /**
     * The bytes of a name, as RocksDB has them.
     *
     * @param name a column family's name
     * @return the bytes of its characters in UTF-8, and those that are no part of a character
     * @throws IllegalArgumentException if {@link #nameOf} makes no such name, because it has half a character
     */
    public static byte[] bytesOf(String name) {
        return NativeText.bytes(Objects.requireNonNull(name, "name"));
    }

    /**
     * The name for some bytes, by which this API knows a column family with that name; different for different bytes.
     *
     * @param bytes the name as RocksDB has it
     * @return the characters, if the bytes are UTF-8
     */
    public static String nameOf(byte[] bytes) {
        return NativeText.string(Objects.requireNonNull(bytes, "bytes"));
    }

    /**
     * Its number in the database, which is never used again.
     *
     * @return 0 for the default column family
     */
    public int id() {
        return family.id;
    }

    /**
     * This column family, written with other options, for example {@code new WriteOptions().sync(true)}.
     *
     * @param options how to write; they cannot be changed any more
     * @return a view to be kept and shared; there is nothing to close, and it ends with the column family
     */
    public KeyValueWriter with(WriteOptions options) {
        return family.store.writer(family, options);
    }

    /**
     * Makes a copy of this column family, to be imported into any database with {@link RocksDB#createColumnFamilyWithImport}. Files are
     * hard links if it is on the same file system.
     *
     * @param directory for the copy; must not exist yet, but what it is in must
     * @return what the import needs
     * @throws RocksDBException      if the directory exists, or the disk is full or fails
     * @throws IllegalStateException if the database is closed or this column family dropped
     */
    public ExportedColumnFamily export(Path directory) {
        Objects.requireNonNull(directory, "directory");
        return Checkpoints.export(family, directory);
    }

    /**
     * Allows old versions of keys to be dropped, in a column family with timestamps.
     *
     * @param timestamp versions before it may be dropped, but for the youngest of each key
     * @throws RocksDBException      if it has another length, or comes before the one that was set before
     * @throws IllegalStateException if the database is closed or this column family dropped
     */
    public void increaseFullHistoryTsLow(byte[] timestamp) {
        Objects.requireNonNull(timestamp, "timestamp");
        Maintenance.increaseFullHistoryTsLow(family, timestamp);
    }

    /**
     * Since which timestamp all versions of keys are kept.
     *
     * @return the timestamp, or null if none was set
     * @throws RocksDBException      if this column family has no timestamps
     * @throws IllegalStateException if the database is closed or this column family dropped
     */
    public byte @Nullable [] fullHistoryTsLow() {
        return Maintenance.fullHistoryTsLow(family);
    }

    /** The column family's name and its database's, for messages. */
    @Override
    public String toString() {
        return family.toString();
    }
}
