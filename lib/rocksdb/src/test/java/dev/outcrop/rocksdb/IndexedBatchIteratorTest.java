package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Iterators over a write batch with index and the database beneath it. */
class IndexedBatchIteratorTest extends DatabaseTest {
    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create().mergeOperator(MergeOperator.STRING_APPEND));
        for (String key : List.of("a", "c", "e")) {
            db.put(Bytes.of(key), Bytes.of("stored " + key));
        }
    }

    @AfterEach
    void closeAndFindTheLockFree() {
        db.close();
        RocksDB.open(directory, new Options().mergeOperator(MergeOperator.STRING_APPEND)).close();
    }

    private static List<String> all(KeyValueIterator entries) {
        List<String> seen = new ArrayList<>();
        for (entries.seekToFirst(); entries.isValid(); entries.next()) {
            seen.add(text(entries.key()) + "=" + text(entries.value()));
        }
        return seen;
    }

    @Test
    void seesEntriesOfBatchAndDatabase() {
        ColumnFamily users = db.createColumnFamily("users", new Options());
        for (boolean overwrites : new boolean[]{false, true}) {
            try (WriteBatchWithIndex batch = new WriteBatchWithIndex(db, overwrites);
                    KeyValueIterator entries = batch.iteratorFromBatchAndDB();
                    KeyValueIterator range = batch.in(db.defaultColumnFamily())
                            .iteratorFromBatchAndDB(KeyRange.of(Bytes.of("b"), Bytes.of("d")));
                    KeyValueIterator others = batch.in(users).iteratorFromBatchAndDB()) {
                batch.put(Bytes.of("b"), Bytes.of("new"));
                batch.put(Bytes.of("b"), Bytes.of("newer"));
                batch.merge(Bytes.of("c"), Bytes.of("more"));
                batch.delete(Bytes.of("e"));
                batch.in(users).put(Bytes.of("u"), Bytes.of("user"));
                assertThat(all(entries)).containsExactly("a=stored a", "b=newer", "c=stored c,more");
                assertThat(all(range)).containsExactly("b=newer", "c=stored c,more");
                assertThat(all(others)).containsExactly("u=user");
                assertThat(entries.seekToLast()).isTrue();
                assertThat(entries.previous()).isTrue();
                assertThat(text(entries.value())).isEqualTo("newer");
                db.write(batch);
                assertThatIllegalStateException().isThrownBy(entries::value).withMessageContaining("was written to");
            }
            db.put(Bytes.of("c"), Bytes.of("stored c"));
            db.put(Bytes.of("e"), Bytes.of("stored e"));
        }
    }

    @Test
    void aRangeOfAColumnFamilyThatTheBatchHasNothingOfIsReadToo() {
        ColumnFamily users = db.createColumnFamily("users", new Options());
        users.put(Bytes.of("u"), Bytes.of("user"));
        ColumnFamily late = db.createColumnFamily("late", new Options());
        KeyRange range = KeyRange.of(Bytes.of("b"), Bytes.of("x"));
        try (WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
                WriteBatchWithIndex full = new WriteBatchWithIndex(db, true, 0, 12, false)) {
            for (boolean isEmpty : new boolean[]{true, false}) {
                try (KeyValueIterator entries = batch.in(users).iteratorFromBatchAndDB(range)) {
                    assertThat(entries.seek(Bytes.of("c"))).isTrue();
                    assertThat(all(entries)).containsExactly("u=user");
                    assertThat(entries.seekForPrev(Bytes.of("z"))).isTrue();
                    assertThatIllegalStateException()
                            .isThrownBy(() -> batch.in(late).iteratorFromBatchAndDB(range).close())
                            .withMessageContaining("column family late");
                }
                assertThat(batch.count()).isEqualTo(isEmpty ? 0 : 1);
                batch.put(Bytes.of("b"), Bytes.of("new"));
            }
            try (KeyValueIterator entries = batch.in(late).iteratorFromBatchAndDB(range)) {
                assertThat(entries.seek(Bytes.of("c"))).isFalse();
            }
            batch.setSavePoint();
            batch.delete(Bytes.of("e"));
            batch.in(db.createColumnFamily("later", new Options())).iteratorFromBatchAndDB(range).close();
            assertThat(batch.count()).isEqualTo(3);
            batch.rollbackToSavePoint();
            assertThat(batch.count()).isEqualTo(2);
            assertThatIllegalStateException().isThrownBy(() -> full.in(users).iteratorFromBatchAndDB(range).close());
        }
    }

    @Test
    void addingEndsTheCurrentEntryAndClearingTheIterator() {
        List<Consumer<WriteBatchWithIndex>> ends = List.of(WriteBatchWithIndex::clear, WriteBatchWithIndex::close,
                WriteBatchWithIndex::rollbackToSavePoint);
        for (Consumer<WriteBatchWithIndex> end : ends) {
            WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
            batch.put(Bytes.of("b"), Bytes.of("new"));
            batch.setSavePoint();
            KeyValueIterator entries = batch.iteratorFromBatchAndDB();
            entries.seek(Bytes.of("b"));
            MemorySegment value = entries.value();
            for (int i = 0; i < 100; i++) {
                batch.put(Bytes.of("x%02d".formatted(i)), new byte[1000]);
                assertThatIllegalStateException().isThrownBy(() -> ReadForm.bytes(value));
                assertThatIllegalStateException().isThrownBy(entries::key).withMessageContaining("was written to");
                assertThat(entries.next()).isTrue();
            }
            end.accept(batch);
            assertThatIllegalStateException().isThrownBy(entries::isValid).withMessageContaining("is closed");
            entries.close();
            batch.close();
            assertThatIllegalStateException().isThrownBy(batch::iteratorFromBatchAndDB);
        }
    }
}
