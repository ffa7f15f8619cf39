package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.testsupport.misuse.NativeMemory;
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
    /** Memory that is kept for the next object. */
    private static final long KEPT = 1 << 20;
    private static final long SETTLED = 64 << 10;

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

    /** Returns how many bytes may be left behind. A leak would be some bytes an object at least. */
    static long limit(int objects) {
        return KEPT + 4L * objects;
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
                long growth = growth(each.getValue(), objects);
                // A leak grows each time. Memory that threads of the JVM and of RocksDB keep does not.
                for (int left = 3; left > 0 && growth > limit(objects); left--) {
                    growth = Math.min(growth, growth(each.getValue(), objects));
                }
                System.out.println(growth + "\t" + each.getKey());
            }
        }
    }

    private static long growth(Life life, int objects) throws RocksDBException, InterruptedException {
        repeat(life, Math.min(objects, 3000));
        long before = settled();
        repeat(life, objects);
        return settled() - before;
    }

    /** Waits until the memory in use stops falling, and returns its bytes. It takes a while to free many forgotten objects. */
    private static long settled() throws InterruptedException {
        long before = Long.MAX_VALUE;
        long now = NativeMemory.used(3, 20);
        while (now < before - SETTLED) {
            before = now;
            now = NativeMemory.used(3, 20);
        }
        return now;
    }

    private static void repeat(Life life, int times) throws RocksDBException {
        for (int i = 0; i < times; i++) {
            life.live();
        }
    }
}
