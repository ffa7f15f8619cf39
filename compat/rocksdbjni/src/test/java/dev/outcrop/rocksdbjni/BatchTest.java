package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.testsupport.TestSize;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteBatchInterface;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;

/** Misused batches crash nothing, and a failed write writes nothing. */
class BatchTest extends DatabaseTest {
    private static final int ROUNDS = 200;
    private static final int CHANGES = TestSize.choose("outcrop.batch.changes", 10_000, 200_000);
    /** How many comparators end while a batch goes on. */
    private static final int ENDED = TestSize.choose("outcrop.batch.ended", 4, 20);

    private RocksDB open(String name) throws RocksDBException {
        return RocksDB.open(path(name));
    }

    @Test
    void aBatchWithAFamilyOfAnotherDatabaseIsRefusedBeforeAnythingIsWritten() throws RocksDBException {
        RocksDB one = closeLater(open("one"));
        RocksDB other = closeLater(open("other"));
        WriteOptions options = closeLater(new WriteOptions());
        WriteBatch batch = closeLater(new WriteBatch());
        WriteBatchWithIndex indexed = closeLater(new WriteBatchWithIndex());
        ColumnFamilyHandle family = one.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
        ColumnFamilyHandle foreign = other.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
        batch.put(b("a"), b("1"));
        batch.put(family, b("a"), b("1"));
        indexed.put(b("a"), b("1"));
        indexed.put(family, b("a"), b("1"));
        assertThatThrownBy(() -> other.write(options, batch)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> other.write(options, indexed)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> batch.put(foreign, b("b"), b("1"))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> indexed.delete(foreign, b("b"))).isInstanceOf(IllegalArgumentException.class);
        assertThat(batch.count()).isEqualTo(2);
        assertThat(indexed.count()).isEqualTo(2);
        assertThat(other.getLatestSequenceNumber()).isZero();
        assertThat(other.get(b("a"))).isNull();
        one.write(options, batch);
        assertThat(one.get(family, b("a"))).isEqualTo(b("1"));
        batch.clear();
        batch.put(foreign, b("b"), b("1"));
        other.write(options, batch);
        assertThat(other.get(foreign, b("b"))).isEqualTo(b("1"));
    }

