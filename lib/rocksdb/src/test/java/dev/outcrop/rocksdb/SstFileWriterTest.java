package dev.outcrop.rocksdb;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Writing and ingesting table files. */
class SstFileWriterTest extends DatabaseTest {
    private static final Options MERGING = create().mergeOperator(MergeOperator.STRING_APPEND);

    @Test
    void filesWithoutTimestampsAreNoneForAFamilyWithThem() {
        Path file = directory.resolve("plain.sst");
        try (SstFileWriter writer = new SstFileWriter(file, new Options())) {
            writer.deleteRange(Bytes.of("a"), Bytes.of("b"));
            writer.finish();
        }
        RocksDB db = closeLater(RocksDB.open(directory.resolve("stamped db"), create()));
        ColumnFamily stamped = db.createColumnFamily("stamped",
                new Options().set("comparator=leveldb.BytewiseComparator.u64ts"));
        ThrowingCallable ingest = () -> stamped.ingest(List.of(file), new IngestExternalFileOptions());
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(ingest).withMessageContaining("comparator");
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(RocksDBException.class).isThrownBy(ingest).withMessageContaining("comparator");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void directWritesNeedABuffer() {
        Path file = directory.resolve("direct.sst");
        EnvOptions direct = new EnvOptions().useDirectWrites(true).writableFileMaxBufferSize(0);
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> new SstFileWriter(file, new Options(), direct))
                .withMessageContaining("writable_file_max_buffer_size");
        assertThat(file).doesNotExist();
    }

