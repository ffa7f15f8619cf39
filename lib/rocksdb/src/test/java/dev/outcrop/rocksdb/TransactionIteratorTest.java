package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Iterators over a transaction that changes and ends. */
class TransactionIteratorTest extends DatabaseTest {
    @SuppressWarnings("NullAway.Init") // before each test
    private TransactionDB db;

    @BeforeEach
    void setUp() {
        db = TransactionDB.open(directory, create());
        for (String key : List.of("a", "c", "e")) {
            db.put(Bytes.of(key), Bytes.of("stored " + key));
        }
    }

    @AfterEach
    void closeAndFindTheLockFree() {
        db.close();
        RocksDB.open(directory).close();
    }

    private static List<String> all(KeyValueReader reader, KeyRange range) {
        List<String> seen = new ArrayList<>();
        reader.scan(range, (key, value) -> seen.add(text(key) + "=" + text(value)));
        return seen;
    }

    @Test
    void seesWritesOfTheTransactionBeforeTheDatabase() {
        try (Transaction transaction = db.begin()) {
            transaction.put(Bytes.of("b"), Bytes.of("new"));
            transaction.put(Bytes.of("c"), Bytes.of("changed"));
            transaction.delete(Bytes.of("e"));
            List<String> expected = List.of("a=stored a", "b=new", "c=changed");
            assertThat(all(transaction, KeyRange.all())).isEqualTo(expected);
            assertThat(all(transaction, KeyRange.all().reversed())).isEqualTo(expected.reversed());
            assertThat(all(transaction, KeyRange.of(Bytes.of("b"), Bytes.of("c")))).containsExactly("b=new");
            assertThat(all(transaction.in(db.defaultColumnFamily()), KeyRange.from(Bytes.of("c"))))
                    .containsExactly("c=changed");
            assertThat(transaction.stream(KeyRange.all())).hasSize(3);
            assertThat(all(db, KeyRange.all())).hasSize(3).contains("e=stored e");
            try (KeyValueIterator entries = transaction.iterator()) {
                assertThat(entries.seek(Bytes.of("b"))).isTrue();
                assertThat(text(entries.value())).isEqualTo("new");
                assertThatThrownBy(entries::refresh).isInstanceOf(RocksDBException.class);
                assertThat(text(entries.value())).isEqualTo("new");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("rounds")
    void goesWhereAModelGoesWhileTheTransactionWrites(int repetition) {
        long seed = TestSize.seed(getClass()) + repetition;
        Random random = new Random(seed);
        TreeMap<byte[], byte[]> model = new TreeMap<>(Arrays::compareUnsigned);
        for (String key : List.of("a", "c", "e")) {
            model.put(Bytes.of(key), Bytes.of("stored " + key));
        }
        try (Transaction transaction = db.begin(); KeyValueIterator entries = transaction.iterator()) {
            for (int step = 0; step < 3000; step++) {
                byte[] key = {(byte) ('a' + random.nextInt(26)), (byte) random.nextInt(20)};
                if (random.nextInt(3) == 0) {
                    byte[] value = Bytes.random(step, random.nextInt(200));
                    transaction.put(key, value);
                    model.put(key, value);
                } else if (random.nextInt(6) == 0) {
                    transaction.delete(key);
                    model.remove(key);
                }
                // The next move may or may not see a write since the last one; a seek sees everything.
                boolean isForward = random.nextBoolean();
                boolean isThere = isForward ? entries.seek(key) : entries.seekForPrev(key);
                Map.@Nullable Entry<byte[], byte[]> at = isForward ? model.ceilingEntry(key) : model.floorEntry(key);
                for (int i = 0; i < 3 && at != null; i++) {
                    assertThat(isThere).as("seed %d", seed).isTrue();
                    assertThat(ReadForm.bytes(entries.key())).as("seed %d", seed).isEqualTo(at.getKey());
                    assertThat(ReadForm.bytes(entries.value())).as("seed %d", seed).isEqualTo(at.getValue());
                    isThere = isForward ? entries.next() : entries.previous();
                    at = isForward ? model.higherEntry(at.getKey()) : model.lowerEntry(at.getKey());
                }
                assertThat(isThere).as("seed %d", seed).isEqualTo(at != null);
                if (isThere && random.nextBoolean()) {
                    // Moving on after a write must be safe, wherever it leads.
                    transaction.put(key, Bytes.random(step, 5000));
                    model.put(key, Bytes.random(step, 5000));
                    entries.next();
                }
            }
        }
    }

    @Test
    void aWriteEndsTheCurrentEntry() {
        try (Transaction transaction = db.begin(); KeyValueIterator entries = transaction.iterator()) {
            transaction.put(Bytes.of("b"), Bytes.of("new"));
            entries.seek(Bytes.of("b"));
            MemorySegment value = entries.value();
            List<Runnable> writes = List.of(() -> transaction.put(Bytes.of("x"), new byte[100_000]),
                    () -> transaction.delete(Bytes.of("b")),
                    () -> transaction.putLogData(MemorySegment.ofArray(new byte[9])));
            for (Runnable write : writes) {
                write.run();
                assertThatIllegalStateException().isThrownBy(() -> ReadForm.bytes(value));
                for (Runnable use : List.<Runnable>of(entries::key, entries::value, entries::entry,
                        () -> entries.key(MemorySegment.ofArray(new byte[9])))) {
                    assertThatIllegalStateException().isThrownBy(use::run).withMessageContaining("was written to");
                }
                assertThat(entries.isValid()).isTrue();
                assertThat(entries.next()).isTrue();
                assertThat(text(entries.key())).isEqualTo("c");
                entries.seek(Bytes.of("a"));
            }
        }
    }

    @Test
    void aScanMayWriteVisitedKeys() {
        try (Transaction transaction = db.begin()) {
            transaction.scan((key, value) -> {
                transaction.put(ReadForm.bytes(key), Bytes.of("changed"));
                assertThatIllegalStateException().isThrownBy(() -> ReadForm.bytes(key));
                return true;
            });
            assertThat(all(transaction, KeyRange.all())).containsExactly("a=changed", "c=changed", "e=changed");
            assertThatIllegalStateException().isThrownBy(() -> transaction.scan((key, value) -> {
                transaction.commit();
                return true;
            })).withMessageContaining("is closed");
        }
        assertThat(all(db, KeyRange.all())).containsExactly("a=changed", "c=changed", "e=changed");
    }

    @Test
    void theEndOfTheTransactionEndsItsIterators() {
        List<Consumer<Transaction>> ends = List.of(Transaction::commit, Transaction::rollback,
                Transaction::close, transaction -> {
                    transaction.setSavePoint();
                    transaction.rollbackToSavePoint();
                });
        for (Consumer<Transaction> end : ends) {
            Transaction transaction = db.begin();
            transaction.put(Bytes.of("b"), Bytes.of("new"));
            KeyValueIterator entries = transaction.iterator();
            KeyValueIterator other = transaction.iterator(KeyRange.prefix(Bytes.of("b")));
            entries.seek(Bytes.of("b"));
            MemorySegment key = entries.key();
            other.seekToFirst();
            end.accept(transaction);
            assertThatIllegalStateException().isThrownBy(() -> ReadForm.bytes(key));
            for (KeyValueIterator each : List.of(entries, other)) {
                assertThatIllegalStateException().isThrownBy(each::next).withMessageContaining("is closed");
                assertThatIllegalStateException().isThrownBy(each::isValid).withMessageContaining("is closed");
                each.close();
            }
            transaction.close();
            assertThatIllegalStateException().isThrownBy(transaction::iterator);
        }
    }

    @Test
    void anIteratorIsUsedInTurnsWithItsTransaction() throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor();
                Transaction transaction = db.begin();
                KeyValueIterator entries = transaction.iterator()) {
            entries.seekToFirst();
            MemorySegment key = entries.key();
            List<Runnable> refused = List.of(() -> transaction.put(Bytes.of("b"), Bytes.of("x")),
                    transaction::commit, transaction::rollback, transaction::close, entries::next, entries::close);
            for (Runnable use : refused) {
                assertThat(other.submit(use)).failsWithin(2, TimeUnit.MINUTES).withThrowableThat()
                        .withCauseInstanceOf(IllegalStateException.class).withMessageContaining("detach()");
                assertThat(text(key)).isEqualTo("a");
            }
            entries.detach();
            other.submit(() -> transaction.put(Bytes.of("b"), Bytes.of("x"))).get(2, TimeUnit.MINUTES);
            assertThat(entries.next()).isTrue();
        }
    }

    @Test
    void readsTheTransactionsSnapshot() {
        try (Transaction transaction = db.begin(new WriteOptions(), new TransactionOptions().setSnapshot(true))) {
            transaction.put(Bytes.of("b"), Bytes.of("mine"));
            db.put(Bytes.of("a"), Bytes.of("later"));
            List<String> then = List.of("a=stored a", "b=mine", "c=stored c", "e=stored e");
            TransactionalReader atSnapshot = transaction.atSnapshot();
            for (int i = 0; i < 100; i++) {
                // The second is a copy of the options.
                assertThat(all(atSnapshot, KeyRange.all())).isEqualTo(then);
                try (KeyValueIterator entries = atSnapshot.iterator()) {
                    entries.seekToFirst();
                    assertThat(text(entries.value())).isEqualTo("stored a");
                }
            }
            assertThat(all(transaction, KeyRange.to(Bytes.of("b")))).containsExactly("a=later");
            try (KeyValueIterator entries = atSnapshot.iterator()) {
                transaction.rollback();
                transaction.beginAgain();
                assertThatIllegalStateException().isThrownBy(entries::seekToFirst).withMessageContaining("is closed");
            }
            assertThatIllegalStateException().isThrownBy(atSnapshot::iterator);
            assertThatIllegalStateException().isThrownBy(() -> atSnapshot.stream(KeyRange.all()));
        }
    }

    @Test
    void goesOnAfterTheDatabaseIsClosed() {
        Transaction transaction = db.begin();
        transaction.put(Bytes.of("b"), Bytes.of("new"));
        KeyValueIterator entries = transaction.iterator();
        db.close();
        assertThat(entries.seek(Bytes.of("b"))).isTrue();
        assertThat(entries.next()).isTrue();
        assertThat(text(entries.value())).isEqualTo("stored c");
        entries.close();
        transaction.close();
    }
}
