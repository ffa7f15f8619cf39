package dev.outcrop.rocksdb;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** RocksDB checks the options of tables only when it opens a database; later it crashes, fails, or writes files that cannot be read. */
class TableOptionsTest extends DatabaseTest {
    private static final ImportColumnFamilyOptions IMPORT = new ImportColumnFamilyOptions();

    @ParameterizedTest
    @CsvSource(delimiter = '>', textBlock = """
            index_type=kHashSearch > prefix_extractor
            format_version=0 > format_version
            format_version=1 > format_version
            format_version=8 > format_version
            format_version=1024 > format_version
            block_align=true > block_align
            use_udi_as_primary_index=true > user_defined_index_factory
            no_block_cache=true;cache_index_and_filter_blocks=true > block cache
            """)
    void tablesThatCannotBeWrittenAreRefused(String setting, String reason) {
        Options tables = new Options().set("block_based_table_factory={" + setting + "}");
        Path file = directory.resolve("a.sst");
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), create()));
        db.put(KEY, VALUE);
        ExportedColumnFamily exported = db.defaultColumnFamily().export(directory.resolve("exported"));

        refused(reason, () -> RocksDB.open(directory.resolve("other"), tables.copy().createIfMissing(true)));
        refused(reason, () -> db.setOptions(Map.of("block_based_table_factory", "{" + setting + "}")));
        refused(reason, () -> db.createColumnFamily("a", tables));
        refused(reason, () -> db.createColumnFamilies(List.of("a", "b"), tables));
        refused(reason, () -> db.createColumnFamilyWithImport("a", tables, IMPORT, exported));
        refused(reason, () -> new SstFileWriter(file, tables));
        assertThat(file).doesNotExist();
        // The check itself leaves nothing behind.
        assertThat(Path.of("nowhere")).doesNotExist();
        db.flush();
        assertThat(db.get(KEY)).isEqualTo(VALUE);
    }

    @Test
    void repairingWritesTablesToo() {
        Path path = directory.resolve("db");
        try (RocksDB db = RocksDB.open(path, create())) {
            db.put(KEY, VALUE);
        }
        refused("prefix_extractor", () -> RocksDB.repair(path,
                new Options().blockBasedTableFactory(new BlockBasedTableOptions().indexType(IndexType.HASH_SEARCH))));
        RocksDB.repair(path, new Options());
        try (RocksDB db = RocksDB.open(path)) {
            assertThat(db.get(KEY)).isEqualTo(VALUE);
        }
    }

    @Test
    void compressionIsCheckedWithTheTablesThatThereAre() {
        RocksDB db = open(
                create().compression(CompressionType.NONE).set("block_based_table_factory={block_align=true}"));
        refused("block_align", () -> db.setOptions(Map.of("compression", "kSnappyCompression")));
        db.setOptions(Map.of("block_based_table_factory", "{block_align=false}"));
        db.setOptions(Map.of("compression", "kSnappyCompression"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"prefix_extractor=fixed:2;block_based_table_factory={index_type=kHashSearch}",
            "compression=kNoCompression;block_based_table_factory={block_align=true}",
            "block_based_table_factory={format_version=2}", "block_based_table_factory={format_version=7}",
            "compaction_style=kCompactionStyleFIFO;num_levels=1", "inplace_update_support=true"})
    void otherTablesAreWritten(String options) {
        Options tables = new Options().set(options).allowConcurrentMemtableWrite(false);
        RocksDB db = open(create().allowConcurrentMemtableWrite(false));
        ColumnFamily family = db.createColumnFamily("a", tables);
        family.put(KEY, VALUE);
        family.flush();
        family.setOptions(Map.of("block_based_table_factory", "{block_size=8192}"));
        Path file = directory.resolve("a.sst");
        try (SstFileWriter writer = new SstFileWriter(file, tables)) {
            writer.put(Bytes.of("other"), VALUE);
            writer.finish();
        }
        family.ingest(List.of(file), new IngestExternalFileOptions());
        assertThat(family.get(KEY)).isEqualTo(VALUE);
        assertThat(family.get(Bytes.of("other"))).isEqualTo(VALUE);
    }

    private static void refused(String reason, ThrowingCallable call) {
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(call).withMessageContaining(reason)
                .satisfies(e -> assertThat(e.status().code()).isEqualTo(Status.Code.INVALID_ARGUMENT));
    }
}
