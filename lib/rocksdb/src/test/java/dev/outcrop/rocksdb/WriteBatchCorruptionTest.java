package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.rocksdb.engine.NativeStatus;
import dev.outcrop.rocksdb.engine.batch.WideColumns;
import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** {@link WriteBatch#of} with bytes that are no batch. */
class WriteBatchCorruptionTest {
    private static final int FLIPPED = TestSize.choose("outcrop.flipped.batches", 1000, 200_000);

    private final long seed = TestSize.seed(getClass());
    private final Random random = new Random(seed);

    private WriteBatch randomBatch() {
        WriteBatch batch = new WriteBatch();
        WriteBatchFamily family = batch.in("family", 1 + random.nextInt(300), 0);
        for (int i = random.nextInt(30); i >= 0; i--) {
            BatchWriter to = random.nextBoolean() ? batch : family;
            byte[] key = Bytes.random(random.nextLong(), random.nextInt(20));
            byte[] value = Bytes.random(random.nextLong(), random.nextInt(200));
            switch (random.nextInt(7)) {
                case 0 -> to.delete(key);
                case 1 -> to.singleDelete(key);
                case 2 -> to.deleteRange(key, value);
                case 3 -> to.merge(key, value);
                case 4 -> family.putEntity(MemorySegment.ofArray(key), List.of(new WideColumn(key, value),
                        new WideColumn(Arrays.copyOf(key, key.length + 1), value)));
                case 5 -> batch.putLogData(MemorySegment.ofArray(value));
                default -> to.put(key, value);
            }
        }
        return batch;
    }

    @Test
    void flippedBitsGiveABatchOfTheSameBytesOrAreCorruption() {
        int corrupt = 0;
        int intact = 0;
        for (int round = 0; round < FLIPPED; round++) {
            byte[] bytes = randomBatch().data().toArray(ValueLayout.JAVA_BYTE);
            for (int flips = 1 + random.nextInt(3); flips > 0; flips--) {
                // The sequence number in front is any number.
                bytes[8 + random.nextInt(bytes.length - 8)] ^= (byte) (1 << random.nextInt(8));
            }
            WriteBatch batch;
            try {
                batch = WriteBatch.of(MemorySegment.ofArray(bytes));
            } catch (RocksDBException e) {
                assertThat(e.status().code()).as("seed %d", seed).isEqualTo(Status.Code.CORRUPTION);
                corrupt++;
                continue;
            }
            intact++;
            assertThat(batch.data().toArray(ValueLayout.JAVA_BYTE)).as("seed %d", seed).isEqualTo(bytes);
            try {
                WriteBatchTest.records(batch);
            } catch (RocksDBException e) {
                assertThat(e.status().code()).as("seed %d", seed).isIn(Status.Code.CORRUPTION,
                        Status.Code.NOT_SUPPORTED);
            }
        }
        // A flip in a key or a value cannot be seen; one in a length, a tag or the count nearly always is.
        assertThat(corrupt).as("seed %d", seed).isGreaterThan(FLIPPED / 20);
        assertThat(intact).as("seed %d", seed).isGreaterThan(FLIPPED / 20);
    }

    @Test
    void aBatchThatIsCutIsCorruption() {
        for (int round = 0; round < TestSize.choose("outcrop.cut.batches", 15, 2000); round++) {
            WriteBatch batch = randomBatch();
            // Log data is not counted, so it would not be missed at the end.
            batch.delete(new byte[5]);
            MemorySegment whole = batch.data();
            for (long length = 0; length < whole.byteSize(); length++) {
                assertCorrupt(whole.asSlice(0, length));
            }
        }
    }

    @Test
    void randomBytesAreCorruption() {
        for (int round = 0; round < FLIPPED; round++) {
            byte[] bytes = Bytes.random(random.nextLong(), random.nextInt(100));
            if (bytes.length > 11) {
                // No batch of that length has so many records.
                bytes[11] |= 1;
            }
            assertCorrupt(MemorySegment.ofArray(bytes));
        }
    }

    private void assertCorrupt(MemorySegment bytes) {
        assertThatThrownBy(() -> WriteBatch.of(bytes)).as("seed %d", seed).isInstanceOfSatisfying(
                RocksDBException.class,
                e -> assertThat(e.status().code()).isEqualTo(Status.Code.CORRUPTION));
    }

    @Test
    void theMessageNamesPlaceAndCause() {
        WriteBatch batch = new WriteBatch();
        batch.put(Bytes.of("key"), Bytes.of("value"));
        batch.delete(Bytes.of("key"));
        assertMessage(batch, 23, 0x1a, "byte 23 of 28", "unknown kind 26");
        assertMessage(batch, 24, 4, "byte 23 of 28", "ends before the record does");
        assertMessage(batch, 8, 3, "has 2 records", "says that it has 3");
        assertThatThrownBy(() -> WriteBatch.of(MemorySegment.ofArray(new byte[11])))
                .hasMessageContaining("at least 12 bytes").hasMessageContaining("11");
    }

    private static void assertMessage(WriteBatch batch, int at, int value, String where, String what) {
        byte[] bytes = batch.data().toArray(ValueLayout.JAVA_BYTE);
        bytes[at] = (byte) value;
        assertThatThrownBy(() -> WriteBatch.of(MemorySegment.ofArray(bytes))).hasMessageContaining(where)
                .hasMessageContaining(what);
    }

    /** Entities are read when they are shown. */
    @Test
    void damagedEntitiesAreCorruption() {
        String[] entities = {"", "00", "0301", "01", "0101", "0105", "01ffffffff0f", "01ffffffffff", "01010161",
                "0101016101",
                "0101016100ff", "01020161000161" + "00", "01020162000161" + "00", "0101ff0f6100"};
        for (String entity : entities) {
            byte[] bytes = HexFormat.of().parseHex(entity);
            WideColumns.Entity read = WideColumns.Entity.read(MemorySegment.ofArray(bytes));
            assertThat(read.problem()).as(entity).extracting(NativeStatus::code).isEqualTo(NativeStatus.CORRUPTION);
            assertThat(read.columns()).isEmpty();
        }
        assertThat(WideColumns.Entity.read(MemorySegment.ofArray(new byte[]{1, 0})))
                .isEqualTo(new WideColumns.Entity(List.of(), null));
    }
}
