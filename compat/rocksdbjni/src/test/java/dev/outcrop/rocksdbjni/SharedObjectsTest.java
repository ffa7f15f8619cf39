package dev.outcrop.rocksdbjni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.ConcurrentTaskLimiterImpl;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.PersistentCache;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileManager;
import org.rocksdb.TablePropertiesCollectorFactory;

/** Loggers of backups and of files, where the published jar has none or crashes, and wrong uses of objects that databases share. */
class SharedObjectsTest extends DatabaseTest {
    /** Keeps what it receives. */
    private static final class Kept extends Logger {
        private final List<String> messages = new CopyOnWriteArrayList<>();
        private final boolean throwing;

        Kept(boolean throwing) {
            super(InfoLogLevel.DEBUG_LEVEL);
            this.throwing = throwing;
        }

        @Override
        protected void log(InfoLogLevel level, String message) {
            messages.add(message);
            if (throwing) {
                throw new IllegalStateException("on purpose");
            }
        }
    }

    private RocksDB database(Options options) throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(options.setCreateIfMissing(true), path()));
        db.put(KEY, KEY);
        try (FlushOptions flush = new FlushOptions()) {
            db.flush(flush);
        }
        return db;
    }

    @Test
    void aLoggerReceivesTheMessagesOfBackups() throws Exception {
        RocksDB db = database(closeLater(new Options()));
        Kept logger = closeLater(new Kept(false));
        Kept other = closeLater(new Kept(true));
        Path backups = Files.createDirectory(directory.resolve("backups"));
        BackupEngineOptions options = closeLater(new BackupEngineOptions(backups.toString()));
        assertThat(options.infoLog()).isNull();
        assertThat(options.setInfoLog(logger).infoLog()).isSameAs(logger);
        assertThat(options.backupDir()).isEqualTo(backups.toString());
        try (BackupEngine engine = BackupEngine.open(Env.getDefault(), options)) {
            options.setInfoLog(other);
            engine.createNewBackup(db);
            assertThat(logger.messages)
                    .anySatisfy(message -> assertThat(message).contains("Started the backup process"));
            assertThat(other.messages).isEmpty();
            // The engine keeps the native logger.
            int received = logger.messages.size();
            logger.close();
            options.close();
            System.gc();
            engine.createNewBackup(db);
            assertThat(logger.messages).hasSize(received);
            assertThat(engine.getBackupInfo()).hasSize(2);
        }
    }

    @Test
    void aLoggerThatThrowsStopsNoBackup() throws Exception {
        RocksDB db = database(closeLater(new Options()));
        Kept logger = closeLater(new Kept(true));
        Path backups = Files.createDirectory(directory.resolve("backups"));
        try (BackupEngineOptions options = new BackupEngineOptions(backups.toString()).setInfoLog(logger);
                BackupEngine engine = BackupEngine.open(Env.getDefault(), options)) {
            engine.createNewBackup(db);
            assertThat(engine.getBackupInfo()).hasSize(1);
        }
        assertThat(logger.messages).isNotEmpty();
    }

    @Test
    void aLoggerReceivesTheMessagesOfAFileManager() throws Exception {
        Kept logger = closeLater(new Kept(false));
        SstFileManager manager = closeLater(new SstFileManager(Env.getDefault(), logger));
        RocksDB db = database(closeLater(new Options().setSstFileManager(manager)));
        assertThat(manager.getTrackedFiles()).hasSize(1);
        db.deleteRange(KEY, b("kez"));
        db.compactRange();
        // Waits for the thread that deletes the files.
        db.close();
        assertThat(logger.messages).anySatisfy(message -> assertThat(message).contains(".sst"));
    }

    @Test
    void wrongUsesAreRefused() throws Exception {
        Kept closed = new Kept(false);
        closed.close();
        assertMisuse(() -> new SstFileManager(Env.getDefault(), closed));
        assertMisuse(() -> new PersistentCache(Env.getDefault(), path(), 1 << 20, closed, false));
        assertThatThrownBy(() -> new PersistentCache(null, path(), 1 << 20, null, false))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new PersistentCache(Env.getDefault(), null, 1 << 20, null, false))
                .isInstanceOf(NullPointerException.class);
        assertThatThrownBy(() -> new PersistentCache(Env.getDefault(), "a\0b", 1 << 20, null, false))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("a\0b");
        assertThatThrownBy(() -> new ConcurrentTaskLimiterImpl(null, 1)).isInstanceOf(NullPointerException.class);
        try (BackupEngineOptions options = new BackupEngineOptions(directory.toString())) {
            assertMisuse(() -> options.setInfoLog(closed));
            assertThatThrownBy(() -> options.setInfoLog(null)).isInstanceOf(NullPointerException.class);
        }
        ConcurrentTaskLimiterImpl limiter = new ConcurrentTaskLimiterImpl("a\0b", 1);
        assertThat(limiter.name()).startsWith("a").endsWith("b");
        limiter.close();
        limiter.close();
        assertMisuse(limiter::name);
        assertMisuse(limiter::outstandingTask);
        assertMisuse(limiter::resetMaxOutstandingTask);
        assertMisuse(() -> limiter.setMaxOutstandingTask(1));
        try (Options options = new Options()) {
            assertMisuse(() -> options.setCompactionThreadLimiter(limiter));
            assertThatThrownBy(() -> options.setCompactionThreadLimiter(null)).isInstanceOf(NullPointerException.class);
            TablePropertiesCollectorFactory factory = TablePropertiesCollectorFactory
                    .NewCompactOnDeletionCollectorFactory(1, 1, 1);
            factory.close();
            assertMisuse(() -> options.setTablePropertiesCollectorFactory(List.of(factory)));
            assertThatThrownBy(() -> options.setTablePropertiesCollectorFactory(null))
                    .isInstanceOf(NullPointerException.class);
            assertThat(options.tablePropertiesCollectorFactory()).isEmpty();
        }
        for (long size : new long[]{Long.MIN_VALUE, -1, 0, 1, 4096, Long.MAX_VALUE}) {
            Path files = Files.createTempDirectory(directory, "cache");
            try (PersistentCache cache = new PersistentCache(Env.getDefault(), files.toString(), size, null, false)) {
                assertThat(cache.isOwningHandle()).isTrue();
            } catch (RocksDBException e) {
                assertThat(e).hasMessageNotContaining("null");
            }
        }
    }
}
