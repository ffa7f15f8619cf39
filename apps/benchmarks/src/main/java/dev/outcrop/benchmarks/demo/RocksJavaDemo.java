package dev.outcrop.benchmarks.demo;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteOptions;

/**
 * The demo's phases through {@code rocksdbjni}. Keys and values are direct buffers, the fastest form that rocksdbjni offers for put, get
 * and scan: one JNI call without an array, and one copy of the value. All buffers are made before the clock starts.
 */
final class RocksJavaDemo extends DemoSide {
    private final RocksDB db;
    private final ReadOptions readOptions = new ReadOptions();
    private final WriteOptions writeOptions = new WriteOptions();
    private final List<ByteBuffer> keys;
    private final List<ByteBuffer> values;
    private final ByteBuffer foundKey;
    private final ByteBuffer foundValue;

    RocksJavaDemo(Path database, String options, DemoRecords records) throws RocksDBException {
        super(records);
        this.db = open(database, options);
        this.keys = records.keys().stream().map(MemorySegment::asByteBuffer).toList();
        this.values = records.values().stream().map(MemorySegment::asByteBuffer).toList();
        this.foundKey = largest(keys);
        this.foundValue = largest(values);
    }

    private static ByteBuffer largest(List<ByteBuffer> of) {
        return ByteBuffer.allocateDirect(of.stream().mapToInt(ByteBuffer::capacity).max().orElse(0));
    }

    public static void main(String[] args) {
        main(args, (database, options, records) -> {
            RocksDB.loadLibrary();
            return new RocksJavaDemo(database, options, records);
        });
    }

    @Override
    long put(int index) throws RocksDBException {
        ByteBuffer key = keys.get(index).clear();
        ByteBuffer value = values.get(index).clear();
        long start = System.nanoTime();
        db.put(writeOptions, key, value);
        return System.nanoTime() - start;
    }

    @Override
    void flush() throws RocksDBException {
        try (FlushOptions options = new FlushOptions()) {
            db.flush(options);
        }
    }

    @Override
    long read(int index) throws RocksDBException {
        ByteBuffer key = keys.get(index).clear();
        ByteBuffer value = foundValue.clear();
        long start = System.nanoTime();
        int size = db.get(readOptions, key, value);
        long nanos = System.nanoTime() - start;
        compare(index, size == RocksDB.NOT_FOUND ? null : segment(foundValue, size));
        return nanos;
    }

    @Override
    void scanAll() throws RocksDBException {
        long start = System.nanoTime();
        try (RocksIterator iterator = db.newIterator(readOptions)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                int keySize = iterator.key(foundKey.clear());
                int valueSize = iterator.value(foundValue.clear());
                long readable = System.nanoTime();
                found(segment(foundKey, keySize), segment(foundValue, valueSize), readable - start);
                start = System.nanoTime();
            }
            iterator.status();
        }
    }

    /** Returns the part of a buffer that a read has filled. */
    private static MemorySegment segment(ByteBuffer buffer, int size) {
        return MemorySegment.ofBuffer(buffer.clear().limit(Math.min(size, buffer.capacity())));
    }

    /** Opens a new database with options in RocksDB's own notation. The engine parses them, as for our side. */
    private static RocksDB open(Path database, String options) throws RocksDBException {
        Properties properties = new Properties();
        for (String option : options.split(";", -1)) {
            String[] nameAndValue = option.split("=", 2);
            properties.setProperty(nameAndValue[0], nameAndValue[1]);
        }
        // There are two parsers. Each must skip the options that belong to the other.
        try (ConfigOptions config = new ConfigOptions().setIgnoreUnknownOptions(true);
                DBOptions dbOptions = DBOptions.getDBOptionsFromProps(config, properties);
                ColumnFamilyOptions tableOptions = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(config,
                        properties);
                Options all = new Options(dbOptions, tableOptions)) {
            return RocksDB.open(all, database.toString());
        }
    }

    @Override
    public void close() {
        readOptions.close();
        writeOptions.close();
        db.close();
    }
}
