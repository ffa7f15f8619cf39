package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Side;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Random keys into new arrays, one at a time or a hundred. */
final class ReadProgram implements Program {
    private static final int CALL_KEYS = 100;

    private final ProgramSetup setup;
    private @Nullable RocksDB db;

    ReadProgram(ProgramSetup setup) {
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
        return setup.is() == DropinOperation.MULTIGET ? many(from, operations) : one(from, operations);
    }

    private Side.Work one(RocksDB from, int operations) {
        RandomIndexes random = new RandomIndexes();
        byte[] key = Keys.first(ProgramSetup.KEY_BYTES);
        return seed -> {
            random.restart(seed);
            long sum = 0;
            for (int i = 0; i < operations; i++) {
                Keys.set(key, random.next(setup.keys()));
                sum += look(from.get(key));
            }
            return sum;
        };
    }

    private Side.Work many(RocksDB from, int operations) {
        RandomIndexes random = new RandomIndexes();
        List<byte[]> keys = new ArrayList<>();
        for (int i = 0; i < CALL_KEYS; i++) {
            keys.add(Keys.first(ProgramSetup.KEY_BYTES));
        }
        return seed -> {
            random.restart(seed);
            long sum = 0;
            for (int i = 0; i < operations; i++) {
                for (byte[] each : keys) {
                    Keys.set(each, random.next(setup.keys()));
                }
                for (byte[] value : from.multiGetAsList(keys)) {
                    sum += look(value);
                }
            }
            return sum;
        };
    }

    static long look(byte[] value) {
        return (long) value.length + value[0] + value[value.length - 1];
    }
}
