package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A key in a damaged block reports that, and the other keys of the request are read. */
class MultiGetCorruptionTest extends DatabaseTest {
    private static final int KEYS = 60;
    private static final int SIZE = 6000;

    static IntStream rounds() {
        return IntStream.range(0, TestSize.choose("outcrop.flipped.bits", 5, 200));
    }

    private void createDatabase() {
        try (RocksDB db = RocksDB.open(directory,
                new Options().createIfMissing(true).compression(CompressionType.NONE))) {
            ColumnFamily sound = db.createColumnFamily("sound", new Options());
            for (int i = 0; i < KEYS; i++) {
                sound.put(Bytes.of("key" + i), Bytes.random(i, 10));
                db.put(key(i), Bytes.random(i, SIZE));
            }
            sound.flush();
            db.flush();
        }
    }

    private static byte[] key(int i) {
        return Bytes.of(String.format("key%02d", i));
    }

    @Test
    void onlyTheKeysOfADamagedBlockFail() {
        createDatabase();
        // Each value has a block of its own; this is the one of number 3.
        DirectoryImage.flip(DirectoryImage.file(directory, ".*sst"), 3 * SIZE + SIZE / 2);
        try (RocksDB db = RocksDB.open(directory); MultiGet request = db.multiGet()) {
            ColumnFamily sound = db.columnFamily("sound");
            IntStream.range(0, KEYS).forEach(i -> request.add(key(i)).add(sound, Bytes.of("key" + i)));
            for (int round = 0; round < 3; round++) {
                try (MultiGetValues values = request.execute()) {
                    for (int i = 0; i < KEYS; i++) {
                        if (i == 3) {
                            requireCorrupt(values, 2 * i);
                        } else {
                            assertThat(values.error(2 * i)).isNull();
                            assertThat(values.array(2 * i)).isEqualTo(Bytes.random(i, SIZE));
                        }
                        assertThat(values.array(2 * i + 1)).isEqualTo(Bytes.random(i, 10));
                    }
                    assertThat(values.bytes()).isEqualTo((KEYS - 1L) * SIZE + KEYS * 10L);
                    assertThat(db.pinnedBytes()).isEqualTo(values.bytes());
                }
                assertThat(db.pinnedBytes()).isZero();
            }
            assertThat(catchThrowableOfType(RocksDBException.class, () -> db.multiGet(List.of(key(2), key(3)))).status()
                    .code()).isEqualTo(Status.Code.CORRUPTION);
            assertThat(db.multiGet(List.of(key(2), key(4)))).containsExactly(Bytes.random(2, SIZE),
                    Bytes.random(4, SIZE));
        }
        RocksDB.open(directory).close();
    }

    /** RocksDB is asked for the only key of a column family in another way than for several keys. */
    @Test
    void theOnlyKeyOfAColumnFamilyFailsAlone() {
        createDatabase();
        DirectoryImage.flip(DirectoryImage.file(directory, ".*sst"), 3 * SIZE + SIZE / 2);
        try (RocksDB db = RocksDB.open(directory); Arena arena = Arena.ofConfined()) {
            ColumnFamily sound = db.columnFamily("sound");
            ColumnFamily other = db.createColumnFamily("other", new Options());
            other.put(key(3), Bytes.random(99, 10));
            MemorySegment slab = arena.allocate(100);
            for (int soundKeys : new int[]{0, 1, 5}) {
                for (int damagedAt = 0; damagedAt <= soundKeys; damagedAt++) {
                    try (MultiGet request = db.multiGet()) {
                        for (int i = 0; i < soundKeys; i++) {
                            if (i == damagedAt) {
                                request.add(key(3));
                            }
                            request.add(sound, Bytes.of("key" + i));
                        }
                        if (soundKeys == damagedAt) {
                            request.add(key(3));
                        }
                        request.add(other, key(3));
                        requireOneCorrupt(db, request, null, damagedAt);
                        requireOneCorrupt(db, request, slab, damagedAt);
                        requireOneCorrupt(db, request, null, damagedAt);
                    }
                }
            }
            // Beside the damaged block, the only key is read.
            try (MultiGet request = db.multiGet().add(key(4)).add(other, key(3));
                    MultiGetValues values = request.execute()) {
                assertThat(values.toList()).containsExactly(Bytes.random(4, SIZE), Bytes.random(99, 10));
            }
            assertThat(catchThrowableOfType(RocksDBException.class, () -> db.multiGet(List.of(key(3)))).status().code())
                    .isEqualTo(Status.Code.CORRUPTION);
        }
        RocksDB.open(directory).close();
    }

