package dev.outcrop.rocksdbjni;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DirectSlice;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WBWIRocksIterator;
import org.rocksdb.WriteBatchWithIndex;
import org.rocksdb.WriteOptions;
import org.rocksdb.util.BytewiseComparator;

/** Uses of iterators over batches that the published jar does not survive. */
class BatchIteratorsTest extends DatabaseTest {

    private final Options options = closeLater(new Options().setCreateIfMissing(true));
    private final WriteOptions write = closeLater(new WriteOptions());
    private final ReadOptions read = closeLater(new ReadOptions());
    private TransactionDB db;
    private WriteBatchWithIndex batch;

    @BeforeEach
    void open() throws RocksDBException {
        db = closeLater(TransactionDB.open(options, closeLater(new TransactionDBOptions()), path()));
        db.put(b("b"), KEY);
        batch = closeLater(new WriteBatchWithIndex(true));
        batch.put(b("a"), KEY);
    }

    private void assertEnded(WBWIRocksIterator records) {
        assertMisuse(records::isValid);
        assertMisuse(records::entry);
        assertMisuse(records::seekToFirst);
        assertMisuse(records::next);
        assertMisuse(() -> records.seek(KEY));
        assertMisuse(records::status);
        assertMisuse(records::refresh);
        records.close();
    }

    @Test
    void recordsEndWithTheBatch() throws RocksDBException {
        WBWIRocksIterator records = batch.newIterator();
        records.seekToFirst();
        WBWIRocksIterator.WriteEntry entry = records.entry();
        DirectSlice key = entry.getKey();
        ByteBuffer bytes = key.data();
        WBWIRocksIterator closed = batch.newIterator(db.getDefaultColumnFamily());
        closed.close();
        assertEnded(closed);
        batch.clear();
        assertEnded(records);
        assertThat(entry.getValue()).isNull();
        assertMisuse(key::size);
        assertThat(bytes.get(0)).isEqualTo((byte) 'a');
        batch.setSavePoint();
        batch.put(b("c"), KEY);
        WBWIRocksIterator undone = batch.newIterator();
        batch.rollbackToSavePoint();
        assertEnded(undone);
        WBWIRocksIterator last = batch.newIterator();
        batch.close();
        assertEnded(last);
        assertMisuse(batch::newIterator);
        assertMisuse(() -> batch.newIterator(db.getDefaultColumnFamily()));
    }

    @Test
    void recordsOfATransactionEndWithIt() throws RocksDBException {
        Transaction transaction = db.beginTransaction(write);
        transaction.put(KEY, KEY);
        WBWIRocksIterator records = transaction.getWriteBatch().newIterator();
        records.seekToFirst();
        assertThat(records.entry().getKey().toString()).isEqualTo("key");
        transaction.commit();
        assertEnded(records);
        Transaction left = db.beginTransaction(write);
        WBWIRocksIterator ofLeft = left.getWriteBatch().newIterator();
        db.close();
        assertEnded(ofLeft);
    }

    @Test
    void aRecordMustBeThere() {
        try (WBWIRocksIterator records = batch.newIterator()) {
            for (Runnable use : new Runnable[]{records::entry, records::next, records::prev}) {
                assertThatThrownBy(use::run).isInstanceOf(IllegalStateException.class)
                        .hasMessageContaining("isValid()");
            }
        }
    }

    @Test
    void keysOfRecordsStayWhenTheBatchMoves() throws RocksDBException {
        try (WBWIRocksIterator records = batch.newIterator()) {
            records.seekToFirst();
            WBWIRocksIterator.WriteEntry entry = records.entry();
            for (int i = 0; i < 100; i++) {
                batch.put(b("more" + i), new byte[10_000]);
            }
            assertThat(entry.getKey().toString()).isEqualTo("a");
            assertThat(entry.getValue().toString()).isEqualTo("key");
            records.next();
            assertThat(records.entry().getKey().toString()).isEqualTo("more0");
        }
    }

    @Test
    void familiesOfOthersAndClosedOnesAreRefused() throws RocksDBException {
        ColumnFamilyHandle family = db.createColumnFamily(new ColumnFamilyDescriptor(KEY));
        RocksDB other = closeLater(RocksDB.open(options, path("other")));
        batch.put(family, KEY, KEY);
        assertThatThrownBy(() -> batch.newIterator(other.getDefaultColumnFamily()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> batch.newIteratorWithBase(other.newIterator()))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> batch.newIteratorWithBase(other.getDefaultColumnFamily(), db.newIterator()))
                .isInstanceOf(IllegalArgumentException.class);
        family.close();
        assertMisuse(() -> batch.newIterator(family));
    }

