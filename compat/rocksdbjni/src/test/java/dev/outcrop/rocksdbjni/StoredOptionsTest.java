package dev.outcrop.rocksdbjni;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.ChecksumType;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompressionOptions;
import org.rocksdb.CompressionType;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.DbPath;
import org.rocksdb.Env;
import org.rocksdb.FlushOptions;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;
import org.rocksdb.StringAppendOperator;
import org.rocksdb.UInt64AddOperator;

/** Options read from files and properties, and objects that options take. */
class StoredOptionsTest extends DatabaseTest {
    @Test
    void theOptionsOfADatabaseAreReadAgain() throws Exception {
        try (DBOptions database = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)
                .setMaxOpenFiles(1234);
                ColumnFamilyOptions family = new ColumnFamilyOptions().setWriteBufferSize(5 << 20)
                        .setCompressionType(CompressionType.LZ4_COMPRESSION)
                        .setTableFormatConfig(new BlockBasedTableConfig().setBlockSize(8192).setFormatVersion(5)
                                .setCacheIndexAndFilterBlocks(true).setChecksumType(ChecksumType.kCRC32c)
                                .setDataBlockHashTableUtilRatio(0.5).setFilterPolicy(new BloomFilter(7.5)));
                RocksDB _ = RocksDB.open(database, path(),
                        List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                                new ColumnFamilyDescriptor(b("more"), family)),
                        new ArrayList<>())) {
            String file = OptionsUtil.getLatestOptionsFileName(path(), Env.getDefault());
            try (ConfigOptions config = new ConfigOptions();
                    DBOptions latest = new DBOptions();
                    DBOptions fromFile = new DBOptions()) {
                List<ColumnFamilyDescriptor> families = new ArrayList<>();
                OptionsUtil.loadLatestOptions(config, path(), latest, families);
                check(latest, families);
                families.clear();
                OptionsUtil.loadOptionsFromFile(config, path() + "/" + file, fromFile, families);
                check(fromFile, families);
                assertThat(((BlockBasedTableConfig) families.get(1).getOptions().tableFormatConfig()).filterPolicy())
                        .isEqualTo(new BloomFilter(7.5));
            }
        }
        ConfigOptions config = closeLater(new ConfigOptions());
        DBOptions options = closeLater(new DBOptions());
        assertThatThrownBy(() -> OptionsUtil.loadLatestOptions(config, path() + "none", options, new ArrayList<>()))
                .isInstanceOf(RocksDBException.class);
        assertThatThrownBy(() -> OptionsUtil.getLatestOptionsFileName(path() + "none", Env.getDefault()))
                .isInstanceOfSatisfying(RocksDBException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.NotFound));
    }

    private static void check(DBOptions database, List<ColumnFamilyDescriptor> families) {
        assertThat(database.maxOpenFiles()).isEqualTo(1234);
        assertThat(families).hasSize(2);
        assertThat(families.get(1).getName()).isEqualTo(b("more"));
        try (ColumnFamilyOptions family = families.get(1).getOptions()) {
            assertThat(family.writeBufferSize()).isEqualTo(5 << 20);
            assertThat(family.compressionType()).isEqualTo(CompressionType.LZ4_COMPRESSION);
            BlockBasedTableConfig table = (BlockBasedTableConfig) family.tableFormatConfig();
            assertThat(table.blockSize()).isEqualTo(8192);
            assertThat(table.formatVersion()).isEqualTo(5);
            assertThat(table.cacheIndexAndFilterBlocks()).isTrue();
            assertThat(table.checksumType()).isEqualTo(ChecksumType.kCRC32c);
            assertThat(table.dataBlockHashTableUtilRatio()).isEqualTo(0.5);
        }
        try (ColumnFamilyOptions family = families.get(0).getOptions()) {
            assertThat(((BlockBasedTableConfig) family.tableFormatConfig()).blockSize()).isEqualTo(4096);
        }
    }

    @Test
    void propertiesBecomeOptionsOrNothing() {
        try (ColumnFamilyOptions family = ColumnFamilyOptions
                .getColumnFamilyOptionsFromProps(properties("write_buffer_size", "112"));
                DBOptions database = DBOptions.getDBOptionsFromProps(properties("max_open_files", "113"));
                ConfigOptions ignoring = new ConfigOptions().setIgnoreUnknownOptions(true);
                ColumnFamilyOptions partly = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(ignoring,
                        properties("write_buffer_size", "114", "bogus", "1"))) {
            assertThat(family.writeBufferSize()).isEqualTo(112);
            assertThat(database.maxOpenFiles()).isEqualTo(113);
            assertThat(partly.writeBufferSize()).isEqualTo(114);
        }
        assertThat(DBOptions.getDBOptionsFromProps(properties("write_buffer_size", "112"))).isNull();
        assertThat(DBOptions.getDBOptionsFromProps(properties("max_open_files", "many"))).isNull();
        assertThat(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties("max_open_files", "112"))).isNull();
        assertThat(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(properties("bogus", "112"))).isNull();
        assertThatThrownBy(() -> DBOptions.getDBOptionsFromProps(new Properties()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void mergeOperatorsMerge() throws RocksDBException {
        StringAppendOperator comma = closeLater(new StringAppendOperator());
        StringAppendOperator bar = closeLater(new StringAppendOperator("|"));
        UInt64AddOperator add = closeLater(new UInt64AddOperator());
        assertThat(merged("comma", new Options().setMergeOperator(comma), b("a"), b("b"))).isEqualTo(b("a,b"));
        assertThat(merged("bar", new Options().setMergeOperator(bar), b("a"), b("b"))).isEqualTo(b("a|b"));
        assertThat(merged("name", new Options().setMergeOperatorName("stringappend"), b("a"), b("b")))
                .isEqualTo(b("a,b"));
        assertThat(merged("add", new Options().setMergeOperator(add), number(3), number(4))).isEqualTo(number(7));
    }

    private byte[] merged(String name, Options given, byte[] first, byte[] second) throws RocksDBException {
        try (Options options = given.setCreateIfMissing(true); RocksDB db = RocksDB.open(options, path() + name)) {
            db.merge(b("key"), first);
            db.merge(b("key"), second);
            return db.get(b("key"));
        }
    }

    @Test
    void objectsReachTheDatabase() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                CompressionOptions compression = new CompressionOptions().setLevel(3).setEnabled(true)) {
            try (RemoveEmptyValueCompactionFilter filter = new RemoveEmptyValueCompactionFilter()) {
                options.setCompactionFilter(filter); // which stays in memory when it is closed
            }
            options.setCompressionOptions(compression)
                    .setMemTableConfig(new HashSkipListMemTableConfig().setBucketCount(1000))
                    .useFixedLengthPrefixExtractor(1).setAllowConcurrentMemtableWrite(false)
                    .setDbPaths(List.of(new DbPath(directory.resolve("files"), 1L << 30)));
            assertThat(options.compressionOptions().level()).isEqualTo(3);
            assertThat(options.dbPaths()).containsExactly(new DbPath(directory.resolve("files"), 1L << 30));
            try (Options copy = new Options(options)) {
                assertThat(copy.memTableConfig()).isSameAs(options.memTableConfig());
                try (RocksDB db = RocksDB.open(copy, path()); FlushOptions flush = new FlushOptions()) {
                    db.put(b("a"), b("1"));
                    db.flush(flush);
                    assertThat(db.get(b("a"))).isEqualTo(b("1"));
                    assertThat(db.getLiveFilesMetaData().getFirst().path()).isEqualTo(path("files"));
                }
            }
        }
        Options plain = closeLater(new Options().setCreateIfMissing(true).useFixedLengthPrefixExtractor(1)
                .setAllowMmapReads(true).setTableFormatConfig(new PlainTableConfig()));
        RocksDB db = closeLater(RocksDB.open(plain, path() + "plain"));
        FlushOptions flush = closeLater(new FlushOptions());
        db.put(b("a"), b("1"));
        db.flush(flush);
        assertThat(db.get(b("a"))).isEqualTo(b("1"));
    }

    /** A program that reads such a list, changes an element and sets it again must not lose the others. */
    @Test
    void listsOfLoadedOptionsAreRead() throws Exception {
        assertThat(closeLater(new Options()).compressionPerLevel()).isEmpty();
        assertThat(closeLater(new ColumnFamilyOptions()).maxBytesForLevelMultiplierAdditional())
                .containsExactly(1, 1, 1, 1, 1, 1, 1);
        ColumnFamilyOptions read = closeLater(ColumnFamilyOptions.getColumnFamilyOptionsFromProps(
                properties("compression_per_level", "kNoCompression:kLZ4Compression:kZSTD",
                        "max_bytes_for_level_multiplier_additional", "1:2:3")));
        requireLists(read);
        requireLists(closeLater(new ColumnFamilyOptions(read)));
        List<ColumnFamilyHandle> handles = new ArrayList<>();
        DBOptions database = closeLater(new DBOptions().setCreateIfMissing(true));
        RocksDB _ = closeLater(RocksDB.open(database, path(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, read)), handles));
        requireLists(closeLater(handles.getFirst().getDescriptor().getOptions()));
        List<ColumnFamilyDescriptor> families = new ArrayList<>();
        ConfigOptions config = closeLater(new ConfigOptions());
        OptionsUtil.loadLatestOptions(config, path(), database, families);
        ColumnFamilyOptions loaded = closeLater(families.getFirst().getOptions());
        requireLists(loaded);
        loaded.setCompressionPerLevel(loaded.compressionPerLevel().subList(0, 2));
        loaded.setMaxBytesForLevelMultiplierAdditional(new int[]{4});
        assertThat(loaded.compressionPerLevel()).containsExactly(CompressionType.NO_COMPRESSION,
                CompressionType.LZ4_COMPRESSION);
        assertThat(loaded.maxBytesForLevelMultiplierAdditional()).containsExactly(4);
    }

    private static void requireLists(ColumnFamilyOptions options) {
        assertThat(options.compressionPerLevel()).containsExactly(CompressionType.NO_COMPRESSION,
                CompressionType.LZ4_COMPRESSION, CompressionType.ZSTD_COMPRESSION);
        assertThat(options.maxBytesForLevelMultiplierAdditional()).containsExactly(1, 2, 3);
    }

    /** RocksDB divides by the rate, or gives out no byte in any of its periods. */
    @ParameterizedTest
    @ValueSource(strings = {"0", "1", " +9", "0K", "16777216T"})
    void ratesThatGiveOutNothingAreRefused(String rate) throws Exception {
        assertThatThrownBy(() -> DBOptions.getDBOptionsFromProps(properties("rate_limiter_bytes_per_sec", rate)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("rate_limiter_bytes_per_sec");
        Path file = Files.writeString(directory.resolve("options"), "[Version]\nrocksdb_version=11.8.1\n"
                + "options_file_version=1.1\n[DBOptions]\n  rate_limiter_bytes_per_sec = " + rate
                + "\n[CFOptions \"default\"]\n");
        ConfigOptions config = closeLater(new ConfigOptions());
        DBOptions options = closeLater(new DBOptions());
        assertThatThrownBy(() -> OptionsUtil.loadOptionsFromFile(config, file.toString(), options, new ArrayList<>()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("rate_limiter_bytes_per_sec");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "1K", "10M", "9223372036854775807"})
    void otherRatesWork(String rate) throws Exception {
        DBOptions options = closeLater(DBOptions.getDBOptionsFromProps(
                properties("rate_limiter_bytes_per_sec", rate, "create_if_missing", "true")));
        RocksDB db = closeLater(RocksDB.open(options, path(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY)), new ArrayList<>()));
        db.put(KEY, KEY);
        assertThat(db.get(KEY)).isEqualTo(KEY);
    }

    private static Properties properties(String... namesAndValues) {
        Properties properties = new Properties();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            properties.setProperty(namesAndValues[i], namesAndValues[i + 1]);
        }
        return properties;
    }

    private static byte[] number(int value) {
        return new byte[]{(byte) value, 0, 0, 0, 0, 0, 0, 0};
    }
}
