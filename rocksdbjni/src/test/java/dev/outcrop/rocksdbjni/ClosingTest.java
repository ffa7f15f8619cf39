package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.Cache;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.RocksObject;
import org.rocksdb.Statistics;
import org.rocksdb.WriteBufferManager;
import org.rocksdb.WriteOptions;

/** Closing waits for calls that have begun, and lets those go on that only a user of the open database could let go on. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingTest {
    private static final int MOST_WRITES = 3_000;

    @TempDir
    Path directory;

    /** Iterators that nobody closed keep the memtables, and with them the memory that a write waits for. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void writesThatWaitForMemoryGoOn(boolean managerIsClosed) throws Exception {
        try (Cache cache = new LRUCache(8 << 20);
                WriteBufferManager manager = new WriteBufferManager(4 << 20, cache, true);
                // With statistics no closed iterator is kept.
                Statistics statistics = new Statistics();
                Options options = options().setStatistics(statistics).setWriteBufferManager(manager)) {
            RocksDB db = RocksDB.open(options, path());
            if (managerIsClosed) {
                close(manager);
            }
            Writer writer = new Writer(db, true);
            writer.awaitStop();
            db.close();
            writer.awaitRefusal();
            allIsThere(writer);
        }
    }

    @Test
    void writesThatWaitForPausedWorkGoOn() throws Exception {
        try (Options options = options().setWriteBufferSize(1 << 20)) {
            RocksDB db = RocksDB.open(options, path());
            db.pauseBackgroundWork();
            db.pauseBackgroundWork();
            Writer writer = new Writer(db, false);
            writer.awaitStop();
            db.close();
            writer.awaitRefusal();
            allIsThere(writer);
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

    /** What was written is there, and the lock is free. */
    private void allIsThere(Writer writer) throws RocksDBException {
        try (Options options = options(); RocksDB again = RocksDB.open(options, path())) {
            for (long i = 1; i <= writer.written.get(); i++) {
                assertThat(again.get(b("key" + i))).hasSize(Writer.BYTES);
            }
        }
    }

    private static void close(RocksObject object) {
        object.close();
    }

    private String path() {
        return directory.resolve("db").toString();
    }

    private static Options options() {
        return new Options().setCreateIfMissing(true);
    }

    private static byte[] b(String text) {
        return text.getBytes(UTF_8);
    }

    /** Writes until it is refused. */
    private static final class Writer {
        static final int BYTES = 10_000;
        private static final int WRITES_OF_AN_ITERATOR = 50;
        private static final int ONE_LOOK_MILLIS = 20;
        private static final int LOOKS = 5;

        final AtomicLong written = new AtomicLong();
        private final AtomicReference<Throwable> end = new AtomicReference<>();
        private final Thread thread;

        Writer(RocksDB db, boolean leaksIterators) {
            thread = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        if (leaksIterators && written.get() % WRITES_OF_AN_ITERATOR == 0) {
                            RocksIterator leaked = db.newIterator();
                            leaked.seekToFirst();
                        }
                        db.put(b("key" + (written.get() + 1)), new byte[BYTES]);
                        written.incrementAndGet();
                    }
                } catch (Throwable e) {
                    end.set(e);
                }
            });
        }

        /** Until it has waited for a while. */
        void awaitStop() throws InterruptedException {
            long before = -1;
            for (int looks = 0; looks < LOOKS; looks++) {
                Thread.sleep(ONE_LOOK_MILLIS);
                if (written.get() != before) {
                    before = written.get();
                    looks = 0;
                }
                assertThat(before).as("writes without a stop").isLessThan(MOST_WRITES);
            }
            assertThat(end.get()).isNull();
        }

        void awaitRefusal() throws InterruptedException {
            thread.join();
            assertThat(end.get()).hasMessageContaining("closed");
        }
    }
}