    @SuppressWarnings("try") // a batch is closed early
    @Test
    void anIteratorOverBatchesEndsWithEachOfThem() throws RocksDBException {
        for (int closed = 0; closed < 3; closed++) {
            try (WriteBatchWithIndex first = new WriteBatchWithIndex(true);
                    WriteBatchWithIndex second = new WriteBatchWithIndex(true);
                    Transaction transaction = db.beginTransaction(write)) {
                first.put(b("first"), KEY);
                second.put(b("second"), KEY);
                transaction.put(b("third"), KEY);
                RocksIterator base = transaction.getIterator(read);
                RocksIterator middle = second.newIteratorWithBase(base);
                RocksIterator entries = first.newIteratorWithBase(middle);
                assertMisuse(base::isValid);
                assertMisuse(middle::isValid);
                assertMisuse(() -> first.newIteratorWithBase(middle));
                entries.seekToLast();
                assertThat(entries.key()).isEqualTo(b("third"));
                // The values move.
                transaction.put(b("v"), new byte[100_000]);
                second.put(b("w"), new byte[100_000]);
                first.put(b("x"), new byte[100_000]);
                assertThat(entries.value()).isEqualTo(KEY);
                entries.next();
                assertThat(entries.key()).isEqualTo(b("v"));
                switch (closed) {
                    case 0 -> first.clear();
                    case 1 -> second.close();
                    default -> transaction.rollback();
                }
                assertMisuse(entries::isValid);
                assertMisuse(entries::key);
                entries.close();
            }
        }
    }

    /** One thread's iterator is over the other thread's batch and its own, and the other way round. */
    @Test
    void threadsUseBatchesInAnyOrder() throws Exception {
        WriteBatchWithIndex other = closeLater(new WriteBatchWithIndex(true));
        try (ExecutorService threads = Executors.newFixedThreadPool(3)) {
            Future<?> one = threads.submit(() -> walk(batch, other));
            Future<?> two = threads.submit(() -> walk(other, batch));
            Future<?> three = threads.submit(() -> {
                for (int i = 0; i < 200; i++) {
                    batch.put(b("one" + i), new byte[100]);
                    other.put(b("two" + i), new byte[100]);
                    if (i % 50 == 0) {
                        batch.clear();
                        other.clear();
                    }
                }
                return null;
            });
            one.get();
            two.get();
            three.get();
        }
    }

    private void walk(WriteBatchWithIndex over, WriteBatchWithIndex under) {
        for (int i = 0; i < 200; i++) {
            try (RocksIterator entries = over.newIteratorWithBase(under.newIteratorWithBase(db.newIterator()));
                    WBWIRocksIterator records = under.newIterator()) {
                for (entries.seekToFirst(); entries.isValid(); entries.next()) {
                    assertThat(entries.value()).isNotNull();
                }
                for (records.seekToFirst(); records.isValid(); records.next()) {
                    assertThat(records.entry().getKey().size()).isPositive();
                }
            } catch (IllegalStateException | AssertionError e) {
                assertThat(e).hasMessageMatching(".*(closed|no entry|deleted).*");
            }
        }
    }

    /** Compares keys of up to three bytes, or not even itself. */
    private static final class Bad extends AbstractComparator {
        private final boolean isLying;

        Bad(ComparatorOptions options, boolean isLying) {
            super(options);
            this.isLying = isLying;
        }

        @Override
        public String name() {
            return "bad";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            if (!isLying && (a.remaining() > 3 || b.remaining() > 3)) {
                throw new IllegalArgumentException("too long");
            }
            return isLying ? 1 : a.compareTo(b);
        }
    }

    @Test
    void fallbackComparatorsMayFailOrBeClosed() throws RocksDBException {
        try (ComparatorOptions comparing = new ComparatorOptions()) {
            for (boolean isLying : new boolean[]{false, true}) {
                for (boolean overwrites : new boolean[]{false, true}) {
                    Bad order = new Bad(comparing, isLying);
                    try (WriteBatchWithIndex bad = new WriteBatchWithIndex(order, 0, overwrites)) {
                        order.close();
                        for (int i = 0; i < 100; i++) {
                            bad.put(b("k" + i % 7), KEY);
                            bad.delete(b("too long" + i));
                            bad.put(b(""), KEY);
                        }
                        int found = 0;
                        try (WBWIRocksIterator records = bad.newIterator()) {
                            for (records.seekToFirst(); records.isValid(); records.next()) {
                                found++;
                            }
                            records.seek(b("too long as well"));
                            records.seekForPrev(b("k3"));
                        }
                        assertThat(found).isBetween(1, 300);
                    }
                }
            }
            BytewiseComparator closed = new BytewiseComparator(comparing);
            closed.close();
            assertMisuse(() -> new WriteBatchWithIndex(closed, 0, true));
            BytewiseComparator order = closeLater(new BytewiseComparator(comparing));
            for (int reserved : List.of(-1, Integer.MIN_VALUE)) {
                assertThatThrownBy(() -> new WriteBatchWithIndex(order, reserved, true))
                        .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("reservedBytes")
                        .hasMessageContaining(Integer.toString(reserved));
            }
            new WriteBatchWithIndex(order, Integer.MAX_VALUE, true).close();
        }
    }
}
