package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The generated setters and getters, against the library. */
class OptionsSettersTest {

    /** One of each class with options. */
    static Stream<Object> objects() {
        return Stream.of(new Options().enableStatistics(), new BackupEngineOptions(Path.of("backups")),
                new BlockBasedTableOptions(), new BlockCacheTraceOptions(), new BlockCacheTraceWriterOptions(),
                new ColumnFamilyMetadataOptions(), new CompactRangeOptions(), new CompactionOptions(),
                new CompactionServiceOptionsOverride(), new CreateBackupOptions(), new CuckooTableOptions(),
                new EnvOptions(), new FifoCompactionOptions(), new FlushOptions(), new FlushWalOptions(),
                new HyperClockCacheOptions(1 << 20), new ImportColumnFamilyOptions(), new IngestExternalFileOptions(),
                new LiveFilesStorageInfoOptions(), new LruCacheOptions(), new OpenAndCompactOptions(),
                new OptimisticTransactionDBOptions(), new OptimisticTransactionOptions(), new PlainTableOptions(),
                new ReadOptions(), new ReplayOptions(), new RestoreOptions(), new SizeApproximationOptions(),
                new TraceOptions(), new TransactionDBOptions(), new TransactionOptions(),
                new UniversalCompactionOptions(), new WaitForCompactOptions(), new WalReadOptions(),
                new WriteOptions());
    }

    @Test
    void everyClassWithOptionsIsTested() throws IOException {
        try (Stream<Path> sources = Files.list(Path.of("src", "main", "java", "dev", "outcrop", "rocksdb"))) {
            assertThat(sources.map(source -> source.getFileName().toString().replace(".java", ""))
                    .filter(name -> name.matches(".*Options(Override)?")).map(OptionsSettersTest::classOf)
                    .filter(type -> Modifier.isPublic(type.getModifiers()) && !type.isRecord()))
                    .containsExactlyInAnyOrderElementsOf(objects().map(Object::getClass).collect(Collectors.toSet()));
        }
    }

