package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.Side;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** Ascending keys without a log: one at a time, or in batches that are made anew each time. */
final class WriteProgram implements Program {
    static {
        // The published options do not load it.
        RocksDB.loadLibrary();
    }

    private final ProgramSetup setup;
    private final byte[] value;
    private final WriteOptions options = new WriteOptions().setDisableWAL(true);
    private @Nullable RocksDB db;

    WriteProgram(ProgramSetup setup) {
        this.setup = setup;
        this.value = new byte[setup.valueBytes()];
        Arrays.fill(value, (byte) 'v');
    }

    @Override
    public long open(long lent) throws RocksDBException {
        if (db != null && lent == NOT_LENT) {
            db.close();
        }
        db = Databases.empty(setup, lent);
        return Databases.lend(setup, db, lent);
    }

    @Override
    public Side.Work work(int operations) {
        byte[] key = Keys.first(ProgramSetup.KEY_BYTES);
        int records = setup.is().records();
        return setup.is() == DropinOperation.PUT
                ? first -> put(key, first, operations)
                : first -> write(key, first, operations, records);
    }

    private long put(byte[] key, long first, int operations) throws RocksDBException {
        RocksDB to = Objects.requireNonNull(db);
        for (int i = 0; i < operations; i++) {
            Keys.set(key, first + i);
            to.put(options, key, value);
        }
        return operations;
    }

    private long write(byte[] key, long first, int operations, int records) throws RocksDBException {
        RocksDB to = Objects.requireNonNull(db);
        long next = first;
        for (int i = 0; i < operations; i++) {
            try (WriteBatch batch = new WriteBatch()) {
                for (int record = 0; record < records; record++) {
                    Keys.set(key, next++);
                    batch.put(key, value);
                }
                to.write(options, batch);
            }
        }
        return next - first;
    }
}
