package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import java.util.ArrayList;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Random keys into new arrays, one at a time or a hundred. */
final class PointReads implements Program {
    private static final int CALL_KEYS = 100;

    private final Setup setup;
    private final RocksDB db;
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] key = Keys.first(Setup.KEY_BYTES);
    private final List<byte[]> keys = new ArrayList<>();

    PointReads(Setup setup) throws RocksDBException {
        this.setup = setup;
        this.db = Databases.filled(setup);
        for (int i = 0; i < CALL_KEYS; i++) {
            keys.add(Keys.first(Setup.KEY_BYTES));
        }
    }

    @Override
    public void renew() {
    }

    @Override
    public long run(long seed) throws RocksDBException {
        random.restart(seed);
        long sum = 0;
        for (int i = 0; i < setup.operations(); i++) {
            sum += setup.is() == Operation.MULTIGET ? many() : one();
        }
        return sum;
    }

    private long one() throws RocksDBException {
        Keys.set(key, random.next(setup.keys()));
        return look(db.get(key));
    }

    private long many() throws RocksDBException {
        for (byte[] each : keys) {
            Keys.set(each, random.next(setup.keys()));
        }
        long sum = 0;
        for (byte[] value : db.multiGetAsList(keys)) {
            sum += look(value);
        }
        return sum;
    }

    static long look(byte[] value) {
        return (long) value.length + value[0] + value[value.length - 1];
    }
}
