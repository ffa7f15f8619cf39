package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ConfigOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.Env;
import org.rocksdb.EnvOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.FlushOptions;
import org.rocksdb.HashLinkedListMemTableConfig;
import org.rocksdb.HashSkipListMemTableConfig;
import org.rocksdb.ImportColumnFamilyOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.MemTableConfig;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.OptionsUtil;
import org.rocksdb.PlainTableConfig;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.SkipListMemTableConfig;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TtlDB;

/** Keys that are shorter than the prefix, where memtables or tables take the prefix of every key. */
class ShortKeysTest extends DatabaseTest {
    private static final int KEYS = TestSize.choose("outcrop.prefixes.keys", 300, 1200);
    private static final int DELETED = 7;
    /** A sequence number is behind each key, and then nothing that can be relied on. */
    private static final int BEYOND_MEMORY = 100_000;
    private static final int[] LENGTHS = {9, 64, BEYOND_MEMORY, Integer.MAX_VALUE};

    private static void fill(RocksDB db) throws RocksDBException {
        fill(db, db.getDefaultColumnFamily());
    }

    private static void fill(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
        for (int i = 0; i < KEYS; i++) {
            db.put(family, b("k" + i), b("v" + i));
        }
        db.put(family, b(""), b("empty"));
        db.delete(family, b("k" + DELETED));
    }

    private static void check(RocksDB db) throws RocksDBException {
        check(db, db.getDefaultColumnFamily());
    }

