package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stored objects that give data its meaning are restored, or the database is not opened. */
class StoredObjectsTest extends DatabaseTest {
    private static final byte[] LAST = Bytes.of("last");
    private static final String FAMILY = "family";

    private static Options creating() {
        return create().createMissingColumnFamilies(true).avoidFlushDuringShutdown(true);
    }

    private static Options appending(String operator, String delimiter) {
        return creating().set("merge_operator={id=" + operator + ";delimiter={" + delimiter + "}}");
    }

    /** Two merges, one in a table and one in the log, with another record of the log behind. */
    private static void fill(RocksDB db, ColumnFamily family) {
        family.merge(KEY, Bytes.of("a"));
        family.flush();
        family.merge(KEY, Bytes.of("b"));
        db.put(LAST, LAST);
    }

    private String stored(Path path) {
        return LoadedOptions.sections(path).getOrDefault("CFOptions \"" + FAMILY + "\"", Map.of())
                .getOrDefault("merge_operator", "");
    }

    private List<Function<Path, RocksDB>> openings() {
        return List.of(RocksDB::openReadOnly, path -> RocksDB.openSecondary(path, directory.resolve("secondary")),
                OptimisticTransactionDB::open, TransactionDB::open, RocksDB::open, path -> {
                    LoadedOptions loaded = LoadedOptions.latest(path);
                    return RocksDB.open(path, loaded.database(), loaded.columnFamilies());
                });
    }

