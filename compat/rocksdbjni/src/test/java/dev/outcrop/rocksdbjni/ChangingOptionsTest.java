package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.ChildJvm;
import dev.outcrop.testsupport.TestSize;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompressionType;
import org.rocksdb.DBOptions;
import org.rocksdb.DbPath;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.Options;
import org.rocksdb.RateLimiter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;

/** Another thread may change options that RocksDB reads again during a call. */
@Tag("verify")
class ChangingOptionsTest extends DatabaseTest {
    private static final int FLUSHES = TestSize.choose("outcrop.changing.flushes", 500, 2_000);
    private static final int CALLS = TestSize.choose("outcrop.changing.calls", 3_000, 20_000);
    private static final int OPENINGS = TestSize.choose("outcrop.changing.openings", 15, 60);

    /**
     * In a JVM of their own, because each could end the process: a flush that is told to wait only when it has begun would let go of a family
     * once too often; RocksDB takes memory for as many levels when options are read from a text, and when presets are applied; and RocksDB
     * would free what options share with others once too often, and copy texts and lists that are being replaced.
     */
    @Test
    void callsGoByTheOptionsThatTheyBeganWith() throws Exception {
        ChildJvm.Result result = ChildJvm.shortLived().run(Program.class);

        assertThat(result.exitCode()).as(result.output()).isZero();
        assertThat(result.output()).contains("found: value " + (FLUSHES - 1))
                .containsPattern("done: [1-9]\\d*, refused: [1-9]")
                .contains("rates: 1000000, 2000000");
    }

    static final class Program {
        static void main(String[] args) throws Exception {
            Flushes.run();
            Levels.run();
            Holders.run();
        }
    }

    /** Sets the same objects, texts and lists from two threads, while a third one copies them. */
    static final class Holders {
        static void run() throws Exception {
            try (Options options = new Options();
                    BackupEngineOptions backups = new BackupEngineOptions(System.getProperty("java.io.tmpdir"));
                    RateLimiter one = new RateLimiter(1_000_000);
                    RateLimiter two = new RateLimiter(2_000_000)) {
                List<Thread> setting = new ArrayList<>();
                for (int i = 0; i < 2; i++) {
                    setting.add(Thread.ofPlatform().start(() -> {
                        for (int k = 0; k < CALLS; k++) {
                            RateLimiter limiter = k % 3 == 0 ? one : two;
                            options.setRateLimiter(limiter);
                            backups.setBackupRateLimiter(limiter);
                            options.setWalDir("/" + "a directory with a long name".repeat(k % 4));
                            options.setCompressionPerLevel(
                                    Collections.nCopies(1 + k % 40, CompressionType.NO_COMPRESSION));
                            options.setDbPaths(Collections.nCopies(1 + k % 3, new DbPath(Path.of("/somewhere"), k)));
                        }
                    }));
                }
                while (setting.stream().anyMatch(Thread::isAlive)) {
                    try (Options copy = new Options(options)) {
                        copy.setWalDir(options.walDir());
                    }
                }
                System.out.println("rates: " + one.getBytesPerSecond() + ", " + two.getBytesPerSecond());
            }
        }
    }

    /** A copy knows what prefixes it has, so that what is opened with it does not read beyond keys; see ShortKeysTest. */
    @Test
    void copiesHaveThePrefixesThatTheyWereMadeWith() throws Exception {
        AtomicBoolean isDone = new AtomicBoolean();
        Options options = closeLater(new Options().setCreateIfMissing(true).setAllowFAllocate(false));
        options.setAllowConcurrentMemtableWrite(false).setMemTableConfig(new HashSkipListMemTableConfig());
        Thread changing = Thread.ofPlatform().start(() -> {
            while (!isDone.get()) {
                options.useFixedLengthPrefixExtractor(100);
                options.useFixedLengthPrefixExtractor(4);
            }
        });
        try {
            for (int i = 0; i < OPENINGS; i++) {
                String path = directory.resolve("db" + i).toString();
                try (Options copy = new Options(options); RocksDB db = RocksDB.open(copy, path)) {
                    db.put(new byte[8], new byte[1]);
                    assertThat(db.get(new byte[8])).isNotNull();
                }
                Path log = directory.resolve("db" + i).resolve("LOG");
                assertThat(Files.readString(log, StandardCharsets.ISO_8859_1))
                        .doesNotContain("rocksdb.FixedPrefix.100");
            }
        } finally {
            isDone.set(true);
            changing.join();
        }
    }

    /** Calls what looks at the number of levels while another thread sets one that cannot be. */
    static final class Levels {
        static void run() throws Exception {
            AtomicBoolean isDone = new AtomicBoolean();
            Options options = new Options();
            Thread changing = Thread.ofPlatform().start(() -> {
                while (!isDone.get()) {
                    options.setNumLevels(-1);
                    options.setNumLevels(7);
                }
            });
            int done = 0;
            int refused = 0;
            for (int i = 0; i < CALLS || done == 0 || refused == 0; i++) {
                try {
                    if (i % 2 == 0) {
                        options.useCappedPrefixExtractor(4);
                    } else {
                        options.optimizeLevelStyleCompaction();
                    }
                    done++;
                } catch (IllegalArgumentException e) {
                    refused++;
                }
            }
            isDone.set(true);
            changing.join();
            System.out.println("done: " + done + ", refused: " + refused);
        }
    }

    /** Flushes while another thread changes what a flush is to do; in memory, to be fast. */
    static final class Flushes {
        static void run() throws Exception {
            AtomicBoolean isDone = new AtomicBoolean();
            FlushOptions options = new FlushOptions();
            Thread changing = Thread.ofPlatform().start(() -> {
                while (!isDone.get()) {
                    options.setWaitForFlush(true);
                    LockSupport.parkNanos(1);
                }
            });
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            try (Env memory = new RocksMemEnv(Env.getDefault());
                    DBOptions database = new DBOptions().setCreateIfMissing(true).setEnv(memory)) {
                try (RocksDB db = RocksDB.open(database, "/db", families(), handles)) {
                    flush(db, options, handles);
                } finally {
                    isDone.set(true);
                    changing.join();
                }
                handles.clear();
                try (RocksDB db = RocksDB.open(database, "/db", families(), handles)) {
                    System.out.println("found: " + new String(db.get(b("key")), StandardCharsets.UTF_8));
                }
            }
        }

        private static List<ColumnFamilyDescriptor> families() {
            return List.of(new ColumnFamilyDescriptor(b("default")));
        }

        private static void flush(RocksDB db, FlushOptions options, List<ColumnFamilyHandle> handles)
                throws RocksDBException {
            for (int i = 0; i < FLUSHES; i++) {
                db.put(b("key"), b("value " + i));
                options.setWaitForFlush(false);
                db.flush(options, i % 2 == 0 ? handles : List.of(db.getDefaultColumnFamily()));
            }
        }

        private static byte[] b(String text) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
    }
}
