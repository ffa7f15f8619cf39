package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.rocksdb.ByteBufferGetStatus;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** The default family has two handles: one from opening, and one that every database has. A list may have both. */
class HandlesOfOneFamilyTest extends DatabaseTest {
    private final List<ColumnFamilyHandle> opened = new ArrayList<>();
    private TransactionDB db;
    private List<ColumnFamilyHandle> mixed;

    @BeforeEach
    void open() throws RocksDBException {
        try (DBOptions options = new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true)
                .setAtomicFlush(true); TransactionDBOptions locking = new TransactionDBOptions()) {
            db = TransactionDB.open(options, locking, path(),
                    List.of(new ColumnFamilyDescriptor(b("default")), new ColumnFamilyDescriptor(b("other"))), opened);
        }
        db.put(b("a"), b("1"));
        db.put(opened.getLast(), b("a"), b("2"));
        mixed = List.of(opened.getFirst(), db.getDefaultColumnFamily(), opened.getLast(), db.getDefaultColumnFamily(),
                opened.getFirst(), opened.getLast());
        assertThat(mixed.get(0)).isNotSameAs(mixed.get(1));
        assertThat(mixed.get(0).getID()).isEqualTo(mixed.get(1).getID());
    }

    @AfterEach
    void close() {
        opened.forEach(ColumnFamilyHandle::close);
        db.close();
    }

    @Test
    void manyKeysAreRead() throws RocksDBException {
        List<byte[]> keys = List.of(b("a"), b("a"), b("a"), b("none"), b("a"), b("none"));
        List<byte[]> expected = new ArrayList<>(List.of(b("1"), b("1"), b("2")));
        expected.add(null);
        expected.add(b("1"));
        expected.add(null);

        try (ReadOptions options = new ReadOptions(); ReadOptions before = new ReadOptions()) {
            assertThat(db.multiGetAsList(mixed, keys)).containsExactlyElementsOf(expected);
            assertThat(db.multiGetAsList(options, mixed, keys)).containsExactlyElementsOf(expected);
            assertThat(db.multiGetAsList(mixed.subList(0, 2), keys.subList(0, 2))).containsExactly(b("1"), b("1"));
            var snapshot = db.getSnapshot();
            assertThat(db.multiGetAsList(before.setSnapshot(snapshot), mixed, keys))
                    .containsExactlyElementsOf(expected);
            db.releaseSnapshot(snapshot);
        }
    }

    /** The base database of an optimistic database takes the handles of both. */
    @Test
    void manyKeysOfABaseAreRead() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                OptimisticTransactionDB whole = OptimisticTransactionDB.open(options, path("optimistic"));
                RocksDB base = whole.getBaseDB()) {
            whole.put(b("a"), b("1"));
            assertThat(base.multiGetAsList(List.of(base.getDefaultColumnFamily(), whole.getDefaultColumnFamily()),
                    List.of(b("a"), b("a")))).containsExactly(b("1"), b("1"));
        }
    }

    @Test
    void manyKeysAreReadIntoBuffers() throws RocksDBException {
        List<ByteBuffer> keys = new ArrayList<>();
        List<ByteBuffer> values = new ArrayList<>();
        for (int i = 0; i < mixed.size(); i++) {
            keys.add(ByteBuffer.allocateDirect(1).put((byte) 'a').flip());
            values.add(ByteBuffer.allocateDirect(10));
        }

        List<ByteBufferGetStatus> found = db.multiGetByteBuffers(mixed, keys, values);

        assertThat(found).extracting(status -> (char) status.value.get(0)).containsExactly('1', '1', '2', '1', '1',
                '2');
    }

    @Test
    void transactionsReadManyKeys() throws RocksDBException {
        try (WriteOptions writes = new WriteOptions();
                ReadOptions reads = new ReadOptions();
                Transaction transaction = db.beginTransaction(writes)) {
            List<byte[]> keys = List.of(b("a"), b("a"), b("a"), b("a"), b("a"), b("a"));

            assertThat(transaction.multiGetAsList(reads, mixed, keys)).containsExactly(b("1"), b("1"), b("2"), b("1"),
                    b("1"), b("2"));
            assertThat(transaction.multiGetForUpdateAsList(reads, mixed, keys)).hasSize(6);
        }
    }

    @Test
    void iteratorsAreMade() throws RocksDBException {
        List<RocksIterator> iterators = db.newIterators(mixed);
        List<String> seen = new ArrayList<>();
        for (RocksIterator iterator : iterators) {
            iterator.seekToFirst();
            seen.add(new String(iterator.value(), UTF_8));
            iterator.close();
        }
        assertThat(seen).containsExactly("1", "1", "2", "1", "1", "2");
    }

    @Test
    void familiesAreFlushedTogether() throws RocksDBException {
        try (FlushOptions options = new FlushOptions()) {
            for (int i = 0; i < 20; i++) {
                db.put(b("a"), b("1"));
                db.put(opened.getLast(), b("a"), b("2"));
                db.flush(options, mixed);
                assertThat(db.getProperty("rocksdb.num-entries-active-mem-table")).isEqualTo("0");
            }
        }
        assertThat(db.get(b("a"))).isEqualTo(b("1"));
    }

    @Test
    void nothingIsFlushedIfNoFamilyIsNamed() throws RocksDBException {
        try (FlushOptions options = new FlushOptions()) {
            db.flush(options, List.of());
        }
        assertThat(db.getProperty("rocksdb.num-entries-active-mem-table")).isEqualTo("1");
    }
}
