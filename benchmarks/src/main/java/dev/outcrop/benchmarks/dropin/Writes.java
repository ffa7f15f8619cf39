package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Keys;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Ascending keys, as in the suite {@code paired}: one at a time, or in batches that are built anew each time. */
final class Writes implements Program {
    static {
        // The published options do not load it.
        RocksDB.loadLibrary();
    }

    private final Setup setup;
    private final byte[] key = Keys.first(Setup.KEY_BYTES);
    private final byte[] value;
    private final WriteOptions options = new WriteOptions().setDisableWAL(true);
    private final int records;
    private @Nullable RocksDB db;
    private long next;

    Writes(Setup setup) {
        this.setup = setup;
        this.value = new byte[setup.valueBytes()];
        Arrays.fill(value, (byte) 'v');
        this.records = switch (setup.is()) {
            case BATCH_OF_10 -> 10;
            case BATCH_OF_100 -> 100;
            case BATCH_OF_1000 -> 1000;
            default -> 1;
        };
    }

    @Override
    public void renew() throws RocksDBException {
        if (db != null) {
            db.close();
        }
        db = Databases.empty(setup);
        next = 0;
    }

    @Override
    public long run(long seed) throws RocksDBException {
        RocksDB to = java.util.Objects.requireNonNull(db);
        for (int i = 0; i < setup.operations(); i++) {
            if (records == 1) {
                Keys.set(key, next++);
                to.put(options, key, value);
            } else {
                batch(to);
            }
        }
        return setup.operations();
    }

    private void batch(RocksDB to) throws RocksDBException {
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < records; i++) {
                Keys.set(key, next++);
                batch.put(key, value);
            }
            to.write(options, batch);
        }
    }
}
