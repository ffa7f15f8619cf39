package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys that are shorter than the prefix, where memtables or tables take the prefix of every key. */
class ShortKeysTest extends DatabaseTest {
    private static final int KEYS = 1200;
    private static final int DELETED = 7;
    /** A sequence number is behind each key, and then nothing that can be relied on. */
    private static final int BEYOND_MEMORY = 100_000;

    private static Options options() {
        return new Options().createIfMissing(true).allowConcurrentMemtableWrite(false).allowMmapReads(true)
                .compression(CompressionType.NONE);
    }

    private static byte[] key(int i) {
        return Bytes.of("k" + i);
    }

    private static void fill(RocksDB db) {
        for (int i = 0; i < KEYS; i++) {
            db.put(key(i), Bytes.of("v" + i));
        }
        db.put(new byte[0], Bytes.of("empty"));
        db.delete(key(DELETED));
    }

    private static void checkGets(RocksDB db) {
        for (int i = 0; i < KEYS; i++) {
            assertThat(db.get(key(i))).as("k%d", i).isEqualTo(i == DELETED ? null : Bytes.of("v" + i));
        }
        assertThat(db.get(new byte[0])).isEqualTo(Bytes.of("empty"));
    }

    private static void check(RocksDB db) {
        checkGets(db);
        try (KeyValueIterator entries = db.with(new ReadOptions().totalOrderSeek(true)).iterator()) {
            int count = 0;
            for (boolean isThere = entries.seekToFirst(); isThere; isThere = entries.next()) {
                count++;
            }
            assertThat(count).isEqualTo(KEYS);
            assertThat(entries.seek(Bytes.of("k1"))).isTrue();
            assertThat(entries.next()).isTrue();
        }
    }

    static Stream<Consumer<Options>> memtables() {
        return Stream.of(options -> options.hashSkipListRep(1000, 4, 4), options -> options.hashLinkListRep(1000),
                options -> options.set("memtable=prefix_hash:1000"),
                options -> options.set("memtable_factory=HashLinkListRepFactory:1000"));
    }

    @ParameterizedTest
    @MethodSource("memtables")
    void hashMemtablesFindShortKeysByCappedPrefixes(Consumer<Options> memtable) {
        for (int length : TestSize.isNightly() ? new int[]{1, 3, 64, BEYOND_MEMORY} : new int[]{3, BEYOND_MEMORY}) {
            Path path = directory.resolve("capped" + length);
            Options options = options().set("prefix_extractor=capped:" + length
                    + ";block_based_table_factory={filter_policy=bloomfilter:10}");
            memtable.accept(options);
            try (RocksDB db = RocksDB.open(path, options)) {
                fill(db);
                check(db);
                db.flush();
                check(db);
                db.put(key(1), Bytes.of("v1"));
                check(db);
            }
            try (RocksDB db = RocksDB.openReadOnly(path, options)) {
                check(db);
            }
            try (RocksDB db = RocksDB.openSecondary(path, directory.resolve("secondary" + length), options)) {
                check(db);
            }
            try (RocksDB db = RocksDB.open(path)) {
                check(db);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("memtables")
    void hashMemtablesWithFixedPrefixesAreRefused(Consumer<Options> memtable) {
        for (int length : new int[]{1, 8, 64, Integer.MAX_VALUE}) {
            for (String extractor : List.of("fixed:", "rocksdb.FixedPrefix.", "{id=fixed:",
                    "{id=rocksdb.FixedPrefix.")) {
                if (length < BEYOND_MEMORY) {
                    String text = "prefix_extractor=" + extractor + length + (extractor.startsWith("{") ? ";}" : "");
                    refused(length, () -> memtable.accept(new Options().set(text)));
                    refused(length, () -> with(memtable).set(text));
                    refused(length, () -> with(memtable).copy().set("max_open_files=10; " + text));
                }
            }
            SliceTransform fixed = SliceTransform.fixedPrefix(length);
            refused(length, () -> memtable.accept(new Options().prefixExtractor(fixed)));
            refused(length, () -> memtable.accept(new Options().prefixExtractor(fixed).copy()));
            refused(length, () -> with(memtable).prefixExtractor(fixed));
            refused(length, () -> CompactionServiceOptionsOverride.of(with(memtable)).prefixExtractor(fixed));
        }
        refused(64, () -> new Options().set("prefix_extractor=fixed:64;memtable=prefix_hash"));
        refused(64,
                () -> new Options().set("memtable=prefix_hash;memtable_factory=skip_list;prefix_extractor=fixed:64"));
        refused(64, () -> CompactionServiceOptionsOverride.of(with(memtable)).option("prefix_extractor", "fixed:64"));
    }

    private static Options with(Consumer<Options> memtable) {
        Options options = new Options();
        memtable.accept(options);
        return options;
    }

    private static void refused(int length, ThrowingCallable set) {
        assertThatThrownBy(set).isInstanceOfAny(IllegalStateException.class, RocksDBException.class)
                .hasMessageContaining("fixed:" + length + " reads beyond keys that are shorter")
                .hasMessageContaining("set(\"prefix_extractor=capped:" + length + "\")");
    }

    @Test
    void refusedValuesAreNotSet() {
        Options options = options().hashSkipListRep(1000, 4, 4).set("prefix_extractor=capped:64");
        refused(64, () -> options.prefixExtractor(SliceTransform.fixedPrefix(64)));
        refused(64, () -> options.set("prefix_extractor=fixed:64"));
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), options));
        fill(db);
        check(db);
    }

