package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every way to read finds a flipped bit in a table file, and returns no wrong data. */
class CorruptionTest extends DatabaseTest {
    private static final int VALUES = 10;
    private static final int SIZE = 6000;

    static IntStream rounds() {
        return IntStream.range(0, TestSize.choose("outcrop.flipped.bits", 5, 200));
    }

    @BeforeEach
    void createDatabase() {
        // Uncompressed, so that the file is nearly all data.
        try (RocksDB db = RocksDB.open(directory,
                new Options().createIfMissing(true).compression(CompressionType.NONE))) {
            for (int i = 0; i < VALUES; i++) {
                db.put(Bytes.of("key" + i), Bytes.random(i, SIZE));
            }
            db.flush();
        }
    }

    @Test
    void everyWayToReadFindsIt() {
        DirectoryImage.flip(DirectoryImage.file(directory, ".*sst"), SIZE / 2);
        try (RocksDB db = RocksDB.open(directory)) {
            for (ReadForm form : ReadForm.values()) {
                RocksDBException thrown = catchThrowableOfType(RocksDBException.class,
                        () -> form.read(db, Bytes.of("key0")));
                assertThat(thrown).as(form.name()).isNotNull();
                assertThat(thrown.status().code()).as(form.name()).isEqualTo(Status.Code.CORRUPTION);
                assertThat(thrown).hasMessageContaining(".sst");
            }
            assertThat(db.get(Bytes.of("key9"))).isEqualTo(Bytes.random(9, SIZE));
            assertThat(db.pinnedBytes()).isZero();
        }
        RocksDB.open(directory).close();
    }

    @Test
    void anIteratorReportsItInsteadOfAnEndAndOthersGoOn() {
        DirectoryImage.flip(DirectoryImage.file(directory, ".*sst"), 3 * SIZE + SIZE / 2);
        RocksDB db = closeLater(RocksDB.open(directory));
        KeyValueIterator entries = closeLater(db.iterator());
        KeyValueIterator other = closeLater(db.iterator());
        other.seek(Bytes.of("key4"));
        for (int run = 0; run < 2; run++) {
            List<byte[]> seen = new ArrayList<>();
            RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> {
                for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                    seen.add(ReadForm.bytes(entries.value()));
                }
            });
            assertThat(thrown).isNotNull();
            assertThat(thrown.status().code()).isEqualTo(Status.Code.CORRUPTION);
            assertThat(catchThrowableOfType(RocksDBException.class, entries::isValid)).isNotNull();
            assertThat(catchThrowableOfType(RocksDBException.class, entries::next)).isNotNull();
            assertThat(seen).containsExactly(Bytes.random(0, SIZE), Bytes.random(1, SIZE), Bytes.random(2, SIZE));
        }
        for (int i = 4; i < VALUES; i++) {
            assertThat(ReadForm.bytes(other.value())).isEqualTo(Bytes.random(i, SIZE));
            assertThat(other.next()).isEqualTo(i < VALUES - 1);
        }
        assertThat(entries.seek(Bytes.of("key9"))).isTrue();
        assertThat(ReadForm.bytes(entries.value())).isEqualTo(Bytes.random(9, SIZE));
    }

    @Test
    void compactionFindsItAndSaysSo() {
        Path file = DirectoryImage.file(directory, ".*sst");
        try (RocksDB db = RocksDB.open(directory)) {
            db.put(Bytes.of("key1"), Bytes.of("overlaps"));
            db.flush();
        }
        DirectoryImage.flip(file, SIZE / 2);
        RocksDB db = closeLater(RocksDB.open(directory));
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, db::compact);
        assertThat(thrown).isNotNull();
        assertThat(thrown.status().code()).isEqualTo(Status.Code.CORRUPTION);
        assertThat(db.get(Bytes.of("key9"))).isEqualTo(Bytes.random(9, SIZE));
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void whereverItIsNoReadIsWrong(int repetition) throws Exception {
        long seed = TestSize.seed(getClass()) + repetition;
        Random random = new Random(seed);
        Path file = DirectoryImage.file(directory, ".*sst");
        DirectoryImage.flip(file, random.nextLong(Files.size(file)));
        try (RocksDB db = RocksDB.open(directory)) {
            for (int i = 0; i < VALUES; i++) {
                ReadForm form = ReadForm.any(random);
                try {
                    assertThat(form.read(db, Bytes.of("key" + i))).as("seed %d, key %d, %s", seed, i, form)
                            .isEqualTo(Bytes.random(i, SIZE));
                } catch (RocksDBException e) {
                    assertThat(e.status().code()).as("seed %d: %s", seed, e).isEqualTo(Status.Code.CORRUPTION);
                }
            }
        } catch (RocksDBException e) {
            assertThat(e).as("seed %d", seed).hasMessageContaining(directory.toString());
        }
    }
}