    /** Of the sound keys 0, 1 and so on, a damaged one among them, and one more of another column family. */
    private static void requireOneCorrupt(RocksDB db, MultiGet request, @Nullable MemorySegment slab, int damagedAt) {
        try (MultiGetValues values = slab == null ? request.execute() : request.execute(slab)) {
            int last = values.size() - 1;
            for (int i = 0; i < last; i++) {
                if (i == damagedAt) {
                    requireCorrupt(values, i);
                } else {
                    assertThat(values.error(i)).isNull();
                    assertThat(values.array(i)).isEqualTo(Bytes.random(i < damagedAt ? i : i - 1, 10));
                }
            }
            assertThat(values.error(last)).isNull();
            assertThat(values.array(last)).isEqualTo(Bytes.random(99, 10));
            assertThat(values.bytes()).isEqualTo(10L * last);
            assertThat(db.pinnedBytes()).isEqualTo(slab == null ? 10L * last : 0);
        }
        assertThat(db.pinnedBytes()).isZero();
    }

    private static void requireCorrupt(MultiGetValues values, int i) {
        RocksDBException error = Objects.requireNonNull(values.error(i));
        assertThat(error.status().code()).isEqualTo(Status.Code.CORRUPTION);
        assertThat(error).hasMessageContaining(".sst");
        for (ThrowingCallable use : List.<ThrowingCallable>of(() -> values.get(i),
                () -> values.array(i), () -> values.size(i), () -> values.isFound(i), values::toList)) {
            RocksDBException thrown = catchThrowableOfType(RocksDBException.class, use);
            assertThat(thrown).isNotNull();
            assertThat(thrown.status()).isEqualTo(error.status());
        }
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void whereverItIsNoValueIsWrong(int repetition) throws Exception {
        createDatabase();
        long seed = TestSize.seed(getClass()) + repetition;
        Random random = new Random(seed);
        Path file = DirectoryImage.file(directory, ".*sst");
        DirectoryImage.flip(file, random.nextLong(Files.size(file)));
        try (RocksDB db = RocksDB.open(directory); MultiGet request = db.multiGet()) {
            for (int i = 0; i < KEYS; i++) {
                request.add(key(i));
            }
            try (MultiGetValues values = request.execute()) {
                for (int i = 0; i < KEYS; i++) {
                    RocksDBException error = values.error(i);
                    if (error == null) {
                        assertThat(values.array(i)).as("seed %d, key %d", seed, i).isEqualTo(Bytes.random(i, SIZE));
                    } else {
                        assertThat(error.status().code()).as("seed %d", seed).isEqualTo(Status.Code.CORRUPTION);
                    }
                }
            }
        } catch (RocksDBException e) {
            assertThat(e).as("seed %d", seed).hasMessageContaining(directory.toString());
        }
    }

    @Test
    void aLimitThatIsReachedFailsOnlyTheKeysBeyondIt() {
        createDatabase();
        RocksDB db = closeLater(RocksDB.open(directory));
        MultiGet request = closeLater(db.with(new ReadOptions().valueSizeSoftLimit(10L * SIZE)).multiGet());
        for (int i = 0; i < KEYS; i++) {
            request.add(key(i));
        }
        MultiGetValues values = closeLater(request.execute());
        int read = 0;
        for (int i = 0; i < KEYS; i++) {
            RocksDBException error = values.error(i);
            if (error == null) {
                assertThat(values.array(i)).isEqualTo(Bytes.random(i, SIZE));
                read++;
            } else {
                assertThat(error.status().code()).isEqualTo(Status.Code.ABORTED);
            }
        }
        assertThat(read).isBetween(10, KEYS - 1);
    }
}
