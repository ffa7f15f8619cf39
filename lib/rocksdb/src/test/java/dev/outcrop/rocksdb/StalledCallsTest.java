package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Writes and flushes that wait for a compaction continue when their database is closed. No compaction comes in these databases. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class StalledCallsTest extends DatabaseTest {
    private static final int PAUSE_MILLIS = 10;
    private static final int BYTES = 1000;
    private static final int MOST_CALLS = 10_000;

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
    @CsvSource({"PLAIN, true", "PLAIN, false", "LOCKING, true", "LOCKING, false", "OPTIMISTIC, true",
            "OPTIMISTIC, false"})
    void writesGoOn(Kind kind, boolean isLogged) throws Exception {
        RocksDB db = kind.open(directory, stalling());
        Caller caller = new Caller(db.columnFamily("other"), isLogged, false);
        awaitStop(db);
        db.close();
        caller.awaitRefusal();
        requireAll(kind, caller.done.get(), "other");
    }

    @ParameterizedTest
    @CsvSource({"PLAIN, true", "PLAIN, false", "LOCKING, true", "LOCKING, false", "OPTIMISTIC, true",
            "OPTIMISTIC, false"})
    void flushesGoOn(Kind kind, boolean isLogged) throws Exception {
        RocksDB db = kind.open(directory, stalling());
        Caller caller = new Caller(db.columnFamily("other"), isLogged, true);
        caller.awaitFlush();
        db.close();
        caller.awaitRefusal();
        requireAll(kind, caller.done.get(), "other");
    }

    /** RocksDB stops the writes to all families if one of them has too many files. */
    @Test
    void writesToAnotherFamilyGoOn() throws Exception {
        RocksDB db = Kind.PLAIN.open(directory, stalling());
        Caller filling = new Caller(db.defaultColumnFamily(), true, false);
        awaitStop(db);
        Caller other = new Caller(db.columnFamily("other"), false, false);
        db.close();
        filling.awaitRefusal();
        other.awaitRefusal();
        requireAll(Kind.PLAIN, filling.done.get(), "default");
        requireAll(Kind.PLAIN, other.done.get(), "other");
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
            Caller caller = new Caller(db.columnFamily("other"), true, false);
            awaitStop(db);
            db.dropColumnFamily(db.columnFamily("other"));
            caller.awaitRefusal();
            assertThat(db.property("rocksdb.is-write-stopped")).isEqualTo("0");
            db.put(KEY, VALUE);
        }
        assertThat(compacts("default")).isTrue();
    }

    /** A family without automatic compactions keeps this option. */
    @Test
    void optionsStay() throws Exception {
        RocksDB db = RocksDB.open(directory, stalling(), Map.of("other", stalling().disableAutoCompactions(true)));
        Caller caller = new Caller(db.defaultColumnFamily(), true, false);
        awaitStop(db);
        db.close();
        caller.awaitRefusal();
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
    private static final class Caller {
        final AtomicInteger done = new AtomicInteger();
        private final AtomicReference<Throwable> end = new AtomicReference<>();
        private final Thread thread;

        Caller(ColumnFamily family, boolean isLogged, boolean flushes) {
            KeyValueWriter writer = family.with(new WriteOptions().disableWAL(!isLogged));
            thread = Thread.ofPlatform().daemon().start(() -> {
                try {
                    while (done.get() < MOST_CALLS) {
                        writer.put(Bytes.of("key" + done.get()), new byte[BYTES]);
                        done.incrementAndGet();
                        if (flushes) {
                            family.flush();
                        }
                    }
                } catch (Throwable e) {
                    end.set(e);
                }
            });
        }

        /** Waits until the third write is being flushed: level 0 has two files. */
        void awaitFlush() throws InterruptedException {
            while (done.get() < 3 || Arrays.stream(thread.getStackTrace())
                    .noneMatch(frame -> frame.getMethodName().contains("_flush_cf"))) {
                Thread.sleep(PAUSE_MILLIS);
            }
        }

        void awaitRefusal() throws InterruptedException {
            thread.join();
            assertThat(end.get()).isInstanceOf(IllegalStateException.class);
        }
    }
}
