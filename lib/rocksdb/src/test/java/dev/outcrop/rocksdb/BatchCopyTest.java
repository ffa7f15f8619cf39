package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A written batch holds what was added, whatever its length: each length copies the batch in another way. */
class BatchCopyTest extends DatabaseTest {
    private static final int ROUNDS = TestSize.choose("outcrop.rounds", 60, 400);
    private static final byte[] OLD = Bytes.of("old");
    private static final byte[] LAST = Bytes.of("last");

    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;

    @BeforeEach
    void setUp() {
        db = closeLater(RocksDB.open(directory.resolve("db"), create()));
    }

    /** Around the lengths at which RocksDB needs one more byte for a length. */
    private static IntStream lengths() {
        return IntStream.of(0, 1 << 7, 1 << 14, 1 << 21)
                .flatMap(around -> IntStream.range(Math.max(0, around - 30), around + 2));
    }

    private static byte[] value(int length) {
        byte[] value = new byte[length];
        Arrays.fill(value, (byte) length);
        return value;
    }

    @Test
    void onePut() {
        WriteBatch batch = new WriteBatch();
        lengths().forEach(length -> {
            byte[] value = value(length);
            batch.clear();
            batch.put(KEY, value);
            db.write(batch);
            assertThat(db.get(KEY)).isEqualTo(value);
        });
    }

    @Test
    void putsAndADelete() {
        WriteBatch batch = new WriteBatch();
        lengths().forEach(length -> {
            byte[] value = value(length);
            db.put(OLD, KEY);
            batch.clear();
            batch.delete(OLD);
            batch.put(KEY, value);
            batch.putLogData(MemorySegment.ofArray(LAST));
            batch.put(LAST, value);
            long before = db.latestSequenceNumber();
            db.write(batch);
            assertThat(db.get(OLD)).isNull();
            assertThat(db.get(KEY)).isEqualTo(value);
            assertThat(db.get(LAST)).isEqualTo(value);
            assertThat(db.latestSequenceNumber()).isEqualTo(before + 3);
        });
    }

    @Test
    void onlyDeletes() {
        db.put(OLD, KEY);
        db.put(KEY, OLD);
        WriteBatch batch = new WriteBatch();
        batch.delete(OLD);
        batch.setSavePoint();
        batch.put(KEY, LAST);
        batch.rollbackToSavePoint();

        db.write(batch);

        assertThat(db.get(OLD)).isNull();
        assertThat(db.get(KEY)).isEqualTo(OLD);
    }

    @Test
    void nothing() {
        WriteBatch batch = new WriteBatch();
        db.write(batch);
        batch.put(KEY, OLD);
        batch.clear();
        db.write(batch);

        assertThat(db.latestSequenceNumber()).isZero();
    }

    @Test
    void otherKindsAfterPuts() {
        WriteBatch batch = new WriteBatch();
        batch.put(KEY, OLD);
        db.write(batch);
        batch.clear();
        batch.deleteRange(MemorySegment.ofArray(KEY), MemorySegment.ofArray(LAST));
        batch.singleDelete(OLD);
        db.write(batch);

        assertThat(db.get(KEY)).isNull();
    }

    @Test
    void aBatchMadeOfBytes() {
        WriteBatch batch = new WriteBatch();
        batch.put(KEY, OLD);
        batch.delete(LAST);

        db.write(WriteBatch.of(batch.data()));

        assertThat(db.get(KEY)).isEqualTo(OLD);
    }

    /** Native batches are used again, and RocksDB leaves in them what protects their records. */
    @Test
    void afterABatchWithProtection() {
        DatabaseWriter protecting = db.with(new WriteOptions().protectionBytesPerKey(8));
        WriteBatch batch = new WriteBatch();
        for (int length : new int[]{5, 300, 70_000, 5}) {
            batch.clear();
            batch.put(KEY, value(length));
            protecting.write(batch);
            batch.put(LAST, value(length));
            batch.delete(KEY);
            db.write(batch);
            assertThat(db.get(KEY)).isNull();
            assertThat(db.get(LAST)).isEqualTo(value(length));
            protecting.write(batch);
        }
    }

    @Test
    void afterABatchThatWasRefused() {
        WriteBatch refused = new WriteBatch();
        refused.put(KEY, OLD);
        refused.merge(KEY, LAST);
        WriteBatch batch = new WriteBatch();
        batch.put(LAST, OLD);
        for (int round = 0; round < 3; round++) {
            assertThatThrownBy(() -> db.write(refused)).isInstanceOf(RocksDBException.class);
            db.write(batch);
        }

        assertThat(db.get(KEY)).isNull();
        assertThat(db.get(LAST)).isEqualTo(OLD);
        assertThat(db.latestSequenceNumber()).isEqualTo(3);
    }

    @Test
    @Tag("verify")
    void manyThreadsAtOnce() {
        List<CompletableFuture<Void>> writers = IntStream.range(0, 8)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                    WriteBatch batch = new WriteBatch();
                    for (int round = 0; round < ROUNDS; round++) {
                        batch.clear();
                        for (int i = 0; i <= round; i++) {
                            batch.put(Bytes.of(thread + "-" + i), value(round));
                        }
                        db.write(batch);
                    }
                })).toList();
        writers.forEach(CompletableFuture::join);

        for (int thread = 0; thread < 8; thread++) {
            for (int i = 0; i < ROUNDS; i++) {
                assertThat(db.get(Bytes.of(thread + "-" + i))).isEqualTo(value(ROUNDS - 1));
            }
        }
    }
}
