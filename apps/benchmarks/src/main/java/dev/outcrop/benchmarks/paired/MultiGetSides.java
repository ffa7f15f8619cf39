package dev.outcrop.benchmarks.paired;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import dev.outcrop.benchmarks.harness.DatabaseBuilder;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.MultiGet;
import dev.outcrop.rocksdb.MultiGetValues;
import dev.outcrop.rocksdb.RocksDB;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;

/** Reads of many keys in one call. All sides look at the size, the first byte and the last byte of each value. */
final class MultiGetSides implements PairedSides {
    private final PairedWorkload workload;
    private final DatabaseBuilder.Contents contents;
    private final RandomIndexes random = new RandomIndexes();
    private final List<byte[]> keys = new ArrayList<>();

    private final List<ColumnFamily> families;
    private final MultiGet request;
    private final MemorySegment nativeKey;
    /** The memory for the values of a call. */
    private final MemorySegment slab;

    private final org.rocksdb.RocksDB rocksJava;
    private final List<ColumnFamilyHandle> handles;
    private final ReadOptions readOptions = new ReadOptions();
    private final List<ColumnFamilyHandle> handleOfKey = new ArrayList<>();
    private final List<ByteBuffer> directKeys = new ArrayList<>();
    private final List<ByteBuffer> directValues = new ArrayList<>();

    MultiGetSides(PairedWorkload workload, RocksDB db) {
        this.workload = workload;
        this.contents = workload.contents();
        families = db.columnFamilies();
        request = db.multiGet();
        rocksJava = NativeHandles.rocksJava(db);
        handles = families.stream().map(family -> NativeHandles.rocksJava(rocksJava, family)).toList();
        for (int i = 0; i < PairedWorkload.CALL_KEYS; i++) {
            byte[] key = Keys.first(workload.paired().keyBytes());
            keys.add(key);
            directKeys.add(Keys.inBuffer(key));
            directValues.add(ByteBuffer.allocateDirect(workload.paired().valueBytes()));
            handleOfKey.add(handles.getFirst());
        }
        nativeKey = Keys.inSegment(keys.getFirst());
        slab = Arena.global().allocate((long) PairedWorkload.CALL_KEYS * workload.paired().valueBytes());
    }

    @Override
    public List<Side> all() {
        return List.of(Side.ours("pinned", seed -> repeat(seed, this::pinned)),
                Side.ours("slab", seed -> repeat(seed, this::slab)),
                Side.ours("list", seed -> repeat(seed, this::list)),
                Side.peer("list", seed -> repeat(seed, this::peerList)),
                Side.peer("direct buffer", seed -> repeat(seed, this::peerDirect)));
    }

    private long repeat(long seed, Call call) throws RocksDBException {
        random.restart(seed);
        long sum = 0;
        for (int i = 0; i < workload.operations(); i++) {
            sum += call.read();
        }
        return sum;
    }

    private long pinned() {
        addKeys();
        try (MultiGetValues values = request.execute()) {
            return look(values);
        }
    }

    private long slab() {
        addKeys();
        try (MultiGetValues values = request.execute(slab)) {
            return look(values);
        }
    }

    private void addKeys() {
        request.clear();
        for (int i = 0; i < PairedWorkload.CALL_KEYS; i++) {
            long index = random.next(workload.keys());
            Keys.set(nativeKey, index);
            request.add(families.get(contents.familyOf(index)), nativeKey);
        }
    }

    private long list() {
        if (workload.paired().families() <= 1) {
            for (byte[] key : keys) {
                Keys.set(key, random.next(workload.keys()));
            }
            return look(families.get(workload.paired().families()).multiGet(keys));
        }
        request.clear();
        for (byte[] key : keys) {
            long index = random.next(workload.keys());
            Keys.set(key, index);
            request.add(families.get(contents.familyOf(index)), key);
        }
        try (MultiGetValues values = request.execute()) {
            return look(values.toList());
        }
    }

    private long peerList() throws RocksDBException {
        for (int i = 0; i < PairedWorkload.CALL_KEYS; i++) {
            long index = random.next(workload.keys());
            Keys.set(keys.get(i), index);
            handleOfKey.set(i, handles.get(contents.familyOf(index)));
        }
        List<byte[]> found = workload.paired().families() == 0
                ? rocksJava.multiGetAsList(readOptions, keys)
                : rocksJava.multiGetAsList(readOptions, handleOfKey, keys);
        long sum = 0;
        for (byte[] value : found) {
            sum += look(value);
        }
        return sum;
    }

    private long peerDirect() throws RocksDBException {
        for (int i = 0; i < PairedWorkload.CALL_KEYS; i++) {
            long index = random.next(workload.keys());
            directKeys.get(i).clear().putLong(0, index);
            directValues.get(i).clear();
            handleOfKey.set(i, handles.get(contents.familyOf(index)));
        }
        // One family for all keys, where that is possible, takes another and faster path.
        List<ByteBufferGetStatus> found = rocksJava.multiGetByteBuffers(readOptions,
                workload.paired().families() <= 1 ? handleOfKey.subList(0, 1) : handleOfKey, directKeys,
                directValues);
        long sum = 0;
        for (ByteBufferGetStatus each : found) {
            ByteBuffer value = each.value;
            int size = each.requiredSize;
            sum += (long) size + value.get(0) + value.get(size - 1);
        }
        return sum;
    }

    private static long look(MultiGetValues values) {
        long sum = 0;
        for (int i = 0; i < values.size(); i++) {
            long size = values.size(i);
            sum += size + values.get(i, JAVA_BYTE, 0) + values.get(i, JAVA_BYTE, size - 1);
        }
        return sum;
    }

    private static long look(List<byte @Nullable []> values) {
        long sum = 0;
        for (byte[] value : values) {
            sum += look(Objects.requireNonNull(value, "a key is missing"));
        }
        return sum;
    }

    private static long look(byte[] value) {
        int size = value.length;
        return (long) size + value[0] + value[size - 1];
    }

    /** A call for many keys. */
    @FunctionalInterface
    private interface Call {
        long read() throws RocksDBException;
    }
}
