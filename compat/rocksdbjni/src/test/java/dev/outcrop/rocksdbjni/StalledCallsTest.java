package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.RepeatedCall;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactionStyle;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.OptionsUtil;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** Writes and flushes that wait for a compaction continue when their database is closed. No compaction comes in these databases. */
@Tag("verify")
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StalledCallsTest extends DatabaseTest {
    private static final int PAUSE_MILLIS = 10;
    private static final int BYTES = 1000;

    private final List<ColumnFamilyHandle> families = new ArrayList<>();

    /** The kind of database; the last one is used through its base. */
    enum Kind {
        PLAIN,
        LOCKING,
        OPTIMISTIC
    }

    /** The calls that are repeated. A flush follows a write. */
    enum Call {
        WRITE,
        FLUSH,
        FLUSH_OF_FAMILIES
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, WRITE, true", "PLAIN, WRITE, false", "PLAIN, FLUSH, true", "PLAIN, FLUSH, false",
            "PLAIN, FLUSH_OF_FAMILIES, true", "PLAIN, FLUSH_OF_FAMILIES, false", "LOCKING, WRITE, true",
            "LOCKING, FLUSH, false", "OPTIMISTIC, WRITE, false", "OPTIMISTIC, FLUSH, true"})
    void callsContinue(Kind kind, Call call, boolean isLogged) throws Exception {
        RocksDB db = open(kind);
        RocksDB used = db instanceof OptimisticTransactionDB optimistic ? optimistic.getBaseDB() : db;
        RepeatedCall calls = repeat(used, isLogged, call);
        if (call == Call.WRITE) {
            awaitStop(db);
        } else {
            // Level 0 has two files then.
            calls.await(3, "_flush_cf");
        }
        db.close();
        assertThat(calls.awaitFailure()).hasMessageContaining("closed");
        requireAll(kind, calls.done());
    }

    /** Closing flushes unlogged data, and this flush would wait too. */
    @Test
    void unloggedDataIsFlushedAtTheEnd() throws RocksDBException {
        try (WriteOptions unlogged = new WriteOptions().setDisableWAL(true); FlushOptions flush = new FlushOptions()) {
            RocksDB db = open(Kind.PLAIN);
            for (int i = 0; i < 3; i++) {
                db.put(families.get(1), unlogged, b("key" + i), new byte[BYTES]);
                if (i < 2) {
                    db.flush(flush, families.get(1));
                }
            }
            db.close();
        }
        requireAll(Kind.PLAIN, 3);
    }

    /** Closing frees the families of the base before the others. */
    @Test
    void aFullFamilyOfTheBaseIsClosed() throws RocksDBException {
        try (OptimisticTransactionDB db = (OptimisticTransactionDB) open(Kind.OPTIMISTIC);
                WriteOptions unlogged = new WriteOptions().setDisableWAL(true);
                FlushOptions flush = new FlushOptions()) {
            RocksDB base = db.getBaseDB();
            ColumnFamilyHandle full = base.createColumnFamily(new ColumnFamilyDescriptor(b("full"), stalling()));
            for (int i = 0; i < 3; i++) {
                base.put(full, unlogged, b("key" + i), new byte[BYTES]);
                if (i < 2) {
                    base.flush(flush, full);
                }
            }
        }
    }

    private RocksDB open(Kind kind) throws RocksDBException {
        families.clear();
        ColumnFamilyOptions stalling = stalling();
        List<ColumnFamilyDescriptor> described = List.of(
                new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, stalling),
                new ColumnFamilyDescriptor(b("other"), stalling));
        DBOptions options = closeLater(
                new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true));
        return switch (kind) {
            case PLAIN -> RocksDB.open(options, path(), described, families);
            case LOCKING -> TransactionDB.open(options, closeLater(new TransactionDBOptions()), path(), described,
                    families);
            case OPTIMISTIC -> OptimisticTransactionDB.open(options, path(), described, families);
        };
    }

    private ColumnFamilyOptions stalling() {
        return closeLater(new ColumnFamilyOptions().setCompactionStyle(CompactionStyle.NONE)
                .setWriteBufferSize(1 << 16).setLevel0FileNumCompactionTrigger(2).setLevel0SlowdownWritesTrigger(3)
                .setLevel0StopWritesTrigger(3));
    }

    private static void awaitStop(RocksDB db) throws Exception {
        while (db.getLongProperty("rocksdb.is-write-stopped") == 0) {
            Thread.sleep(PAUSE_MILLIS);
        }
        // Until the next write waits.
        Thread.sleep(PAUSE_MILLIS);
    }

    private void requireAll(Kind kind, int written) throws RocksDBException {
        List<ColumnFamilyDescriptor> stored = new ArrayList<>();
        try (ConfigOptions config = new ConfigOptions(); DBOptions options = new DBOptions()) {
            OptionsUtil.loadLatestOptions(config, path(), options, stored);
        }
        assertThat(stored).hasSize(2).allSatisfy(
                family -> assertThat(closeLater(family.getOptions()).disableAutoCompactions()).isFalse());
        try (RocksDB again = open(kind)) {
            for (int i = 0; i < written; i++) {
                assertThat(again.get(families.get(1), b("key" + i))).as("key" + i).hasSize(BYTES);
            }
        }
    }

    /** Writes, and perhaps flushes each write, until it is refused. */
    private RepeatedCall repeat(RocksDB db, boolean isLogged, Call call) {
        ColumnFamilyHandle family = families.get(1);
        WriteOptions options = closeLater(new WriteOptions().setDisableWAL(!isLogged));
        FlushOptions flush = closeLater(new FlushOptions());
        return new RepeatedCall(done -> {
            db.put(family, options, b("key" + done.get()), new byte[BYTES]);
            done.incrementAndGet();
            switch (call) {
                case WRITE -> {
                }
                case FLUSH -> db.flush(flush, family);
                case FLUSH_OF_FAMILIES -> db.flush(flush, List.of(family, family));
            }
        });
    }
}
