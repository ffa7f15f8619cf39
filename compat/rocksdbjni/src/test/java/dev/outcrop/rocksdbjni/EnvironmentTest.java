package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyMetaData;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.LRUCache;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Logger;
import org.rocksdb.MemoryUsageType;
import org.rocksdb.MemoryUtil;
import org.rocksdb.NativeLibraryLoader;
import org.rocksdb.Options;
import org.rocksdb.Priority;
import org.rocksdb.RateLimiter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksMemEnv;
import org.rocksdb.RocksObject;
import org.rocksdb.SstFileManager;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TimedEnv;

/** Environments, loggers and limits of databases, and metadata of their files. */
class EnvironmentTest extends DatabaseTest {
    private final Options options = closeLater(new Options());

    @Test
    void theLibraryIsLoadedFromAnywhere() throws IOException {
        NativeLibraryLoader.getInstance().loadLibrary(null);
        assertThat(NativeLibraryLoader.getInstance()).isSameAs(NativeLibraryLoader.getInstance());
    }

    @Test
    void aDatabaseInMemoryLeavesNoFilesAndOutlivesTheClosedEnv() throws RocksDBException {
        RocksMemEnv memory = new RocksMemEnv(Env.getDefault());
        RocksDB db;
        try (Options options = new Options().setCreateIfMissing(true).setEnv(memory)) {
            assertThat(options.getEnv()).isSameAs(memory);
            db = RocksDB.open(options, path());
            memory.close();
            assertMisuse(() -> RocksDB.open(options, path() + "2"));
        }
        db.put(b("a"), b("1"));
        try (FlushOptions flush = new FlushOptions()) {
            db.flush(flush);
        }
        assertThat(db.get(b("a"))).isEqualTo(b("1"));
        db.close();
        assertThat(Files.exists(Path.of(path()))).isFalse();
    }

    @Test
    void theDefaultEnvIsOneAndIsNotClosed() throws RocksDBException {
        // The first database of a process starts the threads.
        RocksDB.open(path()).close();
        Env env = Env.getDefault();
        env.close();
        assertThat(Env.getDefault()).isSameAs(env);
        int before = env.getBackgroundThreads(Priority.LOW);
        env.incBackgroundThreadsIfNeeded(before + 1, Priority.LOW);
        assertThat(env.getBackgroundThreads(Priority.LOW)).isEqualTo(before + 1);
        env.setBackgroundThreads(before);
        assertThat(env.getBackgroundThreads(Priority.LOW)).isEqualTo(before);
        assertThat(env.getThreadPoolQueueLen(Priority.HIGH)).isNotNegative();
        TimedEnv timed = closeLater(new TimedEnv(env));
        assertThat(options.getEnv()).isSameAs(env);
        assertThat(options.setEnv(timed).getEnv()).isSameAs(timed);
    }

    @Test
    void anEnvThatIsClosedIsNotUsedToLookForDatabases() throws RocksDBException {
        String path = path();
        RocksMemEnv env = new RocksMemEnv(Env.getDefault());
        options.setEnv(env);
        env.close();
        assertMisuse(() -> RocksDB.listColumnFamilies(options, path));
        assertMisuse(() -> RocksDB.destroyDB(path, options));
    }

    @Test
    void aWriterOfTablesKeepsItsOptions() throws RocksDBException {
        EnvOptions environment = new EnvOptions();
        RateLimiter limiter = new RateLimiter(1 << 20);
        RocksMemEnv env = new RocksMemEnv(Env.getDefault());
        environment.setRateLimiter(limiter);
        options.setEnv(env);
        SstFileWriter writer = closeLater(new SstFileWriter(environment, options));
        List.of(environment, options, limiter, env).forEach(RocksObject::close);
        for (int i = 0; i < 1000; i++) {
            // Freed memory is used for something else.
            new RateLimiter(1 << 20).close();
            new RocksMemEnv(Env.getDefault()).close();
        }
        writer.open("/table");
        writer.put("key".getBytes(UTF_8), "value".getBytes(UTF_8));
        writer.finish();
        assertThat(writer.fileSize()).isPositive();
    }

