package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.RepeatedCall;
import dev.outcrop.testsupport.TestSize;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Closing waits for running calls, and releases calls that only a user of the open database could release. */
@Tag("verify")
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingTest extends DatabaseTest {
    private static final int MOST_WRITES = 5_000;
    private static final int ROUNDS = TestSize.choose("outcrop.closing.rounds", 100, 500);
    private static final int ONE_LOOK_MILLIS = 10;
    private static final int LOOKS = 3;
    private static final Pattern WAITS_FOR_MEMORY = Pattern.compile("write-buffer-manager-limit-stops: [1-9]");

    /** When the manager is closed; native objects keep it. */
    enum ManagerEnd {
        BEFORE_OPENING,
        BEFORE_CLOSING,
        LATER
    }

    /** Open iterators keep the memtables, and with them the memory that writes wait for. */
    @ParameterizedTest
    @EnumSource
    void writesThatWaitForMemoryGoOn(ManagerEnd end) throws Exception {
        try (Cache cache = new LRUCache(8 << 20);
                WriteBufferManager manager = new WriteBufferManager(4 << 20, cache, true);
                Options given = options().setWriteBufferManager(manager)) {
            if (end == ManagerEnd.BEFORE_OPENING) {
                close(manager);
            }
            try (Options copied = new Options(given)) {
                close(given);
                RocksDB db = RocksDB.open(copied, path());
                if (end == ManagerEnd.BEFORE_CLOSING) {
                    close(manager);
                }
                closeUnder(db, List.of(new Writer(db, "a", true), new Writer(db, "b", true)));
            }
        }
    }

    @Test
    void writesThatWaitForPausedWorkGoOn() throws Exception {
        try (Options options = options().setWriteBufferSize(1 << 20)) {
            RocksDB db = RocksDB.open(options, path());
            db.pauseBackgroundWork();
            db.pauseBackgroundWork();
            closeUnder(db, List.of(new Writer(db, "a", false)));
        }
    }

    @Test
    void writesThatWaitForAbortedCompactionsGoOn() throws Exception {
        try (Options options = options().setWriteBufferSize(1 << 20).setLevel0FileNumCompactionTrigger(2)
                .setLevel0SlowdownWritesTrigger(3).setLevel0StopWritesTrigger(3)) {
            RocksDB db = RocksDB.open(options, path());
            db.abortAllCompactions();
            closeUnder(db, List.of(new Writer(db, "a", false)));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writesThroughTheBaseOfADatabaseGoOn(boolean isPaused) throws Exception {
        try (Cache cache = new LRUCache(8 << 20);
                WriteBufferManager manager = new WriteBufferManager(4 << 20, cache, true);
                Options options = options().setWriteBufferSize(1 << 20)) {
            if (!isPaused) {
                options.setWriteBufferManager(manager);
            }
            OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path());
            RocksDB base = db.getBaseDB();
            if (isPaused) {
                base.pauseBackgroundWork();
            }
            closeUnder(db,
                    List.of(new Writer(base, "a", true), new Writer(base, "b", true), new Writer(base, "c", true)));
        }
    }

    /** Closing flushes what is not in the log. */
    @Test
    void pausedWorkGoesOnForTheLastFlush() throws RocksDBException {
        try (Options options = options();
                WriteOptions withoutLog = new WriteOptions().setDisableWAL(true)) {
            RocksDB db = RocksDB.open(options, path());
            db.put(withoutLog, b("key"), b("value"));
            db.pauseBackgroundWork();
            db.pauseBackgroundWork();
            db.continueBackgroundWork();
            db.close();
            try (RocksDB again = RocksDB.open(options, path())) {
                assertThat(again.get(b("key"))).isEqualTo(b("value"));
            }
        }
    }

    /** The object of a batch that is closed while another thread uses an iterator of the batch. */
    enum OfBatch {
        BATCH,
        TRANSACTION,
        DATABASE
    }

    /** Closing takes the lock of the batch, and so does each call of its iterators. */
    @ParameterizedTest
    @EnumSource
    void aBatchIsClosedUnderItsIterator(OfBatch closed) throws Exception {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                WriteOptions write = new WriteOptions()) {
            for (int round = 0; round < ROUNDS; round++) {
                TransactionDB db = TransactionDB.open(options, locking, path());
                Transaction transaction = db.beginTransaction(write);
                WriteBatchWithIndex batch = closed == OfBatch.BATCH
                        ? new WriteBatchWithIndex(true)
                        : transaction.getWriteBatch();
                batch.put(b("key"), b("value"));
                WBWIRocksIterator iterator = batch.newIterator();
                AtomicLong calls = new AtomicLong();
                Thread user = Thread.ofPlatform().daemon().start(() -> {
                    try {
                        while (true) {
                            iterator.seekToFirst();
                            calls.incrementAndGet();
                        }
                    } catch (IllegalStateException | AssertionError e) {
                        // It is closed.
                    }
                });
                while (calls.get() < 10) {
                    Thread.onSpinWait();
                }
                switch (closed) {
                    case BATCH -> batch.close();
                    case TRANSACTION -> transaction.close();
                    case DATABASE -> db.close();
                }
                user.join();
                db.close();
            }
        }
    }

    /** A write waits for the lock of a transaction, without a time limit. */
    @Test
    void aTransactionIsClosedWhileItsDatabaseIsBeingClosed() throws Exception {
        Options options = closeLater(options());
        TransactionDB db = TransactionDB.open(options,
                closeLater(new TransactionDBOptions().setDefaultLockTimeout(-1)), path());
        Transaction transaction = db.beginTransaction(closeLater(new WriteOptions()));
        transaction.put(b("key"), b("transaction"));
        RepeatedCall write = new RepeatedCall(_ -> db.put(b("key"), b("written")));
        write.await(0, "_put");
        RepeatedCall closing = new RepeatedCall(_ -> db.close());
        closing.await(0, "awaitCallers");
        assertMisuse(transaction::commit);
        transaction.close();
        assertThat(closing.awaitFailure()).isNull();
        assertThat(write.awaitFailure()).hasMessageContaining("closed");
        try (RocksDB again = RocksDB.open(options, path())) {
            assertThat(again.get(b("key"))).isEqualTo(b("written"));
        }
    }

    /** Closes when RocksDB has stopped writes and none has ended since; then what was written is there, and the lock is free. */
    private void closeUnder(RocksDB db, List<Writer> writers) throws Exception {
        long before = -1;
        for (int looks = 0; looks < LOOKS; looks++) {
            Thread.sleep(ONE_LOOK_MILLIS);
            long written = writers.stream().mapToLong(writer -> writer.written.get()).sum();
            if (written != before || !hasStoppedWrites(db)) {
                before = written;
                looks = 0;
            }
            assertThat(before).as("writes without a stop").isLessThan(MOST_WRITES);
        }
        db.close();
        for (Writer writer : writers) {
            writer.awaitRefusal();
        }
        try (Options options = options(); RocksDB again = RocksDB.open(options, path())) {
            for (Writer writer : writers) {
                for (long i = 1; i <= writer.written.get(); i++) {
                    assertThat(again.get(b(writer.key + i))).hasSize(Writer.BYTES);
                }
            }
        }
    }

    private static boolean hasStoppedWrites(RocksDB db) throws RocksDBException {
        return db.getLongProperty("rocksdb.is-write-stopped") == 1
                || WAITS_FOR_MEMORY.matcher(db.getProperty("rocksdb.db-write-stall-stats")).find();
    }

    private static void close(RocksObject object) {
        object.close();
    }

    private static Options options() {
        return new Options().setCreateIfMissing(true);
    }

    /** Writes until it is refused. */
    private static final class Writer {
        static final int BYTES = 10_000;
        private static final int WRITES_OF_AN_ITERATOR = 50;

        final String key;
        final AtomicLong written = new AtomicLong();
        private final AtomicReference<Throwable> end = new AtomicReference<>();
        private final Thread thread;

        Writer(RocksDB db, String key, boolean leaksIterators) {
            this.key = key;
            thread = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        if (leaksIterators && written.get() % WRITES_OF_AN_ITERATOR == 0) {
                            RocksIterator leaked = db.newIterator();
                            leaked.seekToFirst();
                        }
                        db.put(b(key + (written.get() + 1)), new byte[BYTES]);
                        written.incrementAndGet();
                    }
                } catch (Throwable e) {
                    end.set(e);
                }
            });
        }

        void awaitRefusal() throws InterruptedException {
            thread.join();
            assertThat(end.get()).hasMessageContaining("closed");
        }
    }
}
