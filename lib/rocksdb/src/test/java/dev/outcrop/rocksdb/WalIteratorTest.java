package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reading the changes in the log, and its files. */
class WalIteratorTest extends DatabaseTest {
    @Override
    RocksDB open() {
        return RocksDB.open(directory, create().WALTtlSeconds(Duration.ofHours(1)));
    }

    private static void put(RocksDB db, String key) {
        db.put(Bytes.of(key), Bytes.of("value of " + key));
    }

    /** The batch with the one change that put() makes: sequence number, count, kind 1, lengths and bytes of key and value. */
    private static void assertBatch(WalIterator changes, long sequenceNumber, String key) {
        assertThat(changes.sequenceNumber()).isEqualTo(sequenceNumber);
        MemorySegment data = changes.data();
        assertThat(data.get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(sequenceNumber);
        assertThat(data.get(ValueLayout.JAVA_INT_UNALIGNED, 8)).isEqualTo(1);
        String records = new String(data.asSlice(12).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1);
        assertThat(records).isEqualTo("\1" + (char) key.length() + key + (char) (9 + key.length()) + "value of " + key);
        assertThat(data.isReadOnly()).isTrue();
    }

    @Test
    void seesAllChangesAndThoseThatComeLater() {
        try (RocksDB db = open(); WalIterator changes = db.updatesSince(0)) {
            assertThat(db.latestSequenceNumber()).isZero();
            assertThat(changes.next()).isFalse();
            assertThat(changes.next()).isFalse();
            List<MemorySegment> kept = new ArrayList<>();
            for (int i = 1; i <= 50; i++) {
                put(db, "key" + i);
                assertThat(db.latestSequenceNumber()).isEqualTo(i);
                if (i % 10 == 0) {
                    // The log goes on in another file.
                    db.flush();
                }
                if (i % 3 == 0) {
                    for (int seen = i - 2; seen <= i; seen++) {
                        assertThat(changes.next()).as("change %d", seen).isTrue();
                        assertBatch(changes, seen, "key" + seen);
                        kept.add(changes.data());
                    }
                    assertThat(changes.next()).as("after %d", i).isFalse();
                    assertThatIllegalStateException().isThrownBy(changes::data).withMessageContaining("no batch");
                    assertThatIllegalStateException().isThrownBy(changes::sequenceNumber);
                }
            }
            assertThat(kept).hasSize(48);
            assertThat(kept.get(0).get(ValueLayout.JAVA_LONG_UNALIGNED, 0)).isEqualTo(1);
        }
        RocksDB.open(directory).close();
    }

    @Test
    void beginsAtTheGivenNumber() {
        RocksDB db = closeLater(open());
        for (int i = 1; i <= 9; i++) {
            put(db, "key" + i);
        }
        try (WalIterator changes = db.updatesSince(5)) {
            assertThat(changes.next()).isTrue();
            assertBatch(changes, 5, "key5");
        }
        try (WalIterator changes = db.updatesSince(10)) {
            assertThat(changes.next()).isFalse();
            put(db, "key10");
            assertThat(changes.next()).isTrue();
            assertBatch(changes, 10, "key10");
        }
        assertThatIllegalArgumentException().isThrownBy(() -> db.updatesSince(12)).withMessageContaining("0 to 11");
        assertThatIllegalArgumentException().isThrownBy(() -> db.updatesSince(-1));
    }

    @Test
    void changesThatTheLogHasNotAreNotSkippedSilently() {
        RocksDB db = closeLater(open());
        WalIterator changes = closeLater(db.updatesSince(1));
        put(db, "a");
        assertThat(changes.next()).isTrue();
        KeyValueWriter unlogged = db.with(new WriteOptions().disableWAL(true));
        unlogged.put(Bytes.of("b"), Bytes.of("x"));
        for (int i = 0; i < 2; i++) {
            RocksDBException thrown = catchThrowableOfType(RocksDBException.class, changes::next);
            assertThat(thrown).isNotNull().hasMessageContaining("change 2");
            assertThat(thrown.status().code()).isEqualTo(Status.Code.NOT_FOUND);
        }
        put(db, "c");
        assertThat(catchThrowableOfType(RocksDBException.class, changes::next)).isNotNull()
                .hasMessageContaining("changes from 2 to 2");
        assertThat(changes.next()).isTrue();
        assertBatch(changes, 3, "c");
    }

    @Test
    void aDamagedLogIsNotTheEnd() {
        long[] sizes = new long[4];
        RocksDB db = closeLater(open());
        for (int i = 1; i <= 3; i++) {
            put(db, "key" + i);
            sizes[i] = db.walFiles().getLast().sizeBytes();
        }
        DirectoryImage.flip(directory.resolve(db.currentWalFile().pathName().substring(1)), sizes[2] - 3);
        List<Long> seen = new ArrayList<>();
        WalIterator changes = closeLater(db.updatesSince(1));
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> {
            while (changes.next()) {
                seen.add(changes.sequenceNumber());
            }
        });
        assertThat(thrown).isNotNull();
        assertThat(seen).containsExactly(1L);
    }