    @Test
    void otherMemtablesAndOtherPrefixesAreTaken() {
        SliceTransform fixed = SliceTransform.fixedPrefix(64);
        List<Options> all = List.of(
                options().prefixExtractor(fixed).set("memtable=skip_list"),
                options().hashLinkListRep(1000).set("memtable=skip_list").prefixExtractor(fixed),
                options().prefixExtractor(fixed).set("memtable=prefix_hash;prefix_extractor=capped:64"),
                options().prefixExtractor(fixed).set("prefix_extractor=nullptr").hashLinkListRep(1000),
                options().prefixExtractor(fixed).prefixExtractor(SliceTransform.noop()).hashLinkListRep(1000),
                options().hashSkipListRep(1000, 4, 4).prefixExtractor(SliceTransform.of(new FixedInJava())));
        for (int i = 0; i < all.size(); i++) {
            try (RocksDB db = RocksDB.open(directory.resolve("db" + i), all.get(i))) {
                fill(db);
                checkGets(db);
                db.flush();
                check(db);
            }
        }
        RocksDB db = closeLater(RocksDB.open(directory.resolve("vector"),
                options().hashLinkListRep(1000).memtableVectorRep().prefixExtractor(fixed)));
        fill(db);
        checkGets(db);
    }

    /** Has the name of RocksDB's own one, but is also asked for the prefixes of shorter keys. */
    private static final class FixedInJava implements PrefixExtractor {
        @Override
        public String name() {
            return "rocksdb.FixedPrefix.64";
        }

        @Override
        public long prefixLength(MemorySegment key) {
            return key.byteSize() < 64 ? -1 : 64;
        }
    }