    @Test
    void aLoggerReceivesMessagesOfItsLevel() throws RocksDBException {
        Recorder logger = closeLater(new Recorder(InfoLogLevel.INFO_LEVEL));
        Options options = closeLater(new Options().setCreateIfMissing(true).setLogger(logger));
        try (RocksDB _ = RocksDB.open(options, path())) {
            assertThat(logger.messages).anyMatch(message -> message.contains("RocksDB version"));
            logger.setInfoLogLevel(InfoLogLevel.FATAL_LEVEL);
            assertThat(logger.infoLogLevel()).isEqualTo(InfoLogLevel.FATAL_LEVEL);
        }
        int before = logger.messages.size();
        try (RocksDB _ = RocksDB.open(options, path())) {
            assertThat(logger.messages).hasSize(before);
        }
    }

    @Test
    void aLoggerThatThrowsOrIsClosedHarmsNothing() throws RocksDBException {
        Recorder logger = new Recorder(InfoLogLevel.DEBUG_LEVEL);
        logger.failing = true;
        // Without the statistics, which a timer writes.
        Options options = closeLater(
                new Options().setCreateIfMissing(true).setStatsDumpPeriodSec(0).setLogger(logger));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        db.put(b("a"), b("1"));
        logger.close();
        logger.close();
        int before = logger.messages.size();
        try (FlushOptions flush = new FlushOptions()) {
            db.flush(flush);
        }
        assertThat(db.get(b("a"))).isEqualTo(b("1"));
        assertThat(before).isPositive();
        assertThat(logger.messages).hasSize(before);
        assertThatThrownBy(() -> options.setLogger(logger)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void filesAreListedByFamilyAndLevel() throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true));
        SstFileManager files = closeLater(new SstFileManager(Env.getDefault()));
        RocksDB db = closeLater(RocksDB.open(options.setSstFileManager(files), path()));
        FlushOptions flush = closeLater(new FlushOptions());
        db.put(b("a"), b("1"));
        db.put(b("b"), b("2"));
        db.delete(b("c"));
        db.flush(flush);
        List<LiveFileMetaData> live = db.getLiveFilesMetaData();
        assertThat(live).hasSize(1);
        LiveFileMetaData file = live.getFirst();
        assertThat(file.columnFamilyName()).isEqualTo(RocksDB.DEFAULT_COLUMN_FAMILY);
        assertThat(file.smallestKey()).isEqualTo(b("a"));
        assertThat(file.largestKey()).isEqualTo(b("c"));
        assertThat(file.numEntries()).isEqualTo(3);
        assertThat(file.numDeletions()).isEqualTo(1);
        assertThat(Files.exists(Path.of(file.path() + file.fileName()))).isTrue();
        assertThat(file.beingCompacted()).isFalse();
        assertThat(file.numReadsSampled()).isNotNegative();
        ColumnFamilyMetaData family = db.getColumnFamilyMetaData();
        assertThat(family.levels()).hasSize(7);
        assertThat(family.size()).isEqualTo(file.size()).isEqualTo(files.getTotalSize());
        assertThat(family.levels().getFirst().files().getFirst().fileName()).isEqualTo(file.fileName());
    }

    @Test
    void memoryIsCountedByKind() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        LRUCache cache = closeLater(new LRUCache(1 << 20));
        db.put(b("a"), new byte[10_000]);
        Map<MemoryUsageType, Long> usage = MemoryUtil.getApproximateMemoryUsageByType(List.of(db), Set.of(cache));
        assertThat(usage.get(MemoryUsageType.kMemTableTotal)).isGreaterThan(10_000);
        assertThat(usage).containsKeys(MemoryUsageType.kMemTableUnFlushed, MemoryUsageType.kTableReadersTotal,
                MemoryUsageType.kCacheTotal);
    }

    private static final class Recorder extends Logger {
        private final Queue<String> messages = new ConcurrentLinkedQueue<>();
        private volatile boolean failing;

        Recorder(InfoLogLevel level) {
            super(level);
        }

        @Override
        protected void log(InfoLogLevel level, String message) {
            messages.add(message);
            if (failing) {
                throw new IllegalArgumentException("on purpose");
            }
        }
    }
}
