package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A closed database stays open for the objects made from it; opening it again names them. */
class OpenChildrenTest extends DatabaseTest {
    private final Options options = create().createMissingColumnFamilies(true);

    @Override
    RocksDB open() {
        RocksDB db = RocksDB.open(directory, options, Map.of("users", new Options()));
        db.put(KEY, KEY);
        db.columnFamily("users").put(KEY, KEY);
        return db;
    }

    private void assertOpen(String children) {
        assertThatThrownBy(this::open).isInstanceOf(RocksDBException.class).hasMessageContaining(directory.toString())
                .hasMessageContaining("lock is held: this process has closed it")
                .hasMessageContaining("Still open: " + children + ".").hasMessageContaining("outcrop.leaks=always");
    }

    private static PinnedSlice pin(KeyValueReader reader) {
        return Objects.requireNonNull(reader.getPinned(MemorySegment.ofArray(KEY)));
    }

    @Test
    void kindsAndNumbersAreNamedUntilTheLastOneIsClosed() {
        RocksDB db = open();
        ColumnFamily users = db.columnFamily("users");
        KeyValueIterator first = db.iterator();
        KeyValueIterator second = users.iterator();
        Snapshot snapshot = db.snapshot();
        PinnedSlice pinned = pin(db);
        PinnedSlice ofUsers = pin(users);
        WalIterator log = db.updatesSince(0);
        WriteBatchWithIndex batch = new WriteBatchWithIndex(db, true);
        db.close();

        assertOpen("2 iterators, 1 iterator of the log, 1 snapshot, 1 write batch with index, 2 pinned values");
        first.close();
        log.close();
        batch.close();
        assertOpen("1 iterator, 1 snapshot, 2 pinned values");
        second.close();
        pinned.close();
        snapshot.close();
        assertOpen("1 pinned value");
        ofUsers.close();
        open().close();
    }

    @Test
    void objectsClosedBeforeTheDatabaseDoNotCount() {
        RocksDB db = open();
        db.iterator().close();
        pin(db).close();
        KeyValueIterator left = db.iterators(List.of(db.defaultColumnFamily())).getFirst();
        db.snapshot().close();
        db.scan(KeyRange.all(), (_, _) -> true);
        db.close();
        assertOpen("1 iterator");
        left.close();
        open().close();
    }

    @Test
    void transactionsAndColumnFamiliesThatWereDroppedCount() {
        TransactionDB db = TransactionDB.open(directory, options);
        ColumnFamily dropped = db.createColumnFamily("dropped", new Options());
        KeyValueIterator iterator = dropped.iterator();
        db.dropColumnFamily(dropped);
        Transaction transaction = db.begin();
        db.close();
        assertOpen("1 dropped column family in use, 1 transaction");
        iterator.close();
        assertOpen("1 transaction");
        transaction.close();
        open().close();
    }

    @Test
    void aDatabaseThatWasNotClosedHasNoSuchMessage() {
        try (RocksDB db = open(); Snapshot _ = db.snapshot()) {
            assertThatThrownBy(this::open).hasMessageNotContaining("outcrop.leaks");
        }
        assertThat(RocksDB.listColumnFamilies(directory)).contains("users");
    }
}
