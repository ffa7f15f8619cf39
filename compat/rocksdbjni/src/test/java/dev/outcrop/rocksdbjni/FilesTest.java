package dev.outcrop.rocksdbjni;

import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdb.Checkpoint;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.CompactionOptions;
import org.rocksdb.EnvOptions;
import org.rocksdb.ExportImportFilesMetaData;
import org.rocksdb.FlushOptions;
import org.rocksdb.ImportColumnFamilyOptions;
import org.rocksdb.IngestExternalFileOptions;
import org.rocksdb.LiveFileMetaData;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.SstFileWriter;
import org.rocksdb.TransactionLogIterator;

/** SST files, checkpoints, exports, logs and secondary instances. */
class FilesTest extends DatabaseTest {
    private final FlushOptions flush = closeLater(new FlushOptions());

    /** RocksDB looks for the path without looking whether there is one. */
    @Test
    void filesAreNotCompactedIntoAPathThatThereIsNot() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path("paths")));
        CompactionOptions compaction = closeLater(new CompactionOptions());
        db.put(new byte[]{1}, new byte[]{1});
        db.flush(flush);
        List<String> files = db.getLiveFilesMetaData().stream().map(LiveFileMetaData::fileName).toList();
        for (int path : new int[]{-2, 1, 1000, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> db.compactFiles(compaction, files, 1, path, null))
                    .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("outputPathId");
        }
        assertThat(db.compactFiles(compaction, files, 1, 0, null)).hasSize(1);
    }

    @Test
    void aWrittenFileIsIngested() throws RocksDBException {
        try (Options options = new Options();
                EnvOptions environment = new EnvOptions();
                SstFileWriter writer = new SstFileWriter(environment, options)) {
            assertThatThrownBy(() -> writer.put(b("a"), b("1"))).isInstanceOf(RocksDBException.class);
            assertThatThrownBy(writer::finish).isInstanceOf(RocksDBException.class);
            writer.open(path("file.sst"));
            writer.put(b("a"), b("1"));
            ByteBuffer key = ByteBuffer.allocateDirect(1).put(b("b")).flip();
            ByteBuffer value = ByteBuffer.allocateDirect(1).put(b("2")).flip();
            writer.put(key, value);
            assertThat(key.hasRemaining()).isFalse();
            assertThat(value.hasRemaining()).isFalse();
            assertThatThrownBy(() -> writer.put(b("a"), b("before the last one"))).isInstanceOf(RocksDBException.class);
            writer.delete(b("c"));
            writer.finish();
            assertThat(writer.fileSize()).isPositive();
        }
        RocksDB db = closeLater(RocksDB.open(path()));
        IngestExternalFileOptions options = closeLater(new IngestExternalFileOptions());
        db.put(b("c"), b("old"));
        assertThatThrownBy(() -> db.ingestExternalFile(List.of(path("file.sst"), path("none.sst")), options))
                .isInstanceOf(RocksDBException.class);
        assertThat(db.get(b("a"))).isNull();
        db.ingestExternalFile(List.of(path("file.sst")), options);
        assertThat(db.get(b("a"))).isEqualTo(b("1"));
        assertThat(db.get(b("b"))).isEqualTo(b("2"));
        assertThat(db.get(b("c"))).isNull();
    }

    @Test
    void aClosedWriterRefuses() {
        Options options = closeLater(new Options());
        EnvOptions environment = closeLater(new EnvOptions());
        SstFileWriter writer = new SstFileWriter(environment, options);
        writer.close();
        assertMisuse(() -> writer.put(b("a"), b("1")));
        assertMisuse(writer::fileSize);
    }

    @Test
    void aCheckpointIsADatabaseAndAnExportAFamily() throws RocksDBException {
        try (RocksDB db = RocksDB.open(path()); Checkpoint checkpoint = Checkpoint.create(db)) {
            ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
            db.put(b("a"), b("1"));
            db.put(family, b("a"), b("family"));
            checkpoint.createCheckpoint(path("copy"));
            assertThatThrownBy(() -> checkpoint.createCheckpoint(path("copy"))).isInstanceOf(RocksDBException.class);
            try (Options options = new Options(); RocksDB copy = RocksDB.openReadOnly(options, path("copy"))) {
                assertThat(copy.get(b("a"))).isEqualTo(b("1"));
            }
            try (ExportImportFilesMetaData files = checkpoint.exportColumnFamily(family, path("export"));
                    ImportColumnFamilyOptions options = new ImportColumnFamilyOptions();
                    RocksDB other = RocksDB.open(path("other"))) {
                assertThatThrownBy(() -> checkpoint.exportColumnFamily(other.getDefaultColumnFamily(), path("no")))
                        .isInstanceOf(IllegalArgumentException.class);
                ColumnFamilyHandle imported = other
                        .createColumnFamilyWithImport(new ColumnFamilyDescriptor(b("g")), options, files);
                assertThat(other.get(imported, b("a"))).isEqualTo(b("family"));
                ColumnFamilyHandle second = other
                        .createColumnFamilyWithImport(new ColumnFamilyDescriptor(b("h")), options, List.of(files));
                assertThat(other.get(second, b("a"))).isEqualTo(b("family"));
            }
        }
        RocksDB db = RocksDB.open(path("db2"));
        Checkpoint checkpoint = closeLater(Checkpoint.create(db));
        db.close();
        assertMisuse(() -> checkpoint.createCheckpoint(path("late")));
    }

    @Test
    void aSecondaryInstanceCatchesUp() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        Options options = closeLater(new Options().setMaxOpenFiles(-1));
        RocksDB secondary = closeLater(RocksDB.openAsSecondary(options, path(), path("secondary")));
        db.put(b("a"), b("1"));
        assertThat(secondary.get(b("a"))).isNull();
        secondary.tryCatchUpWithPrimary();
        assertThat(secondary.get(b("a"))).isEqualTo(b("1"));
        assertThatThrownBy(() -> secondary.put(b("a"), b("2"))).isInstanceOf(RocksDBException.class);
        assertThatThrownBy(secondary::compactRange).isInstanceOf(RocksDBException.class);
    }

    @Test
    void updatesEndWithTheirDatabase() throws RocksDBException {
        RocksDB db = RocksDB.open(path());
        db.put(b("a"), b("1"));
        TransactionLogIterator leaked = db.getUpdatesSince(0);
        assertThat(leaked.getBatch().writeBatch().count()).isEqualTo(1);
        leaked.next();
        assertThat(leaked.isValid()).isFalse();
        assertThatThrownBy(leaked::getBatch).isInstanceOf(IllegalStateException.class);
        db.close();
        assertMisuse(leaked::isValid);
        leaked.close();
        RocksDB.open(path()).close();
    }

    @Test
    void filesAreCompacted() throws RocksDBException {
        RocksDB db = closeLater(RocksDB.open(path()));
        CompactionOptions options = closeLater(new CompactionOptions());
        db.pauseBackgroundWork();
        db.continueBackgroundWork();
        db.put(b("a"), b("1"));
        db.flush(flush);
        db.put(b("a"), b("2"));
        db.flush(flush);
        List<String> inputs = db.getLiveFiles(false).files.stream().filter(name -> name.endsWith(".sst")).toList();
        assertThat(inputs).hasSize(2);
        List<String> outputs = db.compactFiles(options, inputs, 1, -1, null);
        assertThat(outputs).hasSize(1);
        assertThat(inputs).doesNotContainAnyElementsOf(outputs);
        assertThat(db.getProperty("rocksdb.num-files-at-level0")).isEqualTo("0");
        assertThat(db.get(b("a"))).isEqualTo(b("2"));
        db.cancelAllBackgroundWork(true);
    }

    @Test
    void familiesOfAnotherDatabaseAreRefusedAsAWhole() throws RocksDBException {
        RocksDB one = closeLater(RocksDB.open(path("one")));
        RocksDB other = closeLater(RocksDB.open(path("other")));
        ColumnFamilyHandle family = one.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
        ColumnFamilyHandle foreign = other.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
        one.put(family, b("a"), b("1"));
        assertThatThrownBy(() -> one.dropColumnFamilies(List.of(family, foreign)))
                .isInstanceOf(IllegalArgumentException.class);
        one.put(family, b("b"), b("2"));
        assertThat(one.get(family, b("b"))).isEqualTo(b("2"));
        one.destroyColumnFamilyHandle(family);
        assertMisuse(() -> one.put(family, b("b"), b("2")));
    }
}
