package dev.outcrop.rocksdbjni;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DirectSlice;
import org.rocksdb.FlushOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;
import org.rocksdb.Snapshot;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.TxnDBWritePolicy;
import org.rocksdb.WriteOptions;

/** Objects that reads use may be closed before them or while they run in other threads. */
@Tag("verify")
class ReadLifetimesTest extends DatabaseTest {
    private static final int ROUNDS = 15;
    private static final int KEYS = 100;

    private RocksDB db;

    @BeforeEach
    void open() throws RocksDBException {
        db = RocksDB.open(path());
        for (int i = 0; i < KEYS; i++) {
            db.put(key(i), key(i));
        }
    }

    @AfterEach
    void close() {
        db.close();
    }

    @Test
    void boundsOutliveTheirSlicesAndOptions() throws RocksDBException {
        ReadOptions options = new ReadOptions();
        try (Slice lower = new Slice(key(20)); DirectSlice upper = new DirectSlice(direct(key(40)))) {
            options.setIterateLowerBound(lower).setIterateUpperBound(upper);
        }
        RocksIterator iterator = db.newIterator(options);
        options.setIterateUpperBound(new Slice(key(30)));
        RocksIterator narrower = db.newIterator(options);
        options.close();
        refill();
        assertThat(count(iterator)).isEqualTo(20);
        assertThat(count(narrower)).isEqualTo(10);
        iterator.refresh();
        assertThat(count(iterator)).isEqualTo(20);
        narrower.close();
        assertThat(count(iterator)).isEqualTo(20);
        iterator.close();
    }

    @Test
    void copiesOfOptionsHaveTheirOwnBounds() throws RocksDBException {
        ReadOptions options = new ReadOptions().setIterateUpperBound(new Slice(key(10)));
        ReadOptions copy = new ReadOptions(options);
        options.setIterateUpperBound(new Slice(key(5)));
        options.close();
        refill();
        try (RocksIterator iterator = db.newIterator(copy)) {
            assertThat(count(iterator)).isEqualTo(10);
        }
        assertThat(copy.iterateUpperBound().data()).isEqualTo(key(10));
        copy.close();
    }

    @Test
    void aSliceThatOptionsGiveOutlivesThem() {
        Slice given;
        try (ReadOptions options = new ReadOptions().setIterateUpperBound(new Slice("end"))) {
            given = options.iterateUpperBound();
        }
        refill();
        assertThat(given.data()).isEqualTo(b("end"));
        given.close();
        assertThat(given.toString()).isEqualTo("end");
    }

    /** RocksDB asks the snapshot each time that such an iterator goes on to what was written since, and ends the process if it is gone. */
    @Test
    void iteratorsThatFollowWritesOutliveTheirSnapshot() throws RocksDBException {
        for (int round = 0; round < ROUNDS; round++) {
            Snapshot snapshot = db.getSnapshot();
            List<RocksIterator> iterators = new ArrayList<>();
            try (ReadOptions options = new ReadOptions().setTailing(true).setSnapshot(snapshot)) {
                iterators.add(db.newIterator(options));
                iterators.add(db.newIterator(db.getDefaultColumnFamily(), options));
                iterators.addAll(db.newIterators(List.of(db.getDefaultColumnFamily()), options));
                assertThat(options.snapshot().getSequenceNumber()).isEqualTo(snapshot.getSequenceNumber());
            }
            iterators.forEach(RocksIterator::seekToFirst);
            db.releaseSnapshot(snapshot);
            refill();
            seekWhatWasWritten(db, iterators, round);
        }
    }

    /** One that is refreshed is made anew, and does not begin to follow writes because its options say so by now. */
    @Test
    void refreshedIteratorsOutliveTheirSnapshot() throws RocksDBException {
        for (int round = 0; round < ROUNDS; round++) {
            Snapshot snapshot = db.getSnapshot();
            ReadOptions options = new ReadOptions();
            RocksIterator iterator = db.newIterator(options);
            options.setTailing(true);
            iterator.refresh(snapshot);
            options.close();
            iterator.seekToFirst();
            db.releaseSnapshot(snapshot);
            refill();
            byte[] later = b("later " + round);
            db.put(later, later);
            try (FlushOptions flush = new FlushOptions()) {
                db.flush(flush);
            }
            iterator.seekForPrev(later);
            assertThat(iterator.key()).isNotEqualTo(later);
            iterator.close();
        }
    }

