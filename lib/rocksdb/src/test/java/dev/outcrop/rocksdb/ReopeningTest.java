package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.UserComparator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A database opened by its path alone has what it and its column families were made with. */
class ReopeningTest extends DatabaseTest {
    private static Map<String, Options> families() {
        return Map.of("zstd", new Options().compression(CompressionType.ZSTD).writeBufferSize(7 << 20)
                .set("prefix_extractor=fixed:2;block_based_table_factory={block_size=12345;"
                        + "filter_policy=ribbonfilter:9;whole_key_filtering=false}"),
                "reverse",
                new Options().set("comparator=rocksdb.ReverseBytewiseComparator").mergeOperator(MergeOperator.MAX)
                        .compactionStyle(CompactionStyle.UNIVERSAL)
                        .set("compaction_filter=RemoveEmptyValueCompactionFilter"),
                "plain",
                new Options().set("prefix_extractor=capped:3")
                        .plainTableFactory(new PlainTableOptions().bloomBitsPerKey(7)),
                "bloom", new Options().blockBasedTableFactory(table(FilterPolicy.bloom(9.5))),
                "ribbon", new Options().blockBasedTableFactory(table(FilterPolicy.ribbonHybrid(8, 3))),
                "cuckoo", new Options().cuckooTableFactory(new CuckooTableOptions().hashTableRatio(0.7)));
    }

    private static BlockBasedTableOptions table(FilterPolicy policy) {
        return new BlockBasedTableOptions().blockSize(7000).filterPolicy(policy);
    }

    private static Options database() {
        return create().createMissingColumnFamilies(true).maxOpenFiles(321)
                .allowMmapReads(true).compression(CompressionType.ZLIB).mergeOperator(MergeOperator.STRING_APPEND);
    }

    private static void fill(RocksDB db) {
        for (ColumnFamily family : db.columnFamilies()) {
            family.put(KEY, VALUE);
            family.flush();
            assertThat(family.get(KEY)).isEqualTo(VALUE);
        }
    }

    private static void check(RocksDB db) {
        for (ColumnFamily family : db.columnFamilies()) {
            assertThat(family.get(KEY)).as(family.toString()).isEqualTo(VALUE);
        }
    }

    /** All options, as stored, with those of the tables. */
    private Map<String, String> stored() throws IOException {
        Map<String, String> all = new TreeMap<>();
        String section = "";
        for (String line : Files.readAllLines(optionsFile())) {
            if (line.startsWith("[")) {
                section = line;
            } else if (line.contains("=") && !section.contains("Version")) {
                all.put(section + line.substring(0, line.indexOf('=')), line.substring(line.indexOf('=') + 1));
            }
        }
        assertThat(all).hasSizeGreaterThan(200);
        return all;
    }

    /** With a message that can be read: the differences. */
    private void assertStored(Map<String, String> before) throws IOException {
        Map<String, String> differences = new TreeMap<>(stored());
        // Options that RocksDB sets itself for transactions.
        differences.keySet().removeIf(
                each -> each.endsWith("allow_2pc") || each.endsWith("max_write_buffer_size_to_maintain"));
        differences.entrySet().removeIf(each -> each.getValue().equals(before.get(each.getKey())));
        assertThat(differences).isEmpty();
        assertThat(stored().keySet()).isEqualTo(before.keySet());
    }