    @Test
    void databasesIngestItsFiles() {
        Path file = directory.resolve("a.sst");
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), MERGING));
        for (String key : List.of("b", "d", "r1", "r2", "z")) {
            db.put(Bytes.of(key), Bytes.of("old"));
        }
        try (SstFileWriter writer = new SstFileWriter(file, MERGING)) {
            writer.put(Bytes.of("a"), Bytes.of("1"));
            writer.delete(Bytes.of("b"));
            writer.put(Bytes.of("c"), Bytes.of(""));
            writer.merge(Bytes.of("d"), Bytes.of("new"));
            writer.deleteRange(Bytes.of("r"), Bytes.of("s"));
            writer.finish();
            assertThat(writer.fileSize()).isEqualTo(file.toFile().length()).isPositive();
            assertThatIllegalStateException().isThrownBy(() -> writer.put(Bytes.of("e"), Bytes.of("1")))
                    .withMessageContaining("finished");
            assertThatIllegalStateException().isThrownBy(writer::finish);
        }
        db.ingest(List.of(file), new IngestExternalFileOptions().verifyChecksumsBeforeIngest(true));
        assertThat(file).exists();
        assertThat(db.get(Bytes.of("a"))).isEqualTo(Bytes.of("1"));
        assertThat(db.get(Bytes.of("b"))).isNull();
        assertThat(db.get(Bytes.of("c"))).isEmpty();
        assertThat(db.get(Bytes.of("d"))).isEqualTo(Bytes.of("old,new"));
        assertThat(db.get(Bytes.of("r1"))).isNull();
        assertThat(db.get(Bytes.of("r2"))).isNull();
        assertThat(db.get(Bytes.of("z"))).isEqualTo(Bytes.of("old"));
    }

    @Test
    void takesTimestamps() {
        Options timestamps = create().set("comparator=leveldb.BytewiseComparator.u64ts");
        Path file = directory.resolve("a.sst");
        MemorySegment one = MemorySegment.ofArray(new byte[]{1, 0, 0, 0, 0, 0, 0, 0});
        MemorySegment two = MemorySegment.ofArray(new byte[]{2, 0, 0, 0, 0, 0, 0, 0});
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), timestamps));
        try (SstFileWriter writer = new SstFileWriter(file, timestamps)) {
            writer.put(segment("a"), two, segment("younger"));
            writer.put(segment("a"), one, segment("older"));
            writer.delete(segment("b"), one);
            refused(() -> writer.put(segment("c"), segment("short"), segment("value")));
            refused(() -> writer.put(segment("c"), segment("no timestamp")));
            refused(() -> writer.delete(segment("c")));
            refused(() -> writer.deleteRange(segment("c"), segment("d")));
            refused(() -> writer.put(segment("a"), two, segment("out of order")));
            writer.finish();
        }
        db.ingest(List.of(file));
        assertThat(db.with(new ReadOptions().timestamp(one.toArray(ValueLayout.JAVA_BYTE)))
                .get(Bytes.of("a"))).isEqualTo(Bytes.of("older"));
        assertThat(db.with(new ReadOptions().timestamp(two.toArray(ValueLayout.JAVA_BYTE)))
                .get(Bytes.of("a"))).isEqualTo(Bytes.of("younger"));
    }

    @Test
    void refusesKeysOutOfOrderAndGoesOn() {
        Path file = directory.resolve("a.sst");
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), MERGING));
        SstFileWriter writer = closeLater(new SstFileWriter(file, MERGING));
        refused(writer::finish);
        writer.put(Bytes.of("m"), Bytes.of("1"));
        refused(() -> writer.put(Bytes.of("m"), Bytes.of("2")));
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> writer.put(Bytes.of("a"), Bytes.of("2")))
                .withMessageContaining("entry with key \"a\"").withMessageContaining(file.toString());
        refused(() -> writer.merge(Bytes.of("a"), Bytes.of("2")));
        refused(() -> writer.delete(Bytes.of("a")));
        assertThatExceptionOfType(RocksDBException.class)
                .isThrownBy(() -> writer.deleteRange(Bytes.of("b"), Bytes.of("a")))
                .withMessageContaining("The range to delete, from \"b\" to before \"a\", ends before it begins")
                .withMessageContaining(file.toString()).withMessageEndingWith("; give the smaller key first");
        refused(() -> writer.put(segment("n"), segment("a timestamp"), segment("2")));
        writer.put(Bytes.of("n"), Bytes.random(1, 3_000_000));
        writer.finish();
        db.ingest(List.of(file));
        assertThat(db.get(Bytes.of("m"))).isEqualTo(Bytes.of("1"));
        assertThat(db.get(Bytes.of("n"))).isEqualTo(Bytes.random(1, 3_000_000));
    }

    @Test
    void leavesNoHalfFileAndOverwritesNone() throws IOException {
        Path file = directory.resolve("a.sst");
        SstFileWriter writer = new SstFileWriter(file, MERGING);
        writer.put(Bytes.of("a"), Bytes.of("1"));
        assertThat(file).exists();
        refused(() -> new SstFileWriter(file, MERGING).close());
        writer.close();
        writer.close();
        assertThat(file).doesNotExist();
        assertThatIllegalStateException().isThrownBy(() -> writer.put(Bytes.of("b"), Bytes.of("1")))
                .withMessageContaining("is closed");
        assertThatIllegalStateException().isThrownBy(writer::fileSize);
        assertThatIllegalStateException().isThrownBy(writer::finish);
        Files.writeString(file, "precious");
        refused(() -> new SstFileWriter(file, MERGING).close());
        assertThat(file).hasContent("precious");
        refused(() -> new SstFileWriter(directory.resolve("no").resolve("such"), MERGING).close());
    }

    @Test
    void filesThatDoNotFitAreRefused() throws IOException {
        Path file = write("a.sst", MERGING, "a", "b");
        Path overlapping = write("overlapping.sst", MERGING, "b", "c");
        Path reversed = directory.resolve("reversed.sst");
        Options reverse = new Options().set("comparator=rocksdb.ReverseBytewiseComparator");
        try (SstFileWriter writer = new SstFileWriter(reversed, reverse)) {
            writer.put(Bytes.of("b"), Bytes.of("1"));
            writer.put(Bytes.of("a"), Bytes.of("1"));
            writer.finish();
        }
        Path merges = directory.resolve("merges.sst");
        try (SstFileWriter writer = new SstFileWriter(merges, MERGING)) {
            writer.merge(Bytes.of("a"), Bytes.of("1"));
            writer.finish();
        }
        Path garbage = Files.write(directory.resolve("garbage.sst"), Bytes.random(1, 10_000));
        Path empty = Files.createFile(directory.resolve("empty.sst"));
        Path damaged = write("damaged.sst", MERGING, "a", "b");
        DirectoryImage.flip(damaged, damaged.toFile().length() - 60);
        try (RocksDB db = RocksDB.open(directory.resolve("db"), create())) {
            db.put(Bytes.of("a"), Bytes.of("here"));
            for (Path wrong : List.of(reversed, merges, garbage, empty, damaged, directory,
                    directory.resolve("missing.sst"))) {
                refused(() -> db.ingest(List.of(wrong)));
                refused(() -> db.ingest(List.of(file, wrong)));
            }
            refused(() -> db.ingest(List.of()));
            assertThatIllegalArgumentException().isThrownBy(() -> db.ingest(List.of(file, file)));
            refused(() -> db.ingest(List.of(file), new IngestExternalFileOptions().ingestBehind(true)));
            refused(() -> db.ingest(List.of(file, overlapping),
                    new IngestExternalFileOptions().allowGlobalSeqno(false)));
            assertThat(db.get(Bytes.of("a"))).isEqualTo(Bytes.of("here"));
            assertThat(db.get(Bytes.of("b"))).isNull();

            db.ingest(List.of(overlapping, file), new IngestExternalFileOptions().moveFiles(true));
            assertThat(file).doesNotExist();
            assertThat(db.get(Bytes.of("b"))).as("the last file wins").isEqualTo(Bytes.of("a.sst"));
            assertThat(db.get(Bytes.of("c"))).isEqualTo(Bytes.of("overlapping.sst"));
        }
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), new Options(), Map.of()));
        assertThat(db.get(Bytes.of("a"))).isEqualTo(Bytes.of("a.sst"));
    }

    private Path write(String name, Options options, String... keys) {
        Path file = directory.resolve(name);
        try (SstFileWriter writer = new SstFileWriter(file, options, new EnvOptions())) {
            for (String key : keys) {
                writer.put(Bytes.of(key), Bytes.of(name));
            }
            writer.finish();
        }
        return file;
    }

    private static MemorySegment segment(String text) {
        return MemorySegment.ofArray(Bytes.of(text));
    }
}