    @Test
    void anOpenFamilyIsNotGivenAFixedPrefix() {
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"),
                options().hashSkipListRep(1000, 4, 4).set("prefix_extractor=capped:64")));
        fill(db);
        refused(64, () -> db.setOptions(Map.of("prefix_extractor", "fixed:64")));
        refused(64, () -> db.setOptions(Map.of("prefix_extractor", "{id=rocksdb.FixedPrefix.64}")));
        check(db);
        ColumnFamily other = db.createColumnFamily("other",
                new Options().prefixExtractor(SliceTransform.fixedPrefix(64)));
        other.setOptions(Map.of("prefix_extractor", "fixed:65"));
        other.put(key(1), Bytes.of("1"));
        assertThat(other.get(key(1))).isEqualTo(Bytes.of("1"));
    }

    /** As other programs leave them. */
    private void database(Path path, UnaryOperator<String> change) throws IOException {
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(path)) {
            all.filter(file -> file.getFileName().toString().startsWith("OPTIONS-")).forEach(files::add);
        }
        for (Path file : files) {
            Files.writeString(file, change.apply(Files.readString(file)));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"{id=HashSkipListRepFactory;bucket_count=1000;skiplist_height=4;branching_factor=4;}",
            "{id=HashLinkListRepFactory;bucket_count=1000;}", "HashLinkListRepFactory:1000"})
    void storedFixedPrefixesOfHashMemtablesAreCapped(String memtable) throws IOException {
        for (String length : List.of("3", "64", "100000", "2147483648", "18446744073709551615")) {
            Path path = directory.resolve("stored" + length);
            try (RocksDB db = RocksDB.open(path, options().prefixExtractor(SliceTransform.fixedPrefix(64))
                    .set("block_based_table_factory={filter_policy=bloomfilter:10}"))) {
                fill(db);
                db.flush();
                db.put(key(2), Bytes.of("v2"));
            }
            database(path, text -> text.replaceAll("memtable_factory=.*", "memtable_factory=" + memtable)
                    .replace("FixedPrefix.64", "FixedPrefix." + length));
            LoadedOptions loaded = LoadedOptions.latest(path);
            try (RocksDB db = RocksDB.openReadOnly(path, loaded.database(), loaded.columnFamilies())) {
                check(db);
            }
            if (length.length() < 8) {
                // Not an extractor that cannot be set by a text.
                try (RocksDB db = RocksDB.openReadOnly(path)) {
                    check(db);
                }
            }
            try (RocksDB db = RocksDB.open(path, loaded.database(), loaded.columnFamilies())) {
                check(db);
                fill(db);
                check(db);
                refused(64, () -> db.setOptions(Map.of("prefix_extractor", "fixed:64")));
            }
            String shown = LoadedOptions.sections(path).toString();
            assertThat(shown).contains("rocksdb.CappedPrefix.").containsAnyOf("HashLinkList", "HashSkipList");
        }
    }

    @Test
    void storedFixedPrefixesOfPlainTablesAreRefusedIfTheyAreLong() throws IOException {
        Path path = directory.resolve("db");
        try (RocksDB db = RocksDB.open(path,
                options().prefixExtractor(SliceTransform.fixedPrefix(8)).plainTableFactory(new PlainTableOptions()))) {
            db.put(Bytes.of("12345678"), Bytes.of("1"));
        }
        try (RocksDB db = RocksDB.open(path)) {
            assertThat(db.get(Bytes.of("12345678"))).isEqualTo(Bytes.of("1"));
        }
        database(path, text -> text.replace("FixedPrefix.8", "FixedPrefix.64"));
        assertThatThrownBy(() -> RocksDB.open(path)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("at most 8 bytes").hasMessageContaining("fixed:64");
        LoadedOptions loaded = LoadedOptions.latest(path);
        assertThatThrownBy(() -> RocksDB.openReadOnly(path, loaded.database(), loaded.columnFamilies()))
                .isInstanceOf(RocksDBException.class).hasMessageContaining("fixed:64");
    }

    @Test
    void plainTablesFindShortKeysByCappedPrefixes() {
        for (int length : new int[]{3, 64, BEYOND_MEMORY}) {
            for (PlainTableEncoding encoding : PlainTableEncoding.values()) {
                Path path = directory.resolve("plain" + length + encoding);
                Options options = options().set("prefix_extractor=capped:" + length)
                        .plainTableFactory(new PlainTableOptions().encodingType(encoding));
                try (RocksDB db = RocksDB.open(path, options)) {
                    fill(db);
                    checkGets(db);
                    db.flush();
                    checkGets(db);
                }
                try (RocksDB db = RocksDB.open(path)) {
                    checkGets(db);
                }
            }
        }
    }

    @Test
    void plainTablesWithLongFixedPrefixesAreRefused() {
        for (PlainTableEncoding encoding : PlainTableEncoding.values()) {
            PlainTableOptions tables = new PlainTableOptions().encodingType(encoding);
            Options plain = new Options().set("prefix_extractor=fixed:8").plainTableFactory(tables);
            for (ThrowingCallable set : List.<ThrowingCallable>of(
                    () -> new Options().set("prefix_extractor=fixed:64").plainTableFactory(tables),
                    () -> plain.copy().set("prefix_extractor=rocksdb.FixedPrefix.64"),
                    () -> plain.copy().set("prefix_extractor={id=fixed:64}"),
                    () -> plain.copy().prefixExtractor(SliceTransform.fixedPrefix(64)),
                    () -> CompactionServiceOptionsOverride.of(plain).prefixExtractor(SliceTransform.fixedPrefix(64)),
                    () -> CompactionServiceOptionsOverride.of(plain).option("prefix_extractor", "fixed:64"))) {
                assertThatThrownBy(set).isInstanceOfAny(IllegalStateException.class, RocksDBException.class)
                        .hasMessageContaining("at most 8 bytes").hasMessageContaining("fixed:64")
                        .hasMessageContaining("capped:64");
            }
            Options blocks = plain.copy().blockBasedTableFactory(new BlockBasedTableOptions());
            blocks.prefixExtractor(SliceTransform.fixedPrefix(64));
            CompactionServiceOptionsOverride.of(plain).blockBasedTableFactory(new BlockBasedTableOptions())
                    .prefixExtractor(SliceTransform.fixedPrefix(64));
        }
    }
}
