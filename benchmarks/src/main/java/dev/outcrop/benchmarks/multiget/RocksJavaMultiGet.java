package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.harness.BenchmarkException;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RocksJavaOptions;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Reads of many keys by rocksdbjni, in each of its forms. */
@State(Scope.Thread)
public class RocksJavaMultiGet {
    private final MultiGetWorkload workload = MultiGetWorkload.current();
    private final KeyBatch batch = new KeyBatch(workload);
    private final RocksJavaOptions options = new RocksJavaOptions(EngineOptions.READING);
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
     * @throws BenchmarkException if the database cannot be opened, or if this JVM has loaded another engine
     */
    public RocksJavaMultiGet() {
        List<ColumnFamilyDescriptor> descriptors = workload.families().stream()
                .map(name -> new ColumnFamilyDescriptor(name.getBytes(StandardCharsets.UTF_8), options.columnFamily()))
                .toList();
        String directory = workload.database().directory().toString();
        try {
            database = RocksDB.open(options.database(), directory, descriptors, families);
        } catch (RocksDBException e) {
            throw new BenchmarkException("rocksdbjni cannot open " + directory + ": " + e.getMessage(), e);
        }
        workload.database().requireOnlyEngine();
        for (int i = 0; i < MultiGetWorkload.CALL_KEYS; i++) {
            byte[] key = Keys.first(MultiGetWorkload.KEY_BYTES);
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
        options.close();
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
            Keys.set(keys.get(i), batch.index(i));
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
}
