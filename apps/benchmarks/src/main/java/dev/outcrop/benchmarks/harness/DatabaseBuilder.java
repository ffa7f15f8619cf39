package dev.outcrop.benchmarks.harness;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.KeyValueWriter;
import dev.outcrop.rocksdb.Options;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.WriteOptions;
import java.util.Arrays;
import java.util.List;

/** Makes the database that the sides of a case read. Every key has a value in its column family, and each family is one sorted run. */
public final class DatabaseBuilder {
    private static final byte VALUE = 'v';

    private DatabaseBuilder() {
    }

    /**
     * The contents of a database.
     *
     * @param options    the options with which it is opened, in RocksDB's own notation
     * @param keys       number of keys
     * @param keyBytes   size of every key
     * @param valueBytes size of every value
     * @param families   over how many column families, besides the default column family, the keys are spread; if 0, the default column
     *                   family has all keys
     */
    public record Contents(String options, int keys, int keyBytes, int valueBytes, int families) {
        /** Builds the database in a separate process, so that the measured process begins with clean memory. */
        public void build(Database database) {
            new JavaProgram(DatabaseBuilder.class, database.jvmArgs(this)).run();
        }

        /** Returns the number of the column family that has a key; 0 is the default column family. */
        public int familyOf(long key) {
            return families == 0 ? 0 : 1 + (int) (key % families);
        }
    }

    /** The format of keys. */
    @FunctionalInterface
    public interface KeyFormat {
        /** Turns an array into the key of an index. */
        void set(byte[] key, long index);
    }

    public static void main(String[] args) {
        Contents contents = Settings.current(Contents.class);
        build(contents, new Options().set(contents.options), Keys.first(contents.keyBytes), Keys::set);
    }

    /** Builds the database of this JVM; {@code key} is any key, and {@code format} sets its index. */
    public static void build(Contents contents, Options options, byte[] key, KeyFormat format) {
        byte[] value = new byte[contents.valueBytes];
        Arrays.fill(value, VALUE);
        try (RocksDB db = RocksDB.open(Database.current().directory(), options)) {
            for (int i = 1; i <= contents.families; i++) {
                db.createColumnFamily("family" + i, options);
            }
            List<ColumnFamily> families = db.columnFamilies();
            WriteOptions writing = new WriteOptions().disableWAL(true);
            List<KeyValueWriter> writers = families.stream().map(family -> family.with(writing)).toList();
            for (int index = 0; index < contents.keys; index++) {
                format.set(key, index);
                // The first byte differs, so that a checksum tells the values apart.
                value[0] = (byte) index;
                value[value.length - 1] = (byte) (index >> 8);
                writers.get(contents.familyOf(index)).put(key, value);
            }
            families.forEach(ColumnFamily::flush);
            families.forEach(ColumnFamily::compact);
        }
    }
}