    private void assertDelimiterComesBack(String delimiter, List<Function<Path, RocksDB>> openings) {
        Path path = directory.resolve("database");
        byte[] expected = NativeText.bytes("a" + delimiter + "b");
        try (RocksDB db = RocksDB.open(path, creating(),
                Map.of(FAMILY, appending("StringAppendOperator", delimiter)))) {
            fill(db, db.columnFamily(FAMILY));
        }
        String before = stored(path);
        for (Function<Path, RocksDB> opening : openings) {
            try (RocksDB db = opening.apply(path)) {
                assertThat(db.columnFamily(FAMILY).get(KEY)).isEqualTo(expected);
                assertThat(db.get(LAST)).isEqualTo(LAST);
            }
            assertThat(stored(path)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ";", "\n", "\udcff"})
    void aDelimiterComesBack(String delimiter) {
        assertDelimiterComesBack(delimiter, List.of(RocksDB::open, RocksDB::open));
    }

    @ParameterizedTest
    @Tag("verify")
    @ValueSource(strings = {",", "; ", ";;", "a;b", " ", "  ", " x ", "\t", "\n", "\r\n", "::", ":", "#", "\\", "\\n",
            "=", "id=x;",
            "{;}", "{a}", "{a}{b}", "{}", "nullptr", "\"", "é", "\u0001"})
    void eachDelimiterComesBackFromEachWayToOpen(String delimiter) {
        assertDelimiterComesBack(delimiter, openings());
    }

    @ParameterizedTest
    @Tag("verify")
    @ValueSource(strings = {"", ";", " ", "\n", ":", "\\", "{;}"})
    void aDelimiterComesBackWithATimeToLiveAndFromTheOtherOperator(String delimiter) {
        Path path = directory.resolve("database");
        Map<String, Options> families = Map.of(FAMILY, appending("StringAppendTESTOperator", delimiter));
        try (RocksDB db = RocksDB.openWithTtl(path, creating(), Duration.ofDays(1), families, Map.of())) {
            fill(db, db.columnFamily(FAMILY));
        }
        String before = stored(path);
        for (int i = 0; i < 2; i++) {
            try (RocksDB db = RocksDB.openWithTtl(path, Duration.ofDays(1))) {
                assertThat(db.columnFamily(FAMILY).get(KEY)).asString().isEqualTo("a" + delimiter + "b");
                assertThat(db.get(LAST)).isEqualTo(LAST);
            }
            assertThat(stored(path)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @Tag("verify")
    @ValueSource(strings = {"a:b", "a#b", "#", "a\\b", "\\", "a\nb", "\r", " a ", "a\"b", "[a]", "a]", "a=b;{", "é",
            "\t", "\udcff\u0001"})
    void theOptionsOfAFamilyComeBackUnderAnyName(String name) {
        try (RocksDB db = RocksDB.open(directory, creating(), Map.of(name, appending("StringAppendOperator", ";")))) {
            fill(db, db.columnFamily(name));
        }
        for (int i = 0; i < 2; i++) {
            try (RocksDB db = RocksDB.open(directory)) {
                assertThat(db.columnFamily(name).get(KEY)).asString().isEqualTo("a;b");
                assertThat(db.get(LAST)).isEqualTo(LAST);
            }
        }
        assertThat(LoadedOptions.latest(directory).columnFamilies()).containsOnlyKeys("default", name);
    }

    private void replaceStored(String text, String by) throws IOException {
        Path file = DirectoryImage.file(directory, "OPTIONS-.*");
        String content = Files.readString(file);
        assertThat(content).contains(text);
        Files.writeString(file, content.replace(text, by));
    }

    private void assertRefused(ThrowingCallable opening, String... parts) {
        Map<String, String> before = DirectoryImage.of(directory);
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, opening);
        assertThat(thrown).isNotNull().hasMessageContainingAll(parts).hasMessageContaining(directory.toString());
        assertThat(DirectoryImage.of(directory)).isEqualTo(before);
    }

    @ParameterizedTest
    @Tag("verify")
    @ValueSource(strings = {"merge_operator={id=StringAppendOperator;delimiter={;}",
            "merge_operator={id=StringAppendOperator;delimiter=};}",
            "merge_operator={id=StringAppendOperator;delimiter=}{;}",
            "merge_operator={id=StringAppendOperator;delimiter=\0;}",
            "merge_operator={id=StringAppendOperator;size=3;}", "merge_operator={id=UInt64AddOperator;delimiter=,;}"})
    void anOperatorThatCannotBeMadeAgainIsRefused(String operator) throws IOException {
        try (RocksDB db = RocksDB.open(directory, creating(), Map.of(FAMILY, appending("StringAppendOperator", "%")))) {
            fill(db, db.columnFamily(FAMILY));
        }
        replaceStored("merge_operator={id=StringAppendOperator;delimiter=%;}", operator);

        String[] parts = {FAMILY, NativeText.shown(operator.substring(operator.indexOf("=") + 1)), "mergeOperator"};
        for (Function<Path, RocksDB> opening : openings().subList(0, 5)) {
            assertRefused(() -> opening.apply(directory).close(), parts);
        }
        RocksDB db = closeLater(RocksDB.open(directory, new Options(),
                Map.of(FAMILY, appending("StringAppendOperator", "%"))));
        assertThat(db.columnFamily(FAMILY).get(KEY)).asString().isEqualTo("a%b");
    }

    @Test
    void tablesAndCompressionThatCannotBeMadeAgainAreRefused() throws IOException {
        RocksDB.open(directory, creating()).close();
        replaceStored("table_factory=BlockBasedTable", "table_factory=AdaptiveTableFactory");
        assertRefused(() -> RocksDB.open(directory), "table factory AdaptiveTableFactory", "new Options()");

        replaceStored("table_factory=AdaptiveTableFactory", "table_factory=BlockBasedTable");
        replaceStored("compression_manager=nullptr", "compression_manager=Other");
        assertRefused(() -> RocksDB.openReadOnly(directory), "compression manager Other");

        replaceStored("compression_manager=Other", "compression_manager=BuiltinV2");
        replaceStored("comparator=leveldb.BytewiseComparator", "comparator={id=leveldb.BytewiseComparator;by=2;}");
        assertRefused(() -> RocksDB.open(directory), "comparator {id=leveldb.BytewiseComparator;by=2;}");
    }

    /** Old versions store no delimiter, so it is unknown. */
    @Test
    void theNameAloneThatAnOldVersionHasStoredIsRefused() throws IOException {
        try (RocksDB db = RocksDB.open(directory, appending("StringAppendOperator", ""))) {
            db.merge(KEY, Bytes.of("a"));
            db.merge(KEY, Bytes.of("b"));
        }
        replaceStored("rocksdb_version=11.8.1", "rocksdb_version=6.29.5");

        assertRefused(() -> RocksDB.open(directory), "merge operator StringAppendOperator", "mergeOperator");
        assertRefused(() -> {
            LoadedOptions loaded = LoadedOptions.latest(directory);
            RocksDB.open(directory, loaded.database(), loaded.columnFamilies());
        }, "StringAppendOperator");
        replaceStored("rocksdb_version=6.29.5", "rocksdb_version=11.8.1");
        RocksDB db = closeLater(RocksDB.open(directory));
        assertThat(db.get(KEY)).asString().isEqualTo("ab");
    }

    @ParameterizedTest
    @Tag("verify")
    @ValueSource(booleans = {true, false})
    void recordsThatRocksDbDropsFromItsLogAreReported(boolean isLast) throws IOException {
        List<Function<Path, RocksDB>> openings = new ArrayList<>(openings());
        openings.add(path -> RocksDB.open(path, new Options()));
        openings.add(path -> RocksDB.open(path, new Options().paranoidChecks(false)));
        openings.add(path -> RocksDB.open(path,
                new Options().walRecoveryMode(WalRecoveryMode.SKIP_ANY_CORRUPTED_RECORDS)));
        for (Function<Path, RocksDB> opening : openings) {
            try (RocksDB db = RocksDB.open(directory, appending("StringAppendOperator", "%"))) {
                WriteBatch batch = new WriteBatch();
                batch.put(LAST, LAST);
                batch.merge(KEY, Bytes.of("a"));
                db.write(batch);
                if (!isLast) {
                    db.put(Bytes.of("behind"), LAST);
                }
            }
            replaceStored("merge_operator={id=StringAppendOperator;delimiter=%;}", "merge_operator=nullptr");

            assertThatThrownBy(() -> opening.apply(directory).close()).isInstanceOf(RocksDBException.class)
                    .hasMessageContaining(directory.toString());
            RocksDB.destroy(directory, new Options());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"merge_operator={id=StringAppendOperator;delimiter=;;}",
            "merge_operator={id=StringAppendOperator;delimiter=a;b}",
            "merge_operator={id=StringAppendOperator;delimiter={}{}}", "prefix_extractor={id=fixed:3;x}",
            "compaction_filter={id=RemoveEmptyValueCompactionFilter;x}", "statistics={id=BasicStatistics;x}"})
    void settingsOfWhichRocksDbMakesNothingAreRefused(String text) {
        Options options = new Options();

        assertThatThrownBy(() -> options.set(text)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining(text.substring(0, text.indexOf('=')));
    }
}
