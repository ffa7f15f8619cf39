package dev.outcrop.benchmarks.lmdb;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Side;
import dev.outcrop.benchmarks.lmdb.LmdbCase.LmdbWorkload;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import org.lmdbjava.ByteBufferProxy;
import org.lmdbjava.Cursor;
import org.lmdbjava.Dbi;
import org.lmdbjava.DbiFlags;
import org.lmdbjava.Env;
import org.lmdbjava.EnvFlags;
import org.lmdbjava.PutFlags;
import org.lmdbjava.Txn;

/** LMDB with the same records that {@code DatabaseBuilder} has put into RocksDB. It is open until the process ends. */
final class LmdbSides {
    /** The bytes that a record takes besides its key and value, with half-empty pages. Large values take whole pages. */
    private static final long OVERHEAD = 8192;
    private static final byte VALUE = 'v';
    private static final int LAST = Long.BYTES - 1;

    private final LmdbWorkload workload;
    private final Env<ByteBuffer> store;
    private final Dbi<ByteBuffer> records;
    private final Txn<ByteBuffer> kept;
    private final Txn<ByteBuffer> renewed;
    private final Cursor<ByteBuffer> cursor;
    private final RandomIndexes random = new RandomIndexes();
    private final ByteBuffer key = Keys.inBuffer(Keys.first(LmdbCase.KEY_BYTES));

    /** Makes the store. */
    LmdbSides(LmdbWorkload workload) {
        this.workload = workload;
        int valueBytes = workload.lmdb().valueBytes();
        // The file is sparse. It is not synced while it is filled, and it is in memory when it is read.
        store = Env.create(ByteBufferProxy.PROXY_OPTIMAL)
                .setMapSize(workload.keys() * (valueBytes + LmdbCase.KEY_BYTES + OVERHEAD))
                .open(workload.store().toFile(), EnvFlags.MDB_NOSYNC, EnvFlags.MDB_NOTLS);
        records = store.openDbi((String) null, DbiFlags.MDB_CREATE);
        ByteBuffer value = ByteBuffer.allocateDirect(valueBytes);
        for (int i = 0; i < valueBytes; i++) {
            value.put(i, VALUE);
        }
        try (Txn<ByteBuffer> writing = store.txnWrite()) {
            for (int index = 0; index < workload.keys(); index++) {
                value.put(0, (byte) index).put(valueBytes - 1, (byte) (index >> 8));
                records.put(writing, Keys.set(key, index), value.clear(), PutFlags.MDB_APPEND);
            }
            writing.commit();
        }
        kept = store.txnRead();
        renewed = store.txnRead();
        cursor = records.openCursor(kept);
    }

    List<Side> all() {
        return workload.lmdb().isScan()
                ? List.of(new Side(LmdbCase.CURSOR, List.of(_ -> scan())))
                : List.of(new Side(LmdbCase.KEPT, List.of(this::read)),
                        new Side(LmdbCase.RENEWED, List.of(this::readLatest)));
    }

    private long read(long seed) {
        random.restart(seed);
        long sum = 0;
        for (int i = 0; i < workload.operations(); i++) {
            sum += look(Objects.requireNonNull(records.get(kept, Keys.set(key, random.next(workload.keys())))));
        }
        return sum;
    }

    private long readLatest(long seed) {
        random.restart(seed);
        long sum = 0;
        for (int i = 0; i < workload.operations(); i++) {
            renewed.reset();
            renewed.renew();
            sum += look(Objects.requireNonNull(records.get(renewed, Keys.set(key, random.next(workload.keys())))));
        }
        return sum;
    }

    private long scan() {
        long sum = 0;
        for (boolean is = cursor.first(); is; is = cursor.next()) {
            sum += cursor.key().get(LAST) + look(cursor.val());
        }
        return sum;
    }

    private static long look(ByteBuffer found) {
        int size = found.remaining();
        return (long) size + found.get(found.position()) + found.get(found.limit() - 1);
    }
}