    @Test
    void closedThingsAreRefused() throws RocksDBException {
        RocksDB db = open("db");
        WriteOptions options = new WriteOptions();
        WriteBatch batch = new WriteBatch();
        batch.put(b("a"), b("1"));
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(b("f")));
        WriteBatch closed = new WriteBatch();
        closed.close();
        closed.close();
        assertMisuse(() -> closed.put(b("a"), b("1")));
        assertMisuse(closed::count);
        assertMisuse(closed::data);
        assertMisuse(() -> db.write(options, closed));
        WriteBatchWithIndex indexed = new WriteBatchWithIndex(true);
        RocksIterator over = indexed.newIteratorWithBase(db.newIterator());
        indexed.close();
        assertMisuse(over::isValid);
        assertMisuse(() -> indexed.put(b("a"), b("1")));
        assertMisuse(() -> db.write(options, indexed));
        over.close();
        family.close();
        assertMisuse(() -> batch.put(family, b("a"), b("1")));
        db.close();
        assertMisuse(() -> db.write(options, batch));
        assertMisuse(() -> db.put(b("a"), b("1")));
        batch.close();
        options.close();
        RocksDB again = closeLater(RocksDB.openReadOnly(path()));
        assertThat(again.getLatestSequenceNumber()).isZero();
    }

    @Test
    void anIteratorOverABatchTakesItsBaseAndEndsWhenTheBatchIsCleared() throws RocksDBException {
        try (RocksDB db = open("db"); WriteBatchWithIndex batch = new WriteBatchWithIndex(true)) {
            db.put(b("a"), b("db"));
            RocksIterator base = db.newIterator();
            RocksIterator over = batch.newIteratorWithBase(base);
            assertMisuse(base::isValid);
            assertMisuse(() -> batch.newIteratorWithBase(base));
            base.close();
            batch.put(b("b"), b("batch"));
            List<String> keys = new ArrayList<>();
            for (over.seekToFirst(); over.isValid(); over.next()) {
                keys.add(new String(over.key(), UTF_8));
            }
            assertThat(keys).containsExactly("a", "b");
            batch.clear();
            assertMisuse(over::isValid);
            RocksIterator leaked = batch.newIteratorWithBase(db.newIterator());
            leaked.seekToFirst();
            assertThat(leaked.key()).isEqualTo(b("a"));
        }
        open("db").close();
    }

    @Test
    void anIteratorOverABatchKeepsTheBoundsThatItWasMadeWith() throws RocksDBException {
        RocksDB db = closeLater(open("db"));
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(true));
        for (String key : List.of("a", "b", "c", "d")) {
            batch.put(b(key), b("1"));
        }
        ReadOptions options = new ReadOptions();
        try (Slice lower = new Slice("b"); Slice upper = new Slice("d")) {
            options.setIterateLowerBound(lower).setIterateUpperBound(upper);
        }
        RocksIterator over = closeLater(batch.newIteratorWithBase(db.newIterator(options), options));
        options.close();
        List<ReadOptions> others = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            try (Slice other = new Slice("zzzzzzzz")) {
                others.add(new ReadOptions().setIterateLowerBound(other));
            }
        }
        List<String> keys = new ArrayList<>();
        for (over.seekToFirst(); over.isValid(); over.next()) {
            keys.add(new String(over.key(), UTF_8));
        }
        assertThat(keys).containsExactly("b", "c");
        others.forEach(ReadOptions::close);
    }

    @Test
    void anIteratorOverABatchReadsTheValueOfABatchThatHasGrown() throws RocksDBException {
        RocksDB db = closeLater(open("db"));
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(true));
        byte[] large = new byte[300_000];
        Arrays.fill(large, (byte) 7);
        batch.put(b("a"), large);
        batch.put(b("b"), b("1"));
        RocksIterator over = closeLater(batch.newIteratorWithBase(db.newIterator()));
        over.seekToFirst();
        for (int i = 0; i < 30; i++) {
            batch.put(b("c" + i), new byte[300_000]);
            assertThat(over.value()).isEqualTo(large);
        }
        batch.put(b("a"), b("new"));
        batch.put(b("c"), new byte[10_000_000]);
        assertThat(over.value()).isEqualTo(b("new"));
        over.next();
        assertThat(over.key()).isEqualTo(b("b"));
        batch.delete(b("b"));
        batch.put(b("d"), new byte[30_000_000]);
        assertThatThrownBy(over::value).isInstanceOf(IllegalStateException.class).hasMessageContaining("deleted");
    }

    @Test
    void damagedBytesAreRefused() throws RocksDBException {
        byte[] data;
        try (WriteBatch batch = new WriteBatch()) {
            for (int i = 0; i < 20; i++) {
                batch.put(b("key" + i), b("value" + i));
                batch.delete(b("gone" + i));
            }
            data = batch.data();
        }
        assertThatThrownBy(() -> new WriteBatch(new byte[11])).isInstanceOf(IllegalArgumentException.class);
        Random random = new Random(7);
        int refused = 0;
        try (RocksDB db = open("db"); WriteOptions options = new WriteOptions()) {
            for (int i = 0; i < ROUNDS; i++) {
                byte[] damaged = Arrays.copyOf(data, data.length - random.nextInt(3));
                damaged[8 + random.nextInt(damaged.length - 8)] ^= (byte) (1 << random.nextInt(8));
                try (WriteBatch batch = new WriteBatch(damaged)) {
                    db.write(options, batch);
                } catch (IllegalArgumentException | RocksDBException e) {
                    refused++;
                }
            }
        }
        assertThat(refused).isBetween(ROUNDS / 4, ROUNDS - 1);
    }

    @Test
    void aHandlersFailureComesBackItself() throws RocksDBException {
        WriteBatch batch = closeLater(new WriteBatch());
        batch.put(b("a"), b("1"));
        RocksDBException failure = new RocksDBException("mine");
        SeenRecords seen = closeLater(new SeenRecords(1, failure));
        assertThatThrownBy(() -> batch.iterate(seen)).isSameAs(failure);
    }

    @Test
    void threadsThatUseABatchAtOnceDoNotDisturbEachOther() throws Exception {
        try (WriteBatch batch = new WriteBatch()) {
            together(batch, false);
            assertThat(batch.count()).isEqualTo(2 * ROUNDS);
            try (WriteBatch copy = new WriteBatch(batch.data())) {
                assertThat(copy.count()).isEqualTo(2 * ROUNDS);
            }
        }
        WriteBatchWithIndex batch = closeLater(new WriteBatchWithIndex(false));
        together(batch, false);
        assertThat(batch.count()).isEqualTo(2 * ROUNDS);
    }

    @Test
    void closingABatchWhileOthersUseItRefusesThem() throws Exception {
        for (int i = 0; i < 20; i++) {
            together(new WriteBatch(), true);
            together(new WriteBatchWithIndex(true), true);
        }
    }

    /** A comparator that counts its calls, and waits when it is to. */
    private static final class Waiting extends AbstractComparator {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch left = new CountDownLatch(1);
        private final AtomicInteger asked;
        private volatile boolean waits;

        Waiting(ComparatorOptions options, AtomicInteger asked) {
            super(options);
            this.asked = asked;
        }

        @Override
        public String name() {
            return "waiting";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            asked.incrementAndGet();
            if (waits) {
                waits = false;
                entered.countDown();
                try {
                    left.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
            return a.compareTo(b);
        }
    }

    @Test
    @SuppressWarnings("resource") // closed by the other thread
    void anIteratorEndsWithItsBatchAlsoWhileTheDatabaseIsBeingClosed() throws Exception {
        ComparatorOptions shown = closeLater(new ComparatorOptions());
        Waiting order = closeLater(new Waiting(shown, new AtomicInteger()));
        Options options = closeLater(new Options().setCreateIfMissing(true).setAllowFAllocate(false)
                .setComparator(order));
        RocksDB db = RocksDB.open(options, path("waiting"));
        db.put(b("a"), b("1"));
        WriteBatchWithIndex batch = new WriteBatchWithIndex(true);
        RocksIterator over = batch.newIteratorWithBase(db.newIterator());
        order.waits = true;
        Thread reader = Thread.ofPlatform()
                .start(() -> assertThatCode(() -> db.get(b("a"))).doesNotThrowAnyException());
        order.entered.await();
        Thread closer = Thread.ofPlatform().start(db::close);
        // From then on the closing waits for the reader.
        while (!isRefused(db::getLatestSequenceNumber)) {
            Thread.onSpinWait();
        }
        batch.close();
        assertMisuse(over::seekToFirst);
        order.left.countDown();
        reader.join();
        closer.join();
    }

    private void addOrdered(WriteBatchWithIndex batch, AtomicInteger asked, String name, boolean isOfBase)
            throws RocksDBException {
        try (ComparatorOptions shown = new ComparatorOptions();
                Waiting order = new Waiting(shown, asked);
                Options options = new Options().setCreateIfMissing(true).setAllowFAllocate(false).setComparator(order);
                OptimisticTransactionDB db = OptimisticTransactionDB.open(options, path(name))) {
            RocksDB owner = isOfBase ? db.getBaseDB() : db;
            batch.put(owner.getDefaultColumnFamily(), b("a"), b("1"));
        }
    }

    /** RocksDB sorts records of a family without a name with the comparator that it was last told of, also in a batch that was cleared. */
    @Tag("verify")
    @Test
    void aComparatorStaysForTheBatchThatSortsWithIt() throws Exception {
        staysForTheBatch(false);
    }

    @Tag("verify")
    @Test
    void aComparatorStaysForTheBatchThatKnowsItFromABaseDatabase() throws Exception {
        staysForTheBatch(true);
    }

    private void staysForTheBatch(boolean isOfBase) throws RocksDBException {
        AtomicInteger asked = new AtomicInteger();
        try (WriteBatchWithIndex batch = new WriteBatchWithIndex(true); RocksDB db = open("plain")) {
            addOrdered(batch, asked, "ordered", isOfBase);
            batch.clear();
            for (int i = 0; i < ENDED; i++) {
                System.gc();
                // Freed memory is taken by another one.
                try (WriteBatchWithIndex other = new WriteBatchWithIndex(true)) {
                    addOrdered(other, new AtomicInteger(), "other" + i, isOfBase);
                }
                int before = asked.get();
                batch.put(b("key" + i), b("value"));
                try (RocksIterator over = batch.newIteratorWithBase(db.newIterator())) {
                    over.seekForPrev(b("key" + i));
                    assertThat(over.key()).isEqualTo(b("key" + i));
                }
                assertThat(asked.get()).isGreaterThan(before);
            }
        }
    }

    private static boolean isRefused(Runnable call) {
        try {
            call.run();
            return false;
        } catch (IllegalStateException | AssertionError e) {
            return true;
        }
    }

    /** One thread changes the records with their index, the other one without. Both lock both batches. */
    @Tag("verify")
    @Test
    void aBatchIsChangedWithItsIndexAndWithout() throws Exception {
        try (WriteBatchWithIndex indexed = new WriteBatchWithIndex(true)) {
            WriteBatch records = indexed.getWriteBatch();
            List<Throwable> unexpected = new CopyOnWriteArrayList<>();
            Thread other = Thread.ofPlatform().daemon().start(() -> {
                try {
                    for (int i = 0; i < CHANGES; i++) {
                        records.put(b("key" + i % 10), b("value"));
                        records.markWalTerminationPoint();
                        assertThat(records.getWalTerminationPoint().getSize()).isNotNegative();
                    }
                } catch (Throwable e) {
                    unexpected.add(e);
                }
            });
            for (int i = 0; i < CHANGES; i++) {
                indexed.setSavePoint();
                indexed.put(b("key" + i % 10), b("value"));
                indexed.rollbackToSavePoint();
                indexed.clear();
            }
            other.join();
            assertThat(unexpected).isEmpty();
            records.put(b("key"), b("value"));
            records.markWalTerminationPoint();
            indexed.clear();
            assertThat(records.getWalTerminationPoint().getSize()).isZero();
        }
    }

    /** Two threads put; in the end the batch is closed if that is wanted. */
    private static void together(WriteBatchInterface batch, boolean closes) throws Exception {
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger unexpected = new AtomicInteger();
        Runnable puts = () -> {
            for (int i = 0; i < ROUNDS; i++) {
                try {
                    batch.put(b("key" + i), b("value"));
                } catch (IllegalStateException | AssertionError e) {
                    refused.incrementAndGet();
                } catch (RocksDBException | RuntimeException e) {
                    unexpected.incrementAndGet();
                }
            }
        };
        Thread one = Thread.ofPlatform().start(puts);
        Thread two = Thread.ofPlatform().start(puts);
        if (closes) {
            ((AutoCloseable) batch).close();
        }
        one.join();
        two.join();
        assertThat(unexpected).hasValue(0);
        assertThat(refused.get()).isLessThanOrEqualTo(closes ? 2 * ROUNDS : 0);
        if (closes) {
            assertMisuse(() -> batch.put(b("a"), b("1")));
        }
    }
}
