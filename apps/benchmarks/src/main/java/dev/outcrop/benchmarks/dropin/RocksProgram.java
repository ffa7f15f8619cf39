package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.EngineOptions;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.RocksJavaDatabase;
import dev.outcrop.benchmarks.harness.Side;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Reads random keys and entries in order, each into new arrays, or writes ascending keys without a log. */
final class RocksProgram implements DropinProgram {
    private static final int CALL_KEYS = 100;
    /** The last byte of a key that is not padding. */
    private static final int LAST = Long.BYTES - 1;

    static {
        // The published options do not load the library.
        RocksDB.loadLibrary();
    }

    private final DropinCase.DropinWorkload workload = DropinCase.DropinWorkload.current();
    private final Path directory;
    private final byte[] value = workload.value();
    private final WriteOptions writing = new WriteOptions().setDisableWAL(true);
    private @Nullable RocksDB db;

    RocksProgram(Path directory) {
        this.directory = directory;
    }

    @Override
    public long open(long lent) throws RocksDBException, IOException {
        if (lent != NOT_LENT) {
            db = RocksJavaDatabase.borrow(lent);
            return lent;
        }
        if (db != null) {
            db.close();
        }
        Directories.delete(directory);
        Files.createDirectories(directory);
        RocksDB opened = workload.operation().isWriting()
                ? RocksJavaDatabase.open(directory, EngineOptions.WRITING, _ -> {
                })
                : filled();
        db = opened;
        // C can use only our handle.
        return workload.operation().limit() == null ? NOT_LENT : opened.getNativeHandle();
    }

    /** Returns a database with all keys, with different values, in sorted files and in the block cache. */
    @SuppressWarnings("resource") // open until the process ends
    private RocksDB filled() throws RocksDBException {
        RocksDB filled = RocksJavaDatabase.open(directory, EngineOptions.READING, options -> {
            if (workload.operation() == DropinOperation.COMPARATOR) {
                options.setComparator(new Bytewise());
            }
        });
        byte[] key = Keys.first(DropinCase.KEY_BYTES);
        for (int i = 0; i < workload.keys(); i++) {
            Keys.set(key, i);
            value[0] = (byte) i;
            value[value.length - 1] = (byte) (i >> 8);
            filled.put(writing, key, value);
        }
        filled.compactRange();
        return filled;
    }

    @Override
    public Side.Work work(int operations) {
        RandomIndexes random = new RandomIndexes();
        byte[] key = Keys.first(DropinCase.KEY_BYTES);
        List<byte[]> keys = Stream.generate(() -> Keys.first(DropinCase.KEY_BYTES)).limit(CALL_KEYS).toList();
        int records = workload.operation().records();
        return switch (workload.operation()) {
            case MULTIGET -> seed -> many(random, seed, keys, operations);
            case SCAN -> _ -> scan();
            case RANGE_OF_20, RANGE_OF_100 -> seed -> ranges(random, seed, key, operations, records);
            case PUT -> first -> put(key, first, operations);
            case BATCH_OF_10, BATCH_OF_100, BATCH_OF_1000 -> first -> write(key, first, operations, records);
            default -> seed -> one(random, seed, key, operations);
        };
    }

    private long one(RandomIndexes random, long seed, byte[] key, int operations) throws RocksDBException {
        RocksDB from = Objects.requireNonNull(db);
        random.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(key, random.next(workload.keys()));
            sum += look(from.get(key));
        }
        return sum;
    }

    private long many(RandomIndexes random, long seed, List<byte[]> keys, int operations) throws RocksDBException {
        RocksDB from = Objects.requireNonNull(db);
        random.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            for (byte[] each : keys) {
                Keys.set(each, random.next(workload.keys()));
            }
            for (byte[] found : from.multiGetAsList(keys)) {
                sum += look(found);
            }
        }
        return sum;
    }

    private long scan() throws RocksDBException {
        long sum = 0;
        try (RocksIterator iterator = Objects.requireNonNull(db).newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                sum += look(iterator);
            }
            iterator.status();
        }
        return sum;
    }

    private long ranges(RandomIndexes random, long seed, byte[] key, int operations, int entries)
            throws RocksDBException {
        RocksDB from = Objects.requireNonNull(db);
        random.restart(seed);
        long sum = 0;
        for (int i = 0; i < operations; i++) {
            Keys.set(key, random.next(workload.keys() - entries));
            try (RocksIterator iterator = from.newIterator()) {
                int seen = 0;
                for (iterator.seek(key); seen < entries && iterator.isValid(); iterator.next()) {
                    sum += look(iterator);
                    seen++;
                }
                iterator.status();
            }
        }
        return sum;
    }

    private static long look(RocksIterator iterator) {
        return iterator.key()[LAST] + look(iterator.value());
    }

    private static long look(byte[] found) {
        return (long) found.length + found[0] + found[found.length - 1];
    }

    private long put(byte[] key, long first, int operations) throws RocksDBException {
        RocksDB to = Objects.requireNonNull(db);
        for (int i = 0; i < operations; i++) {
            Keys.set(key, first + i);
            to.put(writing, key, value);
        }
        return operations;
    }

    /** Writes batches. Each batch is a new object. */
    private long write(byte[] key, long first, int operations, int records) throws RocksDBException {
        RocksDB to = Objects.requireNonNull(db);
        long next = first;
        for (int i = 0; i < operations; i++) {
            try (WriteBatch batch = new WriteBatch()) {
                for (int record = 0; record < records; record++) {
                    Keys.set(key, next++);
                    batch.put(key, value);
                }
                to.write(writing, batch);
            }
        }
        return next - first;
    }

    /** RocksDB's own order. */
    private static final class Bytewise extends AbstractComparator {
        Bytewise() {
            super(new ComparatorOptions());
        }

        @Override
        public String name() {
            return "dev.outcrop.benchmarks.dropin.Bytewise";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            int mismatch = a.mismatch(b);
            if (mismatch < 0) {
                return 0;
            }
            return mismatch == a.remaining() || mismatch == b.remaining()
                    ? a.remaining() - b.remaining()
                    : Byte.compareUnsigned(a.get(a.position() + mismatch), b.get(b.position() + mismatch));
        }
    }
}
