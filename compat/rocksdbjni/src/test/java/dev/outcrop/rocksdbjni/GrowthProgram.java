package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactionOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.CompressionOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.DirectSlice;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RateLimiter;
import org.rocksdb.ReadOptions;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Statistics;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TransactionOptions;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.BytewiseComparator;

/** Makes and closes many objects of each kind, and prints how many bytes of the C library's memory each has left behind. */
final class GrowthProgram {
    /** The struct of ten sizes that {@code mallinfo2} returns, and the index of the bytes that are in use. */
    private static final MemoryLayout SIZES = MemoryLayout.structLayout(
            MemoryLayout.sequenceLayout(10, ValueLayout.JAVA_LONG));
    private static final int IN_USE = 7;

    private static final byte[] KEY = "key".getBytes(UTF_8);

    private final Map<String, Life> lives = new TreeMap<>();

    /** The life of an object. */
    private interface Life {
        void live() throws RocksDBException;
    }

    /** Makes an object. */
    private interface Maker {
        AutoCloseable make() throws RocksDBException;
    }

    private void closed(String name, Maker maker) {
        lives.put(name, () -> {
            try (AutoCloseable made = maker.make()) {
                Objects.requireNonNull(made);
            } catch (RocksDBException e) {
                throw e;
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
    }

    private GrowthProgram(Path directory, TransactionDB db, Options options, WriteOptions writes, ReadOptions reads,
            EnvOptions environment, ComparatorOptions comparing) {
        closed("Options", Options::new);
        closed("DBOptions", DBOptions::new);
        closed("ColumnFamilyOptions", ColumnFamilyOptions::new);
        closed("Options copied", () -> new Options(options));
        closed("ReadOptions", () -> new ReadOptions().setIterateUpperBound(null).setReadaheadSize(1));
        closed("WriteOptions", WriteOptions::new);
        closed("FlushOptions", FlushOptions::new);
        closed("CompactRangeOptions", CompactRangeOptions::new);
        closed("CompactionOptions", CompactionOptions::new);
        closed("CompressionOptions", CompressionOptions::new);
        closed("EnvOptions", EnvOptions::new);
        closed("IngestExternalFileOptions", IngestExternalFileOptions::new);
        closed("BackupEngineOptions", () -> new BackupEngineOptions(directory.toString()));
        closed("TransactionOptions", TransactionOptions::new);
        closed("TransactionDBOptions", TransactionDBOptions::new);
        closed("Slice", () -> new Slice(KEY));
        closed("DirectSlice", () -> new DirectSlice(ByteBuffer.allocateDirect(8), 8));
        closed("WriteBatch", WriteBatch::new);
        lives.put("WriteBatch forgotten", () -> new WriteBatch().put(KEY, KEY));
        closed("WriteBatchWithIndex", () -> {
            WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
            batch.put(KEY, KEY);
            return batch;
        });
        closed("LRUCache", () -> new LRUCache(1000, 0));
        closed("BloomFilter", BloomFilter::new);
        closed("RateLimiter", () -> new RateLimiter(1 << 20));
        closed("Statistics", Statistics::new);
        closed("StringAppendOperator", StringAppendOperator::new);
        closed("RemoveEmptyValueCompactionFilter", RemoveEmptyValueCompactionFilter::new);
        closed("comparator", () -> new BytewiseComparator(comparing));
        closed("SstFileWriter", () -> new SstFileWriter(environment, options));
        addOfDatabase(db, writes, reads);
    }

    private void addOfDatabase(TransactionDB db, WriteOptions writes, ReadOptions reads) {
        closed("RocksIterator", () -> {
            RocksIterator iterator = db.newIterator(reads);
            iterator.seekToFirst();
            return iterator;
        });
        lives.put("Snapshot", () -> db.releaseSnapshot(db.getSnapshot()));
        closed("Checkpoint", () -> Checkpoint.create(db));
        closed("Transaction", () -> {
            Transaction transaction = db.beginTransaction(writes);
            transaction.put(KEY, KEY);
            return transaction;
        });
        lives.put("iterator of a batch", () -> {
            try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
                batch.put(KEY, KEY);
                try (RocksIterator iterator = batch.newIteratorWithBase(db.newIterator(reads))) {
                    iterator.seekToFirst();
                }
            }
        });
    }

    static void main(String[] arguments) throws Throwable {
        int objects = Integer.parseInt(arguments[1]);
        Path directory = Path.of(arguments[0]);
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                TransactionDB db = TransactionDB.open(options, locking, directory.resolve("db").toString());
                WriteOptions writes = new WriteOptions();
                ReadOptions reads = new ReadOptions();
                EnvOptions environment = new EnvOptions();
                ComparatorOptions comparing = new ComparatorOptions()) {
            GrowthProgram program = new GrowthProgram(directory, db, options, writes, reads, environment, comparing);
            for (Map.Entry<String, Life> each : program.lives.entrySet()) {
                repeat(each.getValue(), Math.min(objects, 3000));
                long before = settledBytes();
                repeat(each.getValue(), objects);
                System.out.println((settledBytes() - before) + "\t" + each.getKey());
            }
        }
    }

    private static void repeat(Life life, int times) throws RocksDBException {
        for (int i = 0; i < times; i++) {
            life.live();
        }
    }

    /** Returns the bytes in use when the collector has freed what is freed with objects of Java. */
    private static long settledBytes() throws Throwable {
        long least = Long.MAX_VALUE;
        for (int unchanged = 0; unchanged < 3; unchanged++) {
            System.gc();
            Thread.sleep(20);
            long now = bytesInUse();
            if (now < least - 4096) {
                unchanged = 0;
            }
            least = Math.min(least, now);
        }
        return least;
    }

    @SuppressWarnings("restricted") // it is started with native access
    private static long bytesInUse() throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle information = linker.downcallHandle(linker.defaultLookup().findOrThrow("mallinfo2"),
                FunctionDescriptor.of(SIZES));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment sizes = (MemorySegment) information.invokeExact((SegmentAllocator) arena);
            return sizes.getAtIndex(ValueLayout.JAVA_LONG, IN_USE);
        }
    }
}