    private static void check(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
        checkGets(db, family);
        try (ReadOptions total = new ReadOptions().setTotalOrderSeek(true);
                RocksIterator entries = db.newIterator(family, total)) {
            int count = 0;
            for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                count++;
            }
            assertThat(count).isEqualTo(KEYS);
        }
        try (RocksIterator entries = db.newIterator(family)) {
            entries.seek(b("k1"));
            assertThat(entries.key()).isEqualTo(b("k1"));
        }
    }

    private static void checkGets(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
        for (int i = 0; i < KEYS; i++) {
            assertThat(db.get(family, b("k" + i))).as("k%d", i).isEqualTo(i == DELETED ? null : b("v" + i));
        }
        assertThat(db.get(family, b(""))).isEqualTo(b("empty"));
    }

    private static void flush(RocksDB db) throws RocksDBException {
        try (FlushOptions flush = new FlushOptions()) {
            db.flush(flush);
        }
    }

    private static Options options() {
        // Most of what is preallocated is never written.
        return new Options().setCreateIfMissing(true).setAllowFAllocate(false).setAllowConcurrentMemtableWrite(false)
                .setTableFormatConfig(new BlockBasedTableConfig().setFilterPolicy(new BloomFilter(10)));
    }

    static Stream<Supplier<MemTableConfig>> memtables() {
        return Stream.of(HashSkipListMemTableConfig::new, HashLinkedListMemTableConfig::new);
    }

    @Tag("verify")
    @ParameterizedTest
    @MethodSource("memtables")
    void hashMemtablesFindShortKeys(Supplier<MemTableConfig> memtable) throws RocksDBException {
        for (int length : LENGTHS) {
            String path = path("db" + length);
            for (boolean extractorFirst : new boolean[]{true, false}) {
                try (Options options = options()) {
                    if (extractorFirst) {
                        options.useFixedLengthPrefixExtractor(length).setMemTableConfig(memtable.get());
                    } else {
                        options.setMemTableConfig(memtable.get()).useFixedLengthPrefixExtractor(length);
                    }
                    try (RocksDB db = RocksDB.open(options, path)) {
                        fill(db);
                        check(db);
                        flush(db);
                        check(db);
                        db.put(b("k1"), b("v1"));
                        check(db);
                    }
                    everyWayToOpen(options, path);
                    RocksDB.destroyDB(path, options);
                }
            }
        }
    }

    private void everyWayToOpen(Options options, String path) throws RocksDBException {
        try (RocksDB db = RocksDB.openReadOnly(options, path)) {
            check(db);
        }
        try (RocksDB db = RocksDB.openAsSecondary(options, path, path + "secondary")) {
            check(db);
        }
        try (OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path)) {
            fill(db);
            check(db);
        }
        try (TransactionDBOptions locks = new TransactionDBOptions();
                TransactionDB db = TransactionDB.open(options, locks, path)) {
            fill(db);
            check(db);
        }
        try (Options copy = new Options(options); RocksDB db = RocksDB.open(copy, path)) {
            fill(db);
            check(db);
        }
        String withTimes = path + "ttl";
        try (TtlDB db = TtlDB.open(options, withTimes)) {
            fill(db);
            check(db);
        }
        RocksDB.destroyDB(withTimes, options);
    }

    @Tag("verify")
    @ParameterizedTest
    @MethodSource("memtables")
    void hashMemtablesOfFamiliesFindShortKeys(Supplier<MemTableConfig> memtable) throws RocksDBException {
        for (int length : LENGTHS) {
            String path = path("db" + length);
            try (ColumnFamilyOptions first = new ColumnFamilyOptions().setMemTableConfig(memtable.get())
                    .useFixedLengthPrefixExtractor(length);
                    ColumnFamilyOptions copy = new ColumnFamilyOptions(first);
                    DBOptions database = new DBOptions().setCreateIfMissing(true).setAllowFAllocate(false)
                            .setAllowConcurrentMemtableWrite(false);
                    Options both = new Options(database, copy);
                    ColumnFamilyOptions half = new ColumnFamilyOptions(both)) {
                List<ColumnFamilyDescriptor> families = new ArrayList<>(
                        List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, half)));
                List<ColumnFamilyHandle> handles = new ArrayList<>();
                try (RocksDB db = RocksDB.open(both, path)) {
                    fill(db);
                    check(db);
                }
                try (RocksDB db = RocksDB.open(database, path, families, handles)) {
                    fill(db);
                    check(db);
                    ColumnFamilyHandle made = db.createColumnFamily(new ColumnFamilyDescriptor(b("made"), half));
                    fill(db, made);
                    check(db, made);
                    try (Checkpoint checkpoint = Checkpoint.create(db);
                            ExportImportFilesMetaData files = checkpoint.exportColumnFamily(made, path + "export");
                            ImportColumnFamilyOptions importing = new ImportColumnFamilyOptions();
                            ColumnFamilyHandle imported = db.createColumnFamilyWithImport(
                                    new ColumnFamilyDescriptor(b("imported"), half), importing, files)) {
                        check(db, imported);
                        fill(db, imported);
                        check(db, imported);
                    }
                    made.close();
                }
                families.add(new ColumnFamilyDescriptor(b("made"), copy));
                families.add(new ColumnFamilyDescriptor(b("imported"), copy));
                handles.clear();
                try (RocksDB db = RocksDB.open(database, path, families, handles)) {
                    for (ColumnFamilyHandle handle : handles) {
                        check(db, handle);
                    }
                }
                handles.clear();
                try (RocksDB db = RocksDB.openAsSecondary(database, path, path + "secondary", families, handles)) {
                    for (ColumnFamilyHandle handle : handles) {
                        check(db, handle);
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @MethodSource("memtables")
    void tablesWithTheFixedPrefixAreRead(Supplier<MemTableConfig> memtable) throws RocksDBException {
        for (int length : new int[]{9, 64}) {
            String path = path("db" + length);
            try (Options options = options().useFixedLengthPrefixExtractor(length);
                    RocksDB db = RocksDB.open(options, path)) {
                fill(db);
                flush(db);
                db.put(b("k2"), b("v2"));
                check(db);
            }
            try (Options options = options().useFixedLengthPrefixExtractor(length).setMemTableConfig(memtable.get())) {
                try (RocksDB db = RocksDB.openReadOnly(options, path)) {
                    check(db);
                }
                try (RocksDB db = RocksDB.openAsSecondary(options, path, path + "secondary")) {
                    check(db);
                }
                try (RocksDB db = RocksDB.open(options, path); ReadOptions same = new ReadOptions()) {
                    check(db);
                    flush(db);
                    same.setPrefixSameAsStart(true);
                    try (RocksIterator entries = db.newIterator(same)) {
                        int count = 0;
                        for (entries.seek(b("k12")); entries.isValid(); entries.next()) {
                            count++;
                        }
                        assertThat(count).isEqualTo(1);
                    }
                    fill(db);
                    check(db);
                    db.compactRange();
                    check(db);
                }
            }
            // And back: with memtables that need no other prefix.
            try (Options options = options().useFixedLengthPrefixExtractor(length);
                    RocksDB db = RocksDB.open(options, path)) {
                check(db);
            }
        }
    }

    @Test
    void ingestedFilesAreRead() throws RocksDBException {
        String file = path("file.sst");
        Options options = closeLater(options().useFixedLengthPrefixExtractor(64)
                .setMemTableConfig(new HashSkipListMemTableConfig()));
        EnvOptions environment = closeLater(new EnvOptions());
        SstFileWriter writer = closeLater(new SstFileWriter(environment, options));
        writer.open(file);
        writer.put(b("k"), b("v"));
        writer.finish();
        RocksDB db = closeLater(RocksDB.open(options, path()));
        IngestExternalFileOptions ingesting = closeLater(new IngestExternalFileOptions());
        db.ingestExternalFile(List.of(file), ingesting);
        assertThat(db.get(b("k"))).isEqualTo(b("v"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"memtable=prefix_hash", "memtable_factory={id=HashLinkListRepFactory;bucket_count=1000}",
            "memtable_factory=HashSkipListRepFactory:1000"})
    void optionsOfTextsAreSafe(String memtable) throws RocksDBException {
        String name = memtable.substring(0, memtable.indexOf('='));
        List<String> extractors = List.of("fixed:" + BEYOND_MEMORY, "rocksdb.FixedPrefix." + BEYOND_MEMORY,
                "{id=rocksdb.FixedPrefix." + BEYOND_MEMORY + "}", "rocksdb.FixedPrefix.18446744073709551615",
                "fi\\xed:" + BEYOND_MEMORY, "fixed:" + BEYOND_MEMORY + "\nprefix_extractor.none=1");
        for (int i = 0; i < extractors.size(); i++) {
            Properties properties = new Properties();
            properties.setProperty(name, memtable.substring(name.length() + 1));
            properties.setProperty("prefix_extractor", extractors.get(i));
            try (ConfigOptions config = new ConfigOptions().setIgnoreUnknownOptions(true);
                    ColumnFamilyOptions family = ColumnFamilyOptions.getColumnFamilyOptionsFromProps(config,
                            properties);
                    DBOptions database = new DBOptions().setCreateIfMissing(true).setAllowFAllocate(false)
                            .setAllowConcurrentMemtableWrite(false);
                    Options options = new Options(database, family);
                    RocksDB db = RocksDB.open(options, path("db" + i))) {
                fill(db);
                check(db);
            }
        }
    }

    @Test
    void loadedOptionsAreSafe() throws RocksDBException, IOException {
        String path = path();
        try (Options options = options().useFixedLengthPrefixExtractor(BEYOND_MEMORY);
                RocksDB db = RocksDB.open(options, path)) {
            fill(db);
            flush(db);
        }
        ConfigOptions config = closeLater(new ConfigOptions());
        DBOptions database = closeLater(new DBOptions());
        Path file = Path.of(path, OptionsUtil.getLatestOptionsFileName(path, Env.getDefault()));
        // As the published jar leaves it.
        Files.writeString(file, Files.readString(file).replaceAll("memtable_factory=.*",
                "memtable_factory={id=HashSkipListRepFactory;bucket_count=1000;skiplist_height=4;branching_factor=4;}"));
        for (boolean latest : new boolean[]{true, false}) {
            List<ColumnFamilyDescriptor> families = new ArrayList<>();
            if (latest) {
                OptionsUtil.loadLatestOptions(config, path, database, families);
            } else {
                OptionsUtil.loadOptionsFromFile(config, file.toString(), database, families);
            }
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            try (RocksDB db = RocksDB.openReadOnly(database, path, families, handles)) {
                check(db);
            }
            handles.clear();
            try (DBOptions copy = new DBOptions(database).setCreateIfMissing(true);
                    RocksDB db = RocksDB.open(copy, path + latest, families, handles)) {
                fill(db);
                check(db);
            }
            families.forEach(family -> family.getOptions().close());
        }
    }

    @Test
    void otherOptionsStayAsTheyAre() throws RocksDBException, IOException {
        try (Options fixed = options().useFixedLengthPrefixExtractor(64)
                .setMemTableConfig(new SkipListMemTableConfig());
                RocksDB db = RocksDB.open(fixed, path("fixed"))) {
            fill(db);
            check(db);
        }
        try (Options hashed = options().useFixedLengthPrefixExtractor(64)
                .setMemTableConfig(new HashSkipListMemTableConfig()).setMemTableConfig(new SkipListMemTableConfig());
                RocksDB db = RocksDB.open(hashed, path("hashed"))) {
            fill(db);
            check(db);
        }
        for (String name : List.of("fixed", "hashed")) {
            assertThat(stored(name)).contains("prefix_extractor=rocksdb.FixedPrefix.64");
        }
        try (Options capped = options().setMemTableConfig(new HashSkipListMemTableConfig())
                .useFixedLengthPrefixExtractor(64).useCappedPrefixExtractor(5);
                RocksDB db = RocksDB.open(capped, path("capped"))) {
            fill(db);
            check(db);
        }
        assertThat(stored("capped")).contains("prefix_extractor=rocksdb.CappedPrefix.5");
    }

    private String stored(String name) throws IOException, RocksDBException {
        return Files
                .readString(Path.of(path(name), OptionsUtil.getLatestOptionsFileName(path(name), Env.getDefault())));
    }

    /** As published: all keys have the same prefix. */
    @Test
    void prefixesOfNoBytesWork() throws RocksDBException {
        for (MemTableConfig memtable : List.of(new HashSkipListMemTableConfig(), new HashLinkedListMemTableConfig())) {
            for (boolean isCapped : new boolean[]{true, false}) {
                String path = path(memtable.getClass().getSimpleName() + isCapped);
                try (Options options = options().setMemTableConfig(memtable)) {
                    RocksDB db = RocksDB.open(isCapped
                            ? options.useCappedPrefixExtractor(0)
                            : options.useFixedLengthPrefixExtractor(0), path);
                    try (db) {
                        fill(db);
                        check(db);
                        flush(db);
                        check(db);
                    }
                }
            }
        }
        Options plain = closeLater(options().setAllowMmapReads(true).setTableFormatConfig(new PlainTableConfig())
                .useFixedLengthPrefixExtractor(0));
        RocksDB db = closeLater(RocksDB.open(plain, path("plain")));
        fill(db);
        flush(db);
        checkGets(db, db.getDefaultColumnFamily());
    }

    /** As published: a fixed prefix that no key has, or a capped one that is the whole key. */
    @ParameterizedTest
    @ValueSource(ints = {-1, Integer.MIN_VALUE})
    void negativeLengthsAreEndless(int length) throws RocksDBException {
        for (boolean isFixed : new boolean[]{true, false}) {
            for (MemTableConfig memtable : List.of(new SkipListMemTableConfig(), new HashSkipListMemTableConfig())) {
                String path = path("endless" + isFixed + memtable.getClass().getSimpleName() + length);
                try (Options options = options().setAllowConcurrentMemtableWrite(false).setMemTableConfig(memtable)) {
                    if (isFixed) {
                        options.useFixedLengthPrefixExtractor(length);
                    } else {
                        options.useCappedPrefixExtractor(length);
                    }
                    try (RocksDB db = RocksDB.open(options, path)) {
                        db.put(new byte[]{1, 2}, new byte[]{3});
                        flush(db);
                        db.put(new byte[20], new byte[]{4});
                        assertThat(db.get(new byte[]{1, 2})).containsExactly(3);
                        assertThat(db.get(new byte[20])).containsExactly(4);
                    }
                    RocksDB.open(options, path).close();
                }
            }
        }
    }

    @Test
    void plainTablesWithLongFixedPrefixesAreNotOpened() throws RocksDBException {
        String path = path();
        for (MemTableConfig memtable : List.of(new SkipListMemTableConfig(), new HashSkipListMemTableConfig())) {
            try (Options options = options().setAllowMmapReads(true).useFixedLengthPrefixExtractor(9)
                    .setMemTableConfig(memtable).setTableFormatConfig(new PlainTableConfig());
                    ColumnFamilyOptions family = new ColumnFamilyOptions(options);
                    DBOptions database = new DBOptions(options);
                    EnvOptions environment = new EnvOptions()) {
                List<ColumnFamilyDescriptor> families = List
                        .of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, family));
                refused(() -> RocksDB.open(options, path));
                refused(() -> RocksDB.openReadOnly(options, path));
                refused(() -> RocksDB.openAsSecondary(options, path, path + "2"));
                refused(() -> RocksDB.open(database, path, families, new ArrayList<>()));
                refused(() -> new SstFileWriter(environment, options));
                try (RocksDB db = RocksDB.open(path + "other")) {
                    refused(() -> db.createColumnFamily(new ColumnFamilyDescriptor(b("f"), family)));
                }
                assertThat(RocksDB.listColumnFamilies(options, path)).isEmpty();
                RocksDB.destroyDB(path, options);
                options.useFixedLengthPrefixExtractor(8);
                try (RocksDB db = RocksDB.open(options, path)) {
                    db.put(b("12345678"), b("1"));
                    flush(db);
                    assertThat(db.get(b("12345678"))).isEqualTo(b("1"));
                }
                RocksDB.destroyDB(path, options);
                options.useCappedPrefixExtractor(64);
                try (RocksDB db = RocksDB.open(options, path)) {
                    fill(db);
                    flush(db);
                    checkGets(db, db.getDefaultColumnFamily());
                }
                RocksDB.destroyDB(path, options);
            }
        }
    }

    private static void refused(ThrowingCallable open) {
        assertThatThrownBy(open).isInstanceOf(IllegalArgumentException.class).hasMessageContaining("plain tables")
                .hasMessageContaining("9 bytes").hasMessageContaining("useCappedPrefixExtractor(9)");
    }
}
