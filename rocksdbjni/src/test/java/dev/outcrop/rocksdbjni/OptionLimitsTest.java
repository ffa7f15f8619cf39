package dev.outcrop.rocksdbjni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.BackupEngine;
import org.rocksdb.BackupEngineOptions;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.RateLimiter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;

/** Options with which RocksDB would end the process are refused when something is opened with them. */
class OptionLimitsTest {
    private static final byte[] NAME = "f".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path directory;

    private String path() {
        return directory.resolve("db").toString();
    }

    private static void refused(String option, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(option);
    }

    private void refused(String option, Consumer<Options> change) {
        try (Options options = new Options().setCreateIfMissing(true)) {
            change.accept(options);
            refused(option, () -> RocksDB.open(options, path()));
        }
    }

    @Test
    void absurdNumbersAreRefused() throws RocksDBException {
        refused("num_levels", options -> options.setNumLevels(1 << 30));
        refused("num_levels", options -> options.setNumLevels(-1));
        refused("table_cache_numshardbits", options -> options.setTableCacheNumshardbits(20));
        refused("log_readahead_size", options -> options.setLogReadaheadSize(1L << 50));
        refused("max_background_jobs", options -> options.setMaxBackgroundJobs(1 << 30));
        refused("max_file_opening_threads", options -> options.setMaxFileOpeningThreads(1 << 30));
        refused("inplace_update_num_locks",
                options -> options.setInplaceUpdateSupport(true).setInplaceUpdateNumLocks(0));
        refused("allow_mmap_writes", options -> options.setAllowMmapWrites(true).setAllowFAllocate(false));
        RocksDB.open(path()).close();
    }

    @Test
    void whatRocksDbRefusesIsRefusedWithItsException() {
        try (Options options = new Options().setCreateIfMissing(true)) {
            options.setMaxBytesForLevelMultiplier(Double.NaN);
            assertThatThrownBy(() -> RocksDB.open(options, path())).isInstanceOfSatisfying(RocksDBException.class,
                    e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.InvalidArgument))
                    .hasMessageContaining("max_bytes_for_level_multiplier");
        }
    }

    @Test
    void eachWayOfOpeningLooksAtTheOptions() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true).setNumLevels(2000);
                DBOptions plain = new DBOptions().setCreateIfMissing(true);
                TransactionDBOptions locking = new TransactionDBOptions();
                EnvOptions environment = new EnvOptions();
                ColumnFamilyOptions family = new ColumnFamilyOptions().setNumLevels(2000);
                RocksDB db = RocksDB.open(directory.resolve("other").toString())) {
            List<ColumnFamilyDescriptor> families = List
                    .of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family));
            List<ThrowingCallable> calls = List.of(
                    () -> RocksDB.open(plain, path(), families, new ArrayList<>()),
                    () -> RocksDB.openReadOnly(options, path()),
                    () -> RocksDB.openAsSecondary(options, path(), path() + "2"),
                    () -> TransactionDB.open(options, locking, path()),
                    () -> OptimisticTransactionDB.open(options, path()),
                    () -> TtlDB.open(options, path(), 1, false),
                    () -> new SstFileWriter(environment, options),
                    () -> db.createColumnFamily(new ColumnFamilyDescriptor(NAME, family)));
            calls.forEach(call -> refused("num_levels", call));
        }
    }

    @Test
    void backupsTakeNoBuffersThatDoNotFitIntoMemory() throws RocksDBException {
        try (BackupEngineOptions options = new BackupEngineOptions(directory.toString());
                RateLimiter limiter = new RateLimiter(1 << 20);
                RocksDB db = RocksDB.open(path())) {
            options.setBackupRateLimit(1L << 50);
            refused("backupRateLimit", () -> BackupEngine.open(Env.getDefault(), options));
            options.setBackupRateLimit(0).setBackupRateLimiter(limiter);
            try (BackupEngine engine = BackupEngine.open(Env.getDefault(), options)) {
                engine.createNewBackup(db);
                limiter.setBytesPerSecond(1L << 50);
                refused("rate limiter", () -> engine.createNewBackup(db));
            }
        }
    }
}
