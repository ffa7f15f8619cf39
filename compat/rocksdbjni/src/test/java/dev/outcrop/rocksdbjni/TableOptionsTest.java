package dev.outcrop.rocksdbjni;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.IndexType;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;
import org.rocksdb.Status;
import org.rocksdb.TtlDB;

/** RocksDB checks the options of tables only when it opens a database; later it crashes, fails, or writes files that cannot be read. */
class TableOptionsTest extends DatabaseTest {
    private static final byte[] NAME = "f".getBytes(StandardCharsets.UTF_8);

    @Test
    void aHashIndexNeedsAPrefix() throws RocksDBException {
        refused("prefix_extractor", new BlockBasedTableConfig().setIndexType(IndexType.kHashSearch));
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 1024})
    void formatsThatCannotBeReadAreRefused(int version) throws RocksDBException {
        refused("format_version", new BlockBasedTableConfig().setFormatVersion(version));
    }

    @Test
    void alignedBlocksAreNotCompressed() throws RocksDBException {
        refused("block_align", new BlockBasedTableConfig().setBlockAlign(true));
    }

    private void refused(String reason, BlockBasedTableConfig table) throws RocksDBException {
        Options options = closeLater(new Options().setCreateIfMissing(true).setTableFormatConfig(table));
        ColumnFamilyOptions family = closeLater(new ColumnFamilyOptions().setTableFormatConfig(table));
        EnvOptions environment = closeLater(new EnvOptions());
        ColumnFamilyDescriptor descriptor = new ColumnFamilyDescriptor(NAME, family);
        RocksDB db = closeLater(RocksDB.open(path("plain")));
        Options create = closeLater(new Options().setCreateIfMissing(true));
        TtlDB ageing = closeLater(TtlDB.open(create, path("ageing"), 100, false));

        refused(reason, () -> RocksDB.open(options, path("other")));
        refused(reason, () -> db.createColumnFamily(descriptor));
        refused(reason, () -> db.createColumnFamilies(family, List.of(NAME)));
        refused(reason, () -> db.createColumnFamilies(List.of(descriptor)));
        refused(reason, () -> ageing.createColumnFamilyWithTtl(descriptor, 100));
        // The published constructor declares no checked exception.
        assertThatThrownBy(() -> new SstFileWriter(environment, options)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason);
        db.put(NAME, NAME);
    }

    private static void refused(String reason, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.InvalidArgument))
                .hasMessageContaining(reason);
    }

    @Test
    void aHashIndexWithAPrefixWorks() throws RocksDBException {
        BlockBasedTableConfig table = new BlockBasedTableConfig().setIndexType(IndexType.kHashSearch);
        Options options = closeLater(new Options().setTableFormatConfig(table).useFixedLengthPrefixExtractor(1));
        EnvOptions environment = closeLater(new EnvOptions());
        try (SstFileWriter writer = new SstFileWriter(environment, options)) {
            writer.open(path("a.sst"));
            writer.put(NAME, NAME);
            writer.finish();
        }
        ColumnFamilyOptions family = closeLater(
                new ColumnFamilyOptions().setTableFormatConfig(table).useFixedLengthPrefixExtractor(1));
        RocksDB db = closeLater(RocksDB.open(path()));
        closeLater(db.createColumnFamily(new ColumnFamilyDescriptor(NAME, family)));
    }
}
