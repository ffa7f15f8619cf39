package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Reads key and value of entries in order, each into a new array. */
final class Scans implements Program {
    private final Setup setup;
    private final RocksDB db;
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] key = Keys.first(Setup.KEY_BYTES);
    private final int entries;

    Scans(Setup setup) throws RocksDBException {
        this.setup = setup;
        this.db = Databases.filled(setup);
        this.entries = switch (setup.is()) {
            case RANGE -> 20;
            case RANGE_OF_100 -> 100;
            default -> Integer.MAX_VALUE;
        };
    }

    @Override
    public void renew() {
    }

    @Override
    public long run(long seed) throws RocksDBException {
        random.restart(seed);
        return entries == Integer.MAX_VALUE ? scan() : ranges();
    }

    private long scan() throws RocksDBException {
        long sum = 0;
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                sum += PointReads.look(iterator.key()) + PointReads.look(iterator.value());
            }
            iterator.status();
        }
        return sum;
    }

    private long ranges() throws RocksDBException {
        long sum = 0;
        for (int i = 0; i < setup.operations(); i++) {
            Keys.set(key, random.next(setup.keys() - entries));
            try (RocksIterator iterator = db.newIterator()) {
                iterator.seek(key);
                for (int entry = 0; entry < entries && iterator.isValid(); entry++) {
                    sum += PointReads.look(iterator.key()) + PointReads.look(iterator.value());
                    iterator.next();
                }
                iterator.status();
            }
        }
        return sum;
    }
}