    @Test
    void soDoThoseOfTransactions() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                OptimisticTransactionDB other = OptimisticTransactionDB.open(options, path() + "2");
                WriteOptions write = new WriteOptions();
                Transaction transaction = other.beginTransaction(write)) {
            for (int round = 0; round < ROUNDS; round++) {
                Snapshot snapshot = other.getSnapshot();
                List<RocksIterator> iterators = new ArrayList<>();
                try (ReadOptions reading = new ReadOptions().setTailing(true).setSnapshot(snapshot)) {
                    iterators.add(transaction.getIterator(reading));
                }
                iterators.forEach(RocksIterator::seekToFirst);
                other.releaseSnapshot(snapshot);
                refill();
                seekWhatWasWritten(other, iterators, round);
            }
        }
    }

    /** RocksDB follows no writes there, and reads as of the snapshot. */
    @Test
    void iteratorsThatNeverFollowWritesReadAsOfTheSnapshot() throws RocksDBException {
        try (Options options = new Options().setCreateIfMissing(true);
                TransactionDBOptions prepared = new TransactionDBOptions()
                        .setWritePolicy(TxnDBWritePolicy.WRITE_PREPARED);
                TransactionDB other = TransactionDB.open(options, prepared, path() + "3")) {
            other.put(b("a"), b("1"));
            Snapshot snapshot = other.getSnapshot();
            other.put(b("a"), b("2"));
            try (ReadOptions reading = new ReadOptions().setTailing(true).setSnapshot(snapshot);
                    RocksIterator iterator = other.newIterator(reading)) {
                iterator.seekToFirst();
                assertThat(iterator.value()).isEqualTo(b("1"));
            }
            other.releaseSnapshot(snapshot);
        }
    }

    private static void seekWhatWasWritten(RocksDB db, List<RocksIterator> iterators, int round)
            throws RocksDBException {
        byte[] later = b("later " + round);
        db.put(later, later);
        try (FlushOptions flush = new FlushOptions()) {
            db.flush(flush);
        }
        for (RocksIterator iterator : iterators) {
            iterator.seek(later);
            assertThat(iterator.key()).isEqualTo(later);
            iterator.close();
        }
    }

    @Test
    void aReleasedSnapshotIsRefused() throws RocksDBException {
        Snapshot snapshot = db.getSnapshot();
        try (ReadOptions options = new ReadOptions().setSnapshot(snapshot)) {
            db.put(key(0), b("new"));
            assertThat(db.get(options, key(0))).isEqualTo(key(0));
            RocksIterator iterator = db.newIterator(options);
            db.releaseSnapshot(snapshot);
            assertRefused(() -> db.get(options, key(0)));
            assertRefused(() -> db.newIterator(options));
            assertRefused(() -> db.multiGetAsList(options, List.of(key(0))));
            assertRefused(() -> db.keyExists(options, key(0)));
            assertRefused(() -> new ReadOptions().setSnapshot(snapshot));
            try (ReadOptions copy = new ReadOptions(options)) {
                assertRefused(() -> db.get(copy, key(0)));
            }
            assertRefused(snapshot::getSequenceNumber);
            assertThatThrownBy(() -> db.releaseSnapshot(snapshot))
                    .isInstanceOfAny(AssertionError.class, IllegalStateException.class)
                    .hasMessageContaining("released before");
            iterator.seekToFirst();
            assertThat(iterator.value()).isEqualTo(key(0));
            iterator.close();
            options.setSnapshot(null);
            assertThat(db.get(options, key(0))).isEqualTo(b("new"));
        }
    }

    @Test
    void anIteratorIsRefreshedToASnapshotAsItWasMade() throws RocksDBException {
        Snapshot snapshot = db.getSnapshot();
        ReadOptions options = new ReadOptions().setIterateLowerBound(new Slice(key(20)))
                .setIterateUpperBound(new Slice(key(40)));
        RocksIterator iterator = db.newIterator(options);
        options.setIterateLowerBound(null);
        options.close();
        refill();
        db.delete(key(30));
        iterator.refresh();
        assertThat(count(iterator)).isEqualTo(19);
        iterator.refresh(snapshot);
        assertThat(iterator.isValid()).isFalse();
        assertThat(count(iterator)).isEqualTo(20);
        db.releaseSnapshot(snapshot);
        assertThat(count(iterator)).isEqualTo(20);
        iterator.refresh();
        assertThat(count(iterator)).isEqualTo(19);
        assertRefused(() -> iterator.refresh(snapshot));
        iterator.close();
    }

    @Test
    void aSnapshotEndsWithItsDatabase() throws RocksDBException {
        Snapshot snapshot = db.getSnapshot();
        ReadOptions options = new ReadOptions().setSnapshot(snapshot);
        db.close();
        assertRefused(snapshot::getSequenceNumber);
        assertRefused(() -> db.releaseSnapshot(snapshot));
        assertRefused(db::getSnapshot);
        options.close();
        snapshot.close();
    }

    @Test
    void aSnapshotOfAnotherDatabaseIsRefused() throws RocksDBException {
        try (RocksDB other = RocksDB.open(path() + "2"); ReadOptions options = new ReadOptions()) {
            Snapshot snapshot = other.getSnapshot();
            options.setSnapshot(snapshot);
            assertThatThrownBy(() -> db.get(options, key(0))).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another database");
            assertThatThrownBy(() -> db.releaseSnapshot(snapshot)).isInstanceOf(IllegalArgumentException.class);
            other.releaseSnapshot(snapshot);
        }
    }

    @Test
    void closingTheDefaultFamilyDoesNothing() throws RocksDBException {
        db.getDefaultColumnFamily().close();
        assertThat(db.get(key(1))).isEqualTo(key(1));
        assertThat(db.get(db.getDefaultColumnFamily(), key(1))).isEqualTo(key(1));
    }

    @Test
    void aClosedIteratorIsRefused() {
        RocksIterator iterator = db.newIterator();
        iterator.seekToFirst();
        iterator.close();
        iterator.close();
        for (ThrowingCallable use : List.<ThrowingCallable>of(iterator::isValid, iterator::key, iterator::value,
                iterator::next, iterator::prev, iterator::seekToFirst, iterator::seekToLast, iterator::status,
                iterator::refresh, () -> iterator.seek(key(1)), () -> iterator.seekForPrev(direct(key(1))),
                () -> iterator.key(new byte[1]), () -> iterator.value(direct(key(1))))) {
            assertRefused(use);
        }
    }

    @Test
    void anIteratorAtNoEntryIsRefused() {
        try (RocksIterator iterator = db.newIterator()) {
            iterator.seekToLast();
            iterator.next();
            assertThat(iterator.isValid()).isFalse();
            for (ThrowingCallable use : List.<ThrowingCallable>of(iterator::key, iterator::value, iterator::next,
                    iterator::prev, () -> iterator.key(new byte[1]))) {
                assertThatThrownBy(use).isInstanceOf(IllegalStateException.class).hasMessageContaining("no entry");
            }
        }
    }

    @Test
    void largeAndSmallValuesTakeTurns() throws RocksDBException {
        for (int size : new int[]{2047, 2048, 2049, 100_000}) {
            db.put(b("large"), new byte[size]);
            for (int i = 0; i < 40; i++) {
                assertThat(db.get(b("large"))).hasSize(size);
                assertThat(db.get(key(1))).isEqualTo(key(1));
                assertThat(db.get(b("large"), new byte[10])).isEqualTo(size);
                assertThat(db.get(b("none"))).isNull();
            }
        }
    }

    @Test
    void theDatabaseIsClosedWhileOthersRead() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            RocksDB racing = RocksDB.open(path() + "racing");
            racing.put(key(1), key(1));
            ColumnFamilyHandle family = racing.getDefaultColumnFamily();
            race(racing::close, () -> readAll(racing, family));
            // The lock is free although iterators and snapshots have leaked.
            RocksDB.open(path() + "racing").close();
        }
    }

    @Test
    void optionsAreClosedWhileOthersRead() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            ReadOptions options = new ReadOptions().setIterateUpperBound(new Slice(key(50)));
            race(options::close, () -> {
                assertThat(db.get(options, key(1))).isEqualTo(key(1));
                try (RocksIterator iterator = db.newIterator(options)) {
                    assertThat(count(iterator)).isEqualTo(50);
                }
            });
        }
    }

    @Test
    void boundsChangeWhileOthersIterate() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            ReadOptions options = new ReadOptions();
            race(() -> {
                for (int i = 0; i < 300; i++) {
                    options.setIterateUpperBound(new Slice(key(i % 2 == 0 ? 10 : 60)));
                    options.setIterateLowerBound(i % 3 == 0 ? null : new Slice(key(5)));
                }
                options.close();
            }, () -> {
                try (RocksIterator iterator = db.newIterator(options)) {
                    assertThat(count(iterator)).isIn((Object[]) new Integer[]{5, 10, 55, 60, 95, 100});
                }
            });
        }
    }

    @Test
    void snapshotsAreReleasedWhileOthersRead() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Snapshot snapshot = db.getSnapshot();
            ReadOptions options = new ReadOptions().setSnapshot(snapshot);
            race(() -> db.releaseSnapshot(snapshot), () -> {
                assertThat(db.get(options, key(1))).isEqualTo(key(1));
                snapshot.getSequenceNumber();
                db.newIterator(options).close();
            });
            options.close();
        }
    }

    @Test
    void anIteratorIsClosedWhileAnotherThreadUsesIt() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            RocksIterator iterator = db.newIterator();
            race(iterator::close, () -> {
                iterator.seek(key(3));
                try {
                    iterator.key();
                    iterator.next();
                    iterator.value(ByteBuffer.allocateDirect(10));
                } catch (IllegalStateException e) {
                    // two threads move it, so it may have come to the end
                    if (!String.valueOf(e.getMessage()).contains("no entry")) {
                        throw e;
                    }
                }
            });
        }
    }

    @Test
    void slicesAreClosedWhileOthersUseThem() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            Slice slice = new Slice("some text");
            race(slice::close, () -> {
                assertThat(slice.data()).isEqualTo(b("some text"));
                assertThat(slice.startsWith(slice)).isTrue();
                try (ReadOptions options = new ReadOptions()) {
                    options.setIterateLowerBound(slice);
                }
            });
        }
    }

    private interface Use {
        void run() throws Exception;
    }

    /** Ends something once two threads use it, which go on until they are refused. */
    private static void race(Runnable end, Use use) throws InterruptedException {
        AtomicReference<Throwable> wrong = new AtomicReference<>();
        CountDownLatch started = new CountDownLatch(2);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    use.run();
                    started.countDown();
                    while (true) {
                        use.run();
                    }
                } catch (AssertionError | IllegalStateException e) {
                    if (!String.valueOf(e.getMessage()).contains("closed")) {
                        wrong.set(e);
                    }
                } catch (Throwable e) {
                    wrong.set(e);
                } finally {
                    started.countDown();
                }
            }));
        }
        started.await();
        end.run();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(wrong.get()).isNull();
    }

    /** Leaves iterators and snapshots open. */
    private static void readAll(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
        assertThat(db.get(key(1))).isEqualTo(key(1));
        assertThat(db.get(family, key(1))).isEqualTo(key(1));
        assertThat(db.multiGetAsList(List.of(key(1), key(2)))).hasSize(2);
        assertThat(db.keyMayExist(key(1), null)).isTrue();
        assertThat(db.getProperty("rocksdb.estimate-num-keys")).isNotEmpty();
        RocksIterator iterator = db.newIterator(family);
        iterator.seekToFirst();
        assertThat(iterator.key()).isEqualTo(key(1));
        db.getSnapshot().getSequenceNumber();
    }

    private static int count(RocksIterator iterator) {
        int count = 0;
        for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
            count++;
        }
        return count;
    }

    /** Takes memory that was freed, so that a pointer to it would be noticed. */
    private static void refill() {
        for (int i = 0; i < 100; i++) {
            Slice unused = new Slice("zzz");
            assertThat(unused.size()).isEqualTo(3);
        }
    }

    // As an assertion where those are enabled, as in tests.
    private static void assertRefused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfAny(AssertionError.class, IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private static byte[] key(int number) {
        return b(String.format("k%02d", number));
    }
}
