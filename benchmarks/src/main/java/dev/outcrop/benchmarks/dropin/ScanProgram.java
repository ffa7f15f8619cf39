package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Side;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Reads key and value of entries in order, each into a new array. */
final class ScanProgram implements Program {
    /** The last byte of a key that is not padding. */
    private static final int LAST = Long.BYTES - 1;

    private final ProgramSetup setup;
    private @Nullable RocksDB db;

    ScanProgram(ProgramSetup setup) {
        this.setup = setup;
    }

    @Override
    public long open(long lent) throws RocksDBException {
        db = Databases.filled(setup, lent);
        return Databases.lend(setup, db, lent);
    }

    @Override
    public Side.Work work(int operations) {
        RocksDB from = Objects.requireNonNull(db);
        int entries = setup.is().records();
        if (setup.is() == DropinOperation.SCAN) {
            return seed -> scan(from);
        }
        RandomIndexes random = new RandomIndexes();
        byte[] key = Keys.first(ProgramSetup.KEY_BYTES);
        return seed -> {
            random.restart(seed);
            long sum = 0;
            for (int i = 0; i < operations; i++) {
                Keys.set(key, random.next(setup.keys() - entries));
                sum += range(from, key, entries);
            }
            return sum;
        };
    }

    private static long scan(RocksDB from) throws RocksDBException {
        long sum = 0;
        try (RocksIterator iterator = from.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                sum += look(iterator);
            }
            iterator.status();
        }
        return sum;
    }

    private static long range(RocksDB from, byte[] key, int entries) throws RocksDBException {
        long sum = 0;
        try (RocksIterator iterator = from.newIterator()) {
            int seen = 0;
            for (iterator.seek(key); seen < entries && iterator.isValid(); iterator.next()) {
                sum += look(iterator);
                seen++;
            }
            iterator.status();
        }
        return sum;
    }

    private static long look(RocksIterator iterator) {
        return iterator.key()[LAST] + ReadProgram.look(iterator.value());
    }
}
