package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.RepeatedCall;
import java.nio.file.Path;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes and flushes that wait for a compaction continue when their database is closed. No compaction comes in these databases. */
@Tag("verify")
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StalledCallsTest extends DatabaseTest {
    private static final int PAUSE_MILLIS = 10;
    private static final int BYTES = 1000;
    /** Bytes in a second. */
    private static final int SLOW = 20_000;

    /** The kind of database. */
    enum Kind {
        PLAIN {
            @Override
            RocksDB open(Path path, Options options) {
                return RocksDB.open(path, options, Map.of("other", options));
            }
        },
        LOCKING {
            @Override
            RocksDB open(Path path, Options options) {
                return TransactionDB.open(path, options, Map.of("other", options));
            }
        },
        OPTIMISTIC {
            @Override
            RocksDB open(Path path, Options options) {
                return OptimisticTransactionDB.open(path, options, Map.of("other", options));
            }
        };

        abstract RocksDB open(Path path, Options options);
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, true, false", "PLAIN, false, false", "PLAIN, true, true", "PLAIN, false, true",
            "LOCKING, true, false", "LOCKING, false, false", "LOCKING, true, true", "LOCKING, false, true",
            "OPTIMISTIC, true, false", "OPTIMISTIC, false, false", "OPTIMISTIC, true, true", "OPTIMISTIC, false, true"})
    void callsContinue(Kind kind, boolean isLogged, boolean flushes) throws Exception {
        RocksDB db = kind.open(directory, stalling());
        RepeatedCall calls = repeat(db.columnFamily("other"), isLogged, flushes);
        if (flushes) {
            // Level 0 has two files then.
            calls.await(3, "_flush_cf");
        } else {
            awaitStop(db);
        }
        db.close();
        assertThat(calls.awaitFailure()).isInstanceOf(IllegalStateException.class);
        requireAll(kind, calls.done(), "other");
    }

    /** RocksDB stops the writes to all families if one of them has too many files. */
    @Test
    void writesToAnotherFamilyContinue() throws Exception {
        RocksDB db = Kind.PLAIN.open(directory, stalling());
        RepeatedCall filling = repeat(db.defaultColumnFamily(), true, false);
        awaitStop(db);
        RepeatedCall other = repeat(db.columnFamily("other"), false, false);
        db.close();
        assertThat(filling.awaitFailure()).isInstanceOf(IllegalStateException.class);
        assertThat(other.awaitFailure()).isInstanceOf(IllegalStateException.class);
        requireAll(Kind.PLAIN, filling.done(), "default");
        requireAll(Kind.PLAIN, other.done(), "other");
    }

    /** Closing flushes unlogged data, and this flush would wait too. */
    @Test
    void unloggedDataIsFlushedAtTheEnd() {
        try (RocksDB db = RocksDB.open(directory, stalling())) {
            KeyValueWriter writer = db.defaultColumnFamily().with(new WriteOptions().disableWAL(true));
            for (int i = 0; i < 2; i++) {
                writer.put(Bytes.of("key" + i), VALUE);
                db.flush();
            }
            writer.put(KEY, VALUE);
        }
        try (RocksDB db = RocksDB.open(directory)) {
            assertThat(db.get(KEY)).isEqualTo(VALUE);
        }
    }

    @Test
    void aFamilyIsDroppedUnderAWrite() throws Exception {
        try (RocksDB db = Kind.PLAIN.open(directory, stalling())) {
            RepeatedCall calls = repeat(db.columnFamily("other"), true, false);
            awaitStop(db);
            db.dropColumnFamily(db.columnFamily("other"));
            assertThat(calls.awaitFailure()).isInstanceOf(IllegalStateException.class);
            assertThat(db.property("rocksdb.is-write-stopped")).isEqualTo("0");
            db.put(KEY, VALUE);
        }
        assertThat(compacts("default")).isTrue();
    }

    /** The flush of a full memtable adds a file before the last flush. */
    @Test
    void aMemtableIsBeingFlushedAtTheEnd() {
        int written = 0;
        try (RocksDB db = Kind.PLAIN.open(directory, stalling())) {
            ColumnFamily other = db.columnFamily("other");
            KeyValueWriter writer = other.with(new WriteOptions().disableWAL(true));
            writer.put(Bytes.of("key" + written++), new byte[BYTES]);
            other.flush();
            db.backgroundWork().pause();
            while (!"1".equals(other.property("rocksdb.num-immutable-mem-table"))) {
                writer.put(Bytes.of("key" + written++), new byte[BYTES]);
            }
            writer.put(Bytes.of("key" + written++), new byte[BYTES]);
        }
        requireAll(Kind.PLAIN, written, "other");
    }

    /** Closing waits for a checkpoint, which waits for a flush of the family. */
    @Test
    void aDropFailsBecauseTheDatabaseIsBeingClosed() throws Exception {
        RocksDB db = RocksDB.open(directory.resolve("db"),
                create().createMissingColumnFamilies(true).rateLimiter(RateLimiter.of(SLOW)),
                Map.of("other", stalling()));
        ColumnFamily other = db.columnFamily("other");
        KeyValueWriter writer = other.with(new WriteOptions().disableWAL(true));
        for (int i = 0; i < 3; i++) {
            writer.put(Bytes.of("key" + i), new byte[BYTES]);
            if (i < 2) {
                other.flush();
            }
        }
        // The checkpoint flushes this first, which takes some seconds.
        Random random = new Random(1);
        byte[] value = new byte[BYTES];
        for (int i = 0; i < SLOW * 2 / BYTES; i++) {
            random.nextBytes(value);
            db.put(Bytes.of("key" + i), value);
        }
        RepeatedCall checkpoint = new RepeatedCall(_ -> db.checkpoint(directory.resolve("checkpoint")));
        checkpoint.await(0, "rocksdb_checkpoint");
        RepeatedCall closing = new RepeatedCall(_ -> db.close());
        closing.await(0, "awaitCallers");
        assertThatIllegalStateException().isThrownBy(() -> db.dropColumnFamily(other))
                .withMessageContaining("is closed");
        assertThat(closing.awaitFailure()).isNull();
        assertThat(checkpoint.awaitFailure()).isNotNull();
        assertThat(directory.resolve("checkpoint/CURRENT")).exists();
    }

    /** A family without automatic compactions keeps this option. */
    @Test
    void optionsStay() throws Exception {
        RocksDB db = RocksDB.open(directory, stalling(), Map.of("other", stalling().disableAutoCompactions(true)));
        RepeatedCall calls = repeat(db.defaultColumnFamily(), true, false);
        awaitStop(db);
        db.close();
        assertThat(calls.awaitFailure()).isInstanceOf(IllegalStateException.class);
        assertThat(compacts("default")).isTrue();
        assertThat(compacts("other")).isFalse();
    }

    private static Options stalling() {
        return create().createMissingColumnFamilies(true).compactionStyle(CompactionStyle.NONE).writeBufferSize(1 << 16)
                .level0FileNumCompactionTrigger(2).level0SlowdownWritesTrigger(3).level0StopWritesTrigger(3);
    }

    private static void awaitStop(RocksDB db) throws InterruptedException {
        while (!"1".equals(db.property("rocksdb.is-write-stopped"))) {
            Thread.sleep(PAUSE_MILLIS);
        }
        // Until the next write waits.
        Thread.sleep(PAUSE_MILLIS);
    }

    /** Returns whether the file of options says that a family has automatic compactions. */
    private boolean compacts(String family) {
        Options stored = LoadedOptions.latest(directory).columnFamilies().get(family);
        return !Objects.requireNonNull(stored).disableAutoCompactions();
    }

    private void requireAll(Kind kind, int written, String family) {
        assertThat(compacts(family)).isTrue();
        try (RocksDB again = kind.open(directory, stalling())) {
            for (int i = 0; i < written; i++) {
                assertThat(again.columnFamily(family).get(Bytes.of("key" + i))).as("key" + i).hasSize(BYTES);
            }
        }
    }

    /** Writes, and perhaps flushes each write, until it is refused. */
    private static RepeatedCall repeat(ColumnFamily family, boolean isLogged, boolean flushes) {
        KeyValueWriter writer = family.with(new WriteOptions().disableWAL(!isLogged));
        return new RepeatedCall(done -> {
            writer.put(Bytes.of("key" + done.get()), new byte[BYTES]);
            done.incrementAndGet();
            if (flushes) {
                family.flush();
            }
        });
    }
}
