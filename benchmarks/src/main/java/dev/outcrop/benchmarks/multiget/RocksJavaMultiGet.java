package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.get.Engine;
import dev.outcrop.benchmarks.get.EngineOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads of many keys by rocksdbjni, in each of its forms. */
@State(Scope.Thread)
public class RocksJavaMultiGet {
    static {
        RocksDB.loadLibrary();
    }

    private final MultiGetWorkload workload = MultiGetWorkload.current();
    private final KeyBatch batch = new KeyBatch(workload);
    private final DBOptions databaseOptions = DBOptions.getDBOptionsFromProps(properties(EngineOptions.DATABASE));
    private final ColumnFamilyOptions familyOptions = ColumnFamilyOptions
            .getColumnFamilyOptionsFromProps(properties(EngineOptions.COLUMN_FAMILY));
    private final ReadOptions readOptions = new ReadOptions();
    private final List<ColumnFamilyHandle> families = new ArrayList<>();
    private final List<ColumnFamilyHandle> familyOfKey = new ArrayList<>();
    private final List<byte[]> keys = new ArrayList<>();
    private final List<ByteBuffer> directKeys = new ArrayList<>();
    private final List<ByteBuffer> directValues = new ArrayList<>();
    private final RocksDB database;

    /**
     * Opens the database and allocates what is reused.
     *
     * @throws RocksDBException if the database cannot be opened
     */
    public RocksJavaMultiGet() throws RocksDBException {
        List<ColumnFamilyDescriptor> descriptors = workload.families().stream()
                .map(name -> new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), familyOptions)).toList();
        database = RocksDB.open(databaseOptions, workload.database().toString(), descriptors, families);
        Engine.requireOnly(workload.engine());
        for (int i = 0; i < MultiGetWorkload.CALL_KEYS; i++) {
            byte[] key = KeyBatch.firstKey();
            keys.add(key);
            directKeys.add(ByteBuffer.allocateDirect(key.length).put(0, key));
            directValues.add(ByteBuffer.allocateDirect(workload.shape().valueBytes()));
            familyOfKey.add(families.getFirst());
        }
    }

    /**
     * Brings everything that may be read into the cache.
     *
     * @throws RocksDBException if a read fails
     */
    @Setup
    public void warm() throws RocksDBException {
        for (int first = 0; first < workload.keys(); first += MultiGetWorkload.CALL_KEYS) {
            batch.from(first);
            readList();
        }
    }

    /** Closes everything. */
    @TearDown
    public void close() {
        families.forEach(ColumnFamilyHandle::close);
        database.close();
        readOptions.close();
        familyOptions.close();
        databaseOptions.close();
    }

    /**
     * Into new arrays.
     *
     * @return what was looked at
     * @throws RocksDBException if a read fails
     */
    @Benchmark
    public long list() throws RocksDBException {
        batch.next();
        return readList();
    }

    /**
     * Into direct buffers that are kept.
     *
     * @return what was looked at
     * @throws RocksDBException if a read fails
     */
    @Benchmark
    public long direct() throws RocksDBException {
        batch.next();
        for (int i = 0; i < directKeys.size(); i++) {
            directKeys.get(i).clear().putLong(0, batch.index(i));
            directValues.get(i).clear();
        }
        List<ByteBufferGetStatus> found = database.multiGetByteBuffers(readOptions, familiesOfKeys(), directKeys,
                directValues);
        long sum = 0;
        for (ByteBufferGetStatus each : found) {
            ByteBuffer value = each.value;
            int size = (int) workload.checked(each.requiredSize);
            sum += (long) size + value.get(0) + value.get(size - 1);
        }
        return sum;
    }

    private long readList() throws RocksDBException {
        for (int i = 0; i < keys.size(); i++) {
            ByteBuffer.wrap(keys.get(i)).putLong(batch.index(i));
        }
        List<byte[]> found = workload.shape().families() == 0
                ? database.multiGetAsList(readOptions, keys)
                : database.multiGetAsList(readOptions, familyForEachKey(), keys);
        long sum = 0;
        for (byte[] value : found) {
            int size = (int) workload.checked(value.length);
            sum += (long) size + value[0] + value[size - 1];
        }
        return sum;
    }

    /** One for all, where that is possible: it takes another path, which is faster. */
    private List<ColumnFamilyHandle> familiesOfKeys() {
        return workload.shape().isRandom() ? familyForEachKey() : List.of(families.get(batch.family(0)));
    }

    private List<ColumnFamilyHandle> familyForEachKey() {
        for (int i = 0; i < MultiGetWorkload.CALL_KEYS; i++) {
            familyOfKey.set(i, families.get(batch.family(i)));
        }
        return familyOfKey;
    }

    private static Properties properties(Map<String, String> options) {
        Properties properties = new Properties();
        properties.putAll(options);
        return properties;
    }
}
