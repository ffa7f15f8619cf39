package dev.outcrop.rocksdb;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Options as text, and as RocksDB stores them with a database. */
class OptionsTextTest extends DatabaseTest {
    @Test
    void everyOptionInTheTextIsOneThatCanBeSet() {
        Map<String, String> texts = new Options().texts();
        assertThat(texts).hasSizeGreaterThan(170);
        texts.forEach((name, value) -> assertThat(new Options().set(name + "=" + value).texts()).as(name)
                .containsEntry(name, value));
    }

    @Test
    void optionsThatDifferComeBackFromTheirText() {
        Options options = create().maxOpenFiles(77).writeBufferSize(12345678)
                .compression(CompressionType.ZSTD).bottommostCompression(CompressionType.LZ4HC)
                .compactionStyle(CompactionStyle.UNIVERSAL).walRecoveryMode(WalRecoveryMode.ABSOLUTE_CONSISTENCY)
                .lastLevelTemperature(Temperature.COLD).infoLogLevel(InfoLogLevel.WARN)
                .prepopulateBlobCache(PrepopulateBlobCache.FLUSH_ONLY).lowestUsedCacheTier(CacheTier.VOLATILE)
                .compactionPri(CompactionPriority.ROUND_ROBIN).enableBlobGc(true).blobGcAgeCutoff(0.125)
                .maxBytesForLevelMultiplier(1e10).ttl(60).periodicCompactionSeconds(-2).verifyOutputFlags(
                        Set.of(VerifyOutputFlag.ITERATION, VerifyOutputFlag.ENABLE_FOR_LOCAL_COMPACTION))
                .compressionOptionsParallelThreads(3).compressionOptionsZstdMaxTrainBytes(1000);
        for (String directory : List.of("", "/some/where", "/with;semicolon", "/with=equals", "/a {b;c} d", " x ")) {
            options.walDir(directory);
            Options other = new Options().set(options.text());
            assertThat(other.texts()).isEqualTo(options.texts());
            assertThat(other.walDir()).isEqualTo(directory);
        }
        options.walDir("/{");
        assertThatThrownBy(options::text).isInstanceOf(IllegalStateException.class).hasMessageContaining("wal_dir");
    }

    @Test
    void aDatabaseOpensAgainWithItsOptions() {
        Options users = new Options().set("comparator=rocksdb.ReverseBytewiseComparator").writeBufferSize(7 << 20)
                .mergeOperator(MergeOperator.MAX)
                .blockBasedTableFactory(new BlockBasedTableOptions().blockSize(1234));
        try (RocksDB db = open(create().maxOpenFiles(321))) {
            ColumnFamily family = db.createColumnFamily("users", users);
            family.put(Bytes.of("a"), Bytes.of("1"));
            family.merge(Bytes.of("a"), Bytes.of("2"));
            db.createColumnFamily("others", new Options().writeBufferSize(5 << 20));
        }
        Cache cache = Cache.lru(1 << 20);
        LoadedOptions loaded = LoadedOptions.latest(directory, cache);
        System.gc();
        assertThat(loaded.columnFamilies()).containsOnlyKeys("default", "users", "others");
        assertThat(loaded.database().maxOpenFiles()).isEqualTo(321);
        assertThat(family(loaded, "users").writeBufferSize()).isEqualTo(7 << 20);
        assertThat(family(loaded, "others").writeBufferSize()).isEqualTo(5 << 20);
        try (RocksDB db = RocksDB.open(directory, loaded.database(), loaded.columnFamilies())) {
            ColumnFamily family = db.columnFamily("users");
            assertThat(family.get(Bytes.of("a"))).isEqualTo(Bytes.of("2"));
            db.flush();
            family.flush();
            assertThat(family.get(Bytes.of("a"))).isEqualTo(Bytes.of("2"));
            assertThat(cache.usage()).isPositive();
        }
        LoadedOptions again = LoadedOptions.latest(directory);
        assertThat(family(again, "users").texts()).isEqualTo(family(loaded, "users").texts());
    }

    private static Options family(LoadedOptions loaded, String name) {
        return Objects.requireNonNull(loaded.columnFamilies().get(name));
    }

    @Test
    void missingOptionsAreReported() {
        assertThatThrownBy(() -> LoadedOptions.latest(directory)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining(directory.toString()).hasMessageContaining("No options files");
        assertThatThrownBy(() -> LoadedOptions.latest(directory.resolve("nowhere")))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("nowhere");
    }

    @Test
    void anUnknownComparatorOrMergeOperatorKeepsTheDatabaseClosed() throws Exception {
        try (RocksDB db = open(create().mergeOperator(MergeOperator.MAX))) {
            db.merge(Bytes.of("a"), Bytes.of("1"));
        }
        try (Stream<Path> files = Files.list(directory)) {
            Path stored = files.filter(file -> file.getFileName().toString().startsWith("OPTIONS")).max(
                    Comparator.naturalOrder()).orElseThrow();
            Files.writeString(stored, Files.readString(stored)
                    .replaceAll("comparator=leveldb.BytewiseComparator", "comparator=mine")
                    .replaceAll("merge_operator=.*", "merge_operator=mine"));
        }
        LoadedOptions loaded = LoadedOptions.latest(directory);
        assertThat(family(loaded, "default").hasMergeOperator()).isFalse();
        assertThatThrownBy(() -> RocksDB.open(directory, loaded.database(), loaded.columnFamilies()))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("mine");
    }
}