    private static Class<?> classOf(String name) {
        try {
            return Class.forName("dev.outcrop.rocksdb." + name);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @MethodSource("objects")
    void gettersReturnTheSetValue(Object options) throws ReflectiveOperationException {
        List<String> checked = new ArrayList<>();
        List<String> setters = new ArrayList<>();
        for (Method getter : methods(options)) {
            Method setter = setterOf(getter, options);
            if (setter == null) {
                continue;
            }
            // The default is a value like any other, even where it lies outside of what Java's type seems to allow.
            List<Object> values = new ArrayList<>();
            Optional.ofNullable(getter.invoke(options)).ifPresent(values::add);
            values.addAll(someValues(setter.getGenericParameterTypes()[0]));
            for (Object value : values) {
                assertThat(setter.invoke(options, value)).isSameAs(options);
                assertThat(getter.invoke(options)).as(getter.getName()).isEqualTo(value);
            }
            checked.add(getter.getName());
        }
        setters(options).forEach(setter -> setters.add(setter.getName()));
        assertThat(checked).doesNotHaveDuplicates().isSubsetOf(setters);
        // These have no getters in the C API.
        if (!List.of(LruCacheOptions.class, HyperClockCacheOptions.class, CompactionServiceOptionsOverride.class)
                .contains(options.getClass())) {
            assertThat(checked).hasSizeGreaterThan(setters.size() * 2 / 3 - (options instanceof ReadOptions ? 6 : 1));
        }
    }

    /** The public methods that are written in the class and in those above it, one of which is generated. */
    private static List<Method> methods(Object options) {
        List<Method> found = new ArrayList<>();
        for (Class<?> type = options.getClass(); type != Object.class; type = type.getSuperclass()) {
            Stream.of(type.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isBridge()
                            && !Modifier.isStatic(method.getModifiers()))
                    .filter(method -> found.stream().noneMatch(own -> own.getName().equals(method.getName())
                            && Arrays.equals(own.getParameterTypes(), method.getParameterTypes())))
                    .toList().forEach(found::add);
        }
        return found;
    }

    /** The public methods that take one value and return the object. */
    static List<Method> setters(Object options) {
        return methods(options).stream().filter(method -> isSetter(method, options)).toList();
    }

    private static boolean isSetter(Method method, Object options) {
        return method.getParameterCount() == 1 && method.getReturnType() == options.getClass();
    }

    private static @Nullable Method setterOf(Method getter, Object options) {
        if (getter.getParameterCount() > 0) {
            return null;
        }
        return methods(options).stream().filter(method -> method.getName().equals(getter.getName())
                && isSetter(method, options)
                && method.getGenericParameterTypes()[0].equals(getter.getGenericReturnType())).findFirst().orElse(null);
    }

    private static List<?> someValues(Type type) {
        if (type instanceof ParameterizedType set && set.getActualTypeArguments()[0] instanceof Class<?> of) {
            List<Object> constants = List.of(of.getEnumConstants());
            return List.of(Set.copyOf(constants), Set.of(constants.getLast()), Set.of());
        }
        return switch (((Class<?>) type).getSimpleName()) {
            case "boolean" -> List.of(true, false);
            case "int" -> List.of(7, 3, 1);
            case "long" -> List.of(7L, 3L, 12345L);
            case "double" -> List.of(0.25, 0.5, 1.0);
            case "String" -> List.of("grüße", "", "/a/b");
            case "byte[]" -> List.of(Bytes.of("key"), new byte[0], new byte[5000]);
            // Every unit that RocksDB counts in has these.
            case "Duration" -> List.of(Duration.ofSeconds(3), Duration.ofHours(5), Duration.ZERO);
            default -> List.of(((Class<?>) type).getEnumConstants());
        };
    }

    @ParameterizedTest
    @MethodSource("objects")
    void fractionsThatAreNoNumbersAreRefused(Object options) throws ReflectiveOperationException {
        for (Method setter : setters(options)) {
            if (setter.getParameterTypes()[0] == double.class) {
                assertThatThrownBy(() -> setter.invoke(options, Double.NaN)).as(setter.toString()).cause()
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("NaN");
            }
        }
    }

    @Test
    void valuesThatWouldEndTheProcessAreRefused() {
        assertRefused("num_stripes", () -> new TransactionDBOptions().numStripes(0));
        assertRefused("max_num_deadlocks", () -> new TransactionDBOptions().maxNumDeadlocks(Integer.MAX_VALUE));
        assertRefused("deadlock_detect_depth", () -> new TransactionOptions().deadlockDetectDepth(-1));
        assertRefused("occ_lock_buckets", () -> new OptimisticTransactionDBOptions().occLockBuckets(0));
        assertRefused("bucket_count", () -> new OccLockBuckets(0, true));
        assertRefused("num_shard_bits", () -> new LruCacheOptions().numShardBits(20));
        assertRefused("num_shard_bits", () -> new HyperClockCacheOptions(1 << 20).numShardBits(11));
        assertRefused("capacity", () -> new HyperClockCacheOptions(Long.MAX_VALUE));
        assertRefused("capacity", () -> Cache.hyperClock(0));
        assertRefused("slots",
                () -> Cache.hyperClock(new HyperClockCacheOptions(1 << 20).estimatedEntryCharge(Long.MAX_VALUE)));
        assertRefused("slots", () -> Cache.hyperClock(new HyperClockCacheOptions(1L << 40).estimatedEntryCharge(1)));
        assertRefused("hash_table_ratio", () -> new CuckooTableOptions().hashTableRatio(0));
        assertRefused("cuckoo_block_size", () -> new CuckooTableOptions().cuckooBlockSize(0));
        assertRefused("hash_table_ratio", () -> new PlainTableOptions().hashTableRatio(-1));
        assertRefused("io_buffer_size", () -> new BackupEngineOptions(Path.of("b")).ioBufferSize(Long.MAX_VALUE));
        assertRefused("max_background_operations",
                () -> new BackupEngineOptions(Path.of("b")).maxBackgroundOperations(0));
        assertRefused("file_opening_threads", () -> new IngestExternalFileOptions().fileOpeningThreads(100_000));
        assertRefused("max_subcompactions", () -> new CompactRangeOptions().maxSubcompactions(-1));
        assertRefused("timeout", () -> new WaitForCompactOptions().timeout(Duration.ofNanos(-1000)));
        assertRefused("readahead_size", () -> new ReadOptions().readaheadSize(1L << 40));
        assertRefused("num_threads", () -> new ReplayOptions().numThreads(100_000));
        assertRefused("min_level_to_compress", () -> new Options().minLevelToCompress(8));
        assertRefused("num_levels", () -> new Options().numLevels(0).minLevelToCompress(0));
        assertRefused("num_levels", () -> new Options().numLevels(-1));
        assertRefused("num_levels", () -> new Options().numLevels(Integer.MAX_VALUE));
        assertThatThrownBy(() -> new Options().set("num_levels=1000000000")).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("num_levels");
        assertRefused("num_levels", () -> new Options().numLevels(0).optimizeLevelStyleCompaction(1 << 20));
        assertRefused("max_bytes_for_level_multiplier_additional",
                () -> new Options().maxBytesForLevelMultiplierAdditional(List.of(1, 0)));
    }

    private static void assertRefused(String name, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(IllegalArgumentException.class).hasMessageContaining(name);
    }

    @Test
    void aTimeThatIsLongerThanRocksDbCanCountIsVeryLong() {
        assertThat(new WaitForCompactOptions().timeout(ChronoUnit.FOREVER.getDuration()).timeout())
                .isBetween(Duration.ofDays(36_000), Duration.ofDays(37_000));
    }

    @Test
    void aTimeHasTheUnitThatRocksDbCountsIn() {
        Options options = new Options().statsDumpPeriodSec(Duration.ofMinutes(3)).WALTtlSeconds(Duration.ofHours(1))
                .logFileTimeToRoll(Duration.ofMinutes(1)).deleteObsoleteFilesPeriodMicros(Duration.ofSeconds(2))
                .followerRefreshCatchupPeriodMs(Duration.ofSeconds(5));

        assertThat(options.texts()).containsEntry("stats_dump_period_sec", "180")
                .containsEntry("WAL_ttl_seconds", "3600")
                .containsEntry("log_file_time_to_roll", "60")
                .containsEntry("delete_obsolete_files_period_micros", "2000000")
                .containsEntry("follower_refresh_catchup_period_ms", "5000");
        assertThat(new Options().set("stats_persist_period_sec=90").statsPersistPeriodSec())
                .isEqualTo(Duration.ofSeconds(90));
        assertThat(new Options().writeThreadMaxYieldUsec(Duration.ofNanos(5_000)).writeThreadMaxYieldUsec())
                .isEqualTo(Duration.ofNanos(5_000));
        assertThat(new Options().bgerrorResumeRetryInterval()).as("RocksDB's default").isEqualTo(Duration.ofSeconds(1));
        assertThat(new TransactionDBOptions().transactionLockTimeout()).as("RocksDB's default")
                .isEqualTo(Duration.ofSeconds(1));
        assertThat(new TransactionOptions().deadlockTimeoutUs()).as("RocksDB's default")
                .isEqualTo(Duration.ofNanos(500_000));
    }

    @Test
    void aTimeThatDoesNotFitItsUnitIsRefused() {
        assertThatThrownBy(() -> new Options().statsDumpPeriodSec(Duration.ofMillis(1500)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "stats_dump_period_sec must be a whole number of seconds from 0 to 2147483647, but is PT1.5S");
        assertRefused("stats_dump_period_sec", () -> new Options().statsDumpPeriodSec(Duration.ofSeconds(1L << 31)));
        assertRefused("stats_dump_period_sec", () -> new Options().statsDumpPeriodSec(Duration.ofSeconds(-1)));
        assertRefused("WAL_ttl_seconds", () -> new Options().WALTtlSeconds(Duration.ofSeconds(Long.MAX_VALUE)));
        assertRefused("microseconds", () -> new Options().writeThreadMaxYieldUsec(Duration.ofNanos(1)));
        assertRefused("milliseconds", () -> new TransactionOptions().lockTimeout(Duration.ofNanos(1)));
        assertRefused("lock_timeout", () -> new TransactionOptions().lockTimeout(ChronoUnit.FOREVER.getDuration()));
        assertRefused("timeout", () -> new WaitForCompactOptions().timeout(Duration.ofNanos(1)));
    }

    @Test
    void aNegativeTimeIsKeptWhereItHasAMeaning() {
        assertThat(new TransactionOptions().lockTimeout()).as("RocksDB's default").isEqualTo(Duration.ofMillis(-1));
        assertThat(new TransactionDBOptions().defaultLockTimeout(Duration.ofMillis(-1)).defaultLockTimeout())
                .isNegative();
        assertThat(new TransactionOptions().expiration(Duration.ofSeconds(-1)).expiration()).isNegative();
    }

    @Test
    void aNegativeValueForAnUnsignedOptionIsRefusedWithItsName() {
        Options options = new Options();
        long before = options.writeBufferSize();

        assertThatThrownBy(() -> options.writeBufferSize(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("write_buffer_size").hasMessageContaining("-1");
        assertThatThrownBy(() -> options.blockProtectionBytesPerKey(256)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("block_protection_bytes_per_key").hasMessageContaining("256");
        assertThat(options.writeBufferSize()).isEqualTo(before);
    }

    @Test
    void aNegativeValueWithAMeaningIsKept() {
        assertThat(new Options().ttl()).as("RocksDB's default").isEqualTo(-2);
        assertThat(new Options().ttl(60).ttl(-2).ttl()).isEqualTo(-2);
        assertThat(new ReadOptions().valueSizeSoftLimit(1).valueSizeSoftLimit(-1).valueSizeSoftLimit()).isEqualTo(-1);
        assertThatThrownBy(() -> new Options().ttl(-1)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("ttl").hasMessageContaining("-2").hasMessageContaining("-1");
    }

    @Test
    void aTextThatCWouldCutIsRefused() {
        assertThatThrownBy(() -> new Options().walDir("/tmp\0/x")).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("wal_dir").hasMessageContaining("NUL");
    }

    @Test
    void anIntThatIsATruthInRocksDbIsABoolean() {
        assertThat(new WriteOptions().disableWAL(true).disableWAL()).isTrue();
        assertThat(new Options().useFsync(true).useFsync()).isTrue();
    }
}