    private Path optionsFile() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("OPTIONS"))
                    .max(Path::compareTo).orElseThrow();
        }
    }

    private static Map<String, Map<String, String>> loaded(Path path) {
        LoadedOptions loaded = LoadedOptions.latest(path);
        Map<String, Map<String, String>> all = new HashMap<>();
        loaded.columnFamilies().forEach((family, options) -> all.put(family, options.texts()));
        all.put("", loaded.database().texts());
        return all;
    }

    @Test
    void allOptionsAreTheSameAfterwards() throws Exception {
        try (RocksDB db = RocksDB.open(directory, database(), families())) {
            fill(db);
        }
        Map<String, String> stored = stored();
        Map<String, Map<String, String>> loaded = loaded(directory);
        assertThat(stored).containsEntry("[CFOptions \"zstd\"]  compression", "kZSTD")
                .containsEntry("[CFOptions \"zstd\"]  prefix_extractor", "rocksdb.FixedPrefix.2")
                .containsEntry("[TableOptions/BlockBasedTable \"zstd\"]  block_size", "12345")
                .containsEntry("[TableOptions/BlockBasedTable \"bloom\"]  filter_policy", "bloomfilter:9.5:false")
                .containsEntry("[TableOptions/BlockBasedTable \"bloom\"]  block_size", "7000")
                .containsEntry("[TableOptions/BlockBasedTable \"ribbon\"]  filter_policy",
                        "{id=ribbonfilter:8:3;bloom_before_level=3;}")
                .containsEntry("[CFOptions \"plain\"]  table_factory", "PlainTable");

        List<Supplier<RocksDB>> forms = List.of(() -> RocksDB.open(directory), () -> RocksDB.openReadOnly(directory),
                () -> RocksDB.openSecondary(directory, directory.resolve("second")), () -> RocksDB.open(directory));
        for (Supplier<RocksDB> form : forms) {
            try (RocksDB db = form.get()) {
                check(db);
                assertThat(db.columnFamily("reverse").family().order).isEqualTo(UserComparator.REVERSE_BYTEWISE);
            }
            assertStored(stored);
            assertThat(loaded(directory)).isEqualTo(loaded);
        }
        for (Supplier<RocksDB> form : List.<Supplier<RocksDB>>of(() -> TransactionDB.open(directory),
                () -> OptimisticTransactionDB.open(directory), () -> RocksDB.open(directory))) {
            try (RocksDB db = form.get()) {
                check(db);
            }
            assertStored(stored);
        }
        try (RocksDB db = RocksDB.open(directory)) {
            fill(db);
            db.columnFamily("reverse").merge(KEY, Bytes.of("w"));
            assertThat(db.columnFamily("reverse").get(KEY)).isEqualTo(Bytes.of("w"));
        }
    }

    /** The text by which a policy is set and stored has limits of its own. */
    @Test
    void eachFilterPolicyThatCanBeMadeCanBeUsed() throws Exception {
        for (FilterPolicy policy : List.of(FilterPolicy.bloom(0), FilterPolicy.bloom(1e-5), FilterPolicy.bloom(100),
                FilterPolicy.ribbon(Double.MIN_VALUE), FilterPolicy.ribbonHybrid(10, -1),
                FilterPolicy.ribbonHybrid(10, 0), FilterPolicy.ribbonHybrid(7.25, Integer.MAX_VALUE))) {
            Path path = directory.resolve(policy.toString().substring(0, 12) + policy.hashCode());
            Options options = create().blockBasedTableFactory(table(policy));
            try (RocksDB db = RocksDB.open(path, options)) {
                fill(db);
            }
            try (RocksDB db = RocksDB.open(path)) {
                check(db);
            }
        }
    }

    /** As a C program leaves them. */
    @Test
    void filtersThatAreStoredWithoutTheirBitsGetTen() throws Exception {
        RocksDB.open(directory, database(), families()).close();
        Path file = optionsFile();
        Files.writeString(file, Files.readString(file).replace("bloomfilter:9.5:false", "bloomfilter")
                .replace("{id=ribbonfilter:8:3;bloom_before_level=3;}", "ribbonfilter"));

        RocksDB.open(directory).close();

        assertThat(stored())
                .containsEntry("[TableOptions/BlockBasedTable \"bloom\"]  filter_policy", "bloomfilter:10:false")
                .containsEntry("[TableOptions/BlockBasedTable \"bloom\"]  block_size", "7000")
                .containsEntry("[TableOptions/BlockBasedTable \"ribbon\"]  filter_policy",
                        "{id=ribbonfilter:10:0;bloom_before_level=0;}");
    }

    @Test
    void familiesThatWereCreatedAndDroppedLaterToo() throws Exception {
        RocksDB.open(directory, database(), families()).close();
        try (RocksDB db = RocksDB.open(directory)) {
            db.createColumnFamily("later", new Options().compression(CompressionType.ZLIB));
            db.createColumnFamily("plain later", new Options());
            db.dropColumnFamily(db.columnFamily("zstd"));
            fill(db);
        }
        Map<String, String> stored = stored();
        try (RocksDB db = RocksDB.open(directory)) {
            check(db);
            assertThat(db.findColumnFamily("zstd")).isNull();
        }
        assertStored(stored);
        assertThat(stored).containsEntry("[CFOptions \"later\"]  compression", "kZlibCompression");
    }

    @Test
    void optionsOfTheCallerReplaceStoredOnes() throws Exception {
        RocksDB.open(directory, database()).close();
        RocksDB.open(directory, new Options().mergeOperator(MergeOperator.STRING_APPEND).maxOpenFiles(77)).close();
        assertThat(stored()).containsEntry("[DBOptions]  max_open_files", "77")
                .doesNotContainEntry("[CFOptions \"default\"]  compression", "kZlibCompression");
        assertThatThrownBy(() -> RocksDB.open(directory, new Options())).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("merge operator");
    }

    @Test
    void objectsWithoutTextAreNamedWithBothRemedies() throws Exception {
        Map<String, Consumer<Options>> objects = Map.of("comparator", options -> options
                .comparator(KeyComparator.of("test.Reverse", (a, b) -> UserComparator.BYTEWISE.compare(b, a))),
                "merge operator",
                options -> options.mergeOperator(first()), "compaction filter",
                options -> options.compactionFilter((_, _, _, _) -> CompactionFilter.Decision.KEEP),
                "prefix extractor", options -> options.prefixExtractor(SliceTransform.of(oneByte())));
        for (String family : List.of("default", "users")) {
            for (Map.Entry<String, Consumer<Options>> object : objects.entrySet()) {
                Path path = directory.resolve(family + " " + object.getKey());
                Options options = new Options().compression(CompressionType.LZ4HC);
                object.getValue().accept(options);
                RocksDB.open(path, create().createMissingColumnFamilies(true), Map.of(family, options)).close();
                Map<String, String> before = DirectoryImage.of(path);
                for (Supplier<RocksDB> form : List.<Supplier<RocksDB>>of(() -> RocksDB.open(path),
                        () -> RocksDB.openReadOnly(path), () -> TransactionDB.open(path),
                        () -> RocksDB.openSecondary(path, directory.resolve("second")))) {
                    assertThatThrownBy(form::get).isInstanceOf(RocksDBException.class)
                            .hasMessageContaining(path.toString()).hasMessageContaining(object.getKey())
                            .hasMessageContaining(family).hasMessageContaining("LoadedOptions.latest(path)")
                            .hasMessageMatching("(?s).*open\\(path, .*new Options\\(\\)\\.\\w+\\(…\\).*");
                }
                assertThat(DirectoryImage.of(path)).isEqualTo(before);

                LoadedOptions stored = LoadedOptions.latest(path);
                object.getValue().accept(Objects.requireNonNull(stored.columnFamilies().get(family)));
                RocksDB.open(path, stored.database(), stored.columnFamilies()).close();
                assertThat(Objects.requireNonNull(LoadedOptions.latest(path).columnFamilies().get(family))
                        .compression()).isEqualTo(CompressionType.LZ4HC);
            }
        }
    }

    private static MergeFunction first() {
        return NamedCallbacks.merge("test.First", (_, _, operands, result) -> result.write(operands.getFirst()));
    }

    private static PrefixExtractor oneByte() {
        return NamedCallbacks.prefix("test.OneByte", key -> Math.min(1, key.byteSize()));
    }

    @Test
    void withATimeToLive() throws Exception {
        Options users = new Options().compression(CompressionType.LZ4HC).mergeOperator(MergeOperator.STRING_APPEND);
        Options filtered = new Options().set("compaction_filter=RemoveEmptyValueCompactionFilter");
        try (RocksDB db = RocksDB.openWithTtl(directory, database(), Duration.ofDays(1),
                Map.of("users", users, "filtered", filtered), Map.of())) {
            fill(db);
        }
        Map<String, String> stored = stored();
        for (int i = 0; i < 3; i++) {
            try (RocksDB db = RocksDB.openWithTtl(directory, Duration.ofDays(1))) {
                check(db);
                db.columnFamily("filtered").put(Bytes.of("empty"), new byte[0]);
                db.columnFamily("users").put(KEY, VALUE);
                db.columnFamily("users").merge(KEY, VALUE);
                for (ColumnFamily family : db.columnFamilies()) {
                    family.put(Bytes.of("more"), VALUE);
                    family.flush();
                    family.compact();
                    assertThat(family.get(Bytes.of("more"))).isEqualTo(VALUE);
                }
                assertThat(db.columnFamily("filtered").get(Bytes.of("empty"))).isNull();
                assertThat(db.columnFamily("filtered").get(KEY)).isEqualTo(VALUE);
                assertThat(db.columnFamily("users").get(KEY)).isEqualTo(Bytes.of("value,value"));
                db.columnFamily("users").put(KEY, VALUE);
            }
            assertStored(stored);
        }
        assertThatThrownBy(() -> RocksDB.open(directory)).hasMessageContaining("openWithTtl");
    }

    @Test
    void aCopyIsNotGivenTheLogsOfTheOriginal() throws Exception {
        Path path = directory.resolve("original");
        Path copy = directory.resolve("copy");
        Options options = create().walDir(directory.resolve("logs").toString());
        try (RocksDB db = RocksDB.open(path, options)) {
            db.put(KEY, VALUE);
            db.checkpoint(copy);
            for (Path each : List.of(path, copy)) {
                assertThatThrownBy(() -> RocksDB.openReadOnly(each)).isInstanceOf(RocksDBException.class)
                        .hasMessageContaining(directory.resolve("logs").toString()).hasMessageContaining("walDir");
            }
        }
        LoadedOptions stored = LoadedOptions.latest(path);
        try (RocksDB db = RocksDB.open(path, stored.database(), stored.columnFamilies())) {
            assertThat(db.get(KEY)).isEqualTo(VALUE);
        }
        LoadedOptions copied = LoadedOptions.latest(copy);
        copied.database().walDir("");
        try (RocksDB db = RocksDB.open(copy, copied.database(), copied.columnFamilies())) {
            assertThat(db.get(KEY)).isEqualTo(VALUE);
        }
        RocksDB.open(copy).close();
    }

    @Test
    void defaultsReplaceMissingStoredOptions() throws Exception {
        try (RocksDB db = open()) {
            db.put(KEY, VALUE);
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path each : new ArrayList<>(files.toList())) {
                if (each.getFileName().toString().startsWith("OPTIONS")) {
                    Files.delete(each);
                }
            }
        }
        try (RocksDB db = RocksDB.open(directory)) {
            assertThat(db.get(KEY)).isEqualTo(VALUE);
        }
    }

    @Test
    void errorIfExistsIsNotTakenFromTheFirstTime() {
        RocksDB.open(directory, create().errorIfExists(true)).close();
        RocksDB.open(directory).close();
    }

    @Test
    void optionsThatCannotBeReadAreSaidSo() throws Exception {
        RocksDB.open(directory, create()).close();
        Files.writeString(optionsFile(), "[CFOptions \"default\"]\n  compression=what\n");
        assertThatThrownBy(() -> RocksDB.open(directory)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("stored options").hasMessageContaining("new Options()");
    }

    @Test
    void storedOptionsAreReadWithoutOpening() throws Exception {
        assertThat(LoadedOptions.sections(directory)).isEmpty();
        try (RocksDB db = RocksDB.open(directory, database().blockBasedTableFactory(new BlockBasedTableOptions()))) {
            db.createColumnFamily("of \"mine\"", new Options().writeBufferSize(7 << 20));
        }
        Map<String, Map<String, String>> sections = LoadedOptions.sections(directory);
        assertThat(sections).containsKeys("DBOptions", "CFOptions \"default\"",
                "TableOptions/BlockBasedTable \"default\"");
        assertThat(sections.get("DBOptions")).containsEntry("max_open_files", "321");
        assertThat(sections.values()).anyMatch(options -> "7340032".equals(options.get("write_buffer_size")));
    }
}