    @Test
    void goesOnAfterTheDatabaseIsClosed() {
        RocksDB db = open();
        put(db, "a");
        put(db, "b");
        WalIterator changes = db.updatesSince(1);
        assertThat(changes.next()).isTrue();
        db.close();
        assertThat(changes.next()).isTrue();
        assertBatch(changes, 2, "b");
        assertThat(changes.next()).isFalse();
        assertThatIllegalStateException().isThrownBy(() -> db.updatesSince(1)).withMessageContaining("is closed");
        changes.close();
        changes.close();
        assertThatIllegalStateException().isThrownBy(changes::next)
                .withMessage("The iterator of the log of database " + directory + " is closed");
        assertThatIllegalStateException().isThrownBy(changes::data);
        RocksDB.open(directory).close();
    }

    @Test
    void listsItsFiles() {
        try (RocksDB db = open()) {
            put(db, "a");
            db.flush();
            put(db, "b");
            List<WalFile> files = db.walFiles();
            assertThat(files).hasSize(2);
            assertThat(files.getFirst().isArchived()).isTrue();
            assertThat(files.getFirst().pathName()).startsWith("/archive/").endsWith(".log");
            assertThat(files.getFirst().startSequence()).isEqualTo(1);
            WalFile last = files.getLast();
            assertThat(last.isArchived()).isFalse();
            assertThat(last.startSequence()).isEqualTo(2);
            assertThat(last.sizeBytes()).isEqualTo(directory.resolve(last.pathName().substring(1)).toFile().length());
            assertThat(db.currentWalFile().number()).isEqualTo(last.number());
            assertThat(db.currentWalFile().pathName()).isEqualTo(last.pathName());
        }
        RocksDB reader = closeLater(RocksDB.openReadOnly(directory, new Options()));
        assertThat(reader.latestSequenceNumber()).isEqualTo(2);
        assertThat(reader.walFiles()).isNotEmpty();
        assertThat(catchThrowableOfType(RocksDBException.class, reader::currentWalFile)).isNotNull();
        WalIterator changes = closeLater(reader.updatesSince(2));
        assertThat(changes.next()).isTrue();
        assertBatch(changes, 2, "b");
    }

    @Test
    void canBeAppliedElsewhere() {
        RocksDB db = closeLater(open());
        RocksDB copy = closeLater(RocksDB.open(directory.resolve("copy"), create()));
        WriteBatch batch = new WriteBatch();
        batch.put(Bytes.of("a"), Bytes.of("1"));
        batch.put(Bytes.of("b"), Bytes.of("2"));
        db.write(batch);
        db.delete(Bytes.of("a"));
        db.put(Bytes.of("c"), Bytes.of("3"));
        try (WalIterator changes = db.updatesSince(2, new WalReadOptions().verifyChecksums(true))) {
            List<Long> numbers = new ArrayList<>();
            while (changes.next()) {
                numbers.add(changes.sequenceNumber());
                copy.write(changes.batch());
            }
            assertThat(numbers).containsExactly(1L, 3L, 4L);
        }
        assertThat(copy.stream(KeyRange.all()).toList()).isEqualTo(db.stream(KeyRange.all()).toList()).hasSize(2);
    }
}
