package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.RepeatedCall;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing waits for running calls, and releases calls that wait for memory which only users of the database could free. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingTest extends DatabaseTest {
    private static final int BYTES = 10_000;
    private static final long LIMIT_BYTES = 4 << 20;
    private static final int MOST_WRITES = 5_000;
    private static final int ONE_LOOK_MILLIS = 20;
    private static final int LOOKS = 25;

    private final WriteBufferManager manager = new WriteBufferManager(LIMIT_BYTES).allowStall(true);

    @ParameterizedTest
    @ValueSource(strings = {"default", "other"})
    void writesThatWaitForMemoryGoOn(String family) throws Exception {
        RocksDB db = open(directory);
        ColumnFamily other = db.createColumnFamily("other", new Options());
        ColumnFamily to = family.equals("other") ? other : db.defaultColumnFamily();
        List<Writer> writers = List.of(new Writer(to, "a"), new Writer(to, "b"), new Writer(to, "c"));
        awaitStop(writers);
        db.close();
        for (Writer writer : writers) {
            writer.awaitRefusal();
        }
        try (RocksDB again = RocksDB.open(directory)) {
            for (Writer writer : writers) {
                for (long i = 1; i <= writer.written.get(); i++) {
                    assertThat(again.columnFamily(family).get(Bytes.of(writer.key + i))).hasSize(BYTES);
                }
            }
        }
    }

    /** Who drops it holds what closing needs, and waits for the writes. */
    @Test
    void writesToAFamilyThatIsBeingDroppedGoOn() throws Exception {
        RocksDB db = open(directory);
        ColumnFamily other = db.createColumnFamily("other", new Options());
        Writer writer = new Writer(other, "a");
        awaitStop(List.of(writer));
        AtomicReference<Throwable> dropped = new AtomicReference<>();
        Thread dropping = Thread.ofPlatform().start(() -> {
            try {
                db.dropColumnFamily(other);
            } catch (Throwable e) {
                dropped.set(e);
            }
        });
        while (dropping.isAlive() && dropping.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        db.close();
        writer.awaitRefusal();
        dropping.join();
        assertThat(dropped.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("is closed");
        try (RocksDB again = RocksDB.open(directory)) {
            assertThat(again.columnFamily("other").get(Bytes.of("a1"))).hasSize(BYTES);
        }
    }

    @Test
    void writesToAnotherDatabaseWaitAgain() throws Exception {
        RocksDB first = open(directory.resolve("first"));
        RocksDB second = open(directory.resolve("second"));
        Writer toFirst = new Writer(first.defaultColumnFamily(), "a");
        Writer toSecond = new Writer(second.defaultColumnFamily(), "b");
        awaitStop(List.of(toFirst, toSecond));
        first.close();
        toFirst.awaitRefusal();
        awaitStop(List.of(toSecond));
        second.close();
        toSecond.awaitRefusal();
    }

    /** A write waits for the lock of a transaction, without a time limit. */
    @Test
    void aTransactionEndsWhileItsDatabaseIsBeingClosed() throws Exception {
        TransactionDB db = TransactionDB.open(directory, create(),
                new TransactionDBOptions().defaultLockTimeout(Duration.ofMillis(-1)), Map.of());
        Transaction transaction = db.begin();
        transaction.put(KEY, VALUE);
        RepeatedCall write = new RepeatedCall(_ -> db.put(KEY, Bytes.of("written")));
        write.await(0, "_put");
        RepeatedCall closing = new RepeatedCall(_ -> db.close());
        closing.await(0, "awaitCallers");
        transaction.close();
        assertThat(closing.awaitFailure()).isNull();
        assertThat(write.awaitFailure()).hasMessageContaining("closed");
        try (RocksDB again = RocksDB.open(directory)) {
            assertThat(again.get(KEY)).isEqualTo(Bytes.of("written"));
        }
    }

    /** Until memory is short, and nothing was written for a while. */
    private void awaitStop(List<Writer> writers) throws InterruptedException {
        long before = -1;
        for (int looks = 0; looks < LOOKS; looks++) {
            Thread.sleep(ONE_LOOK_MILLIS);
            long written = writers.stream().mapToLong(writer -> writer.written.get()).sum();
            if (written != before || manager.memoryUsage() < LIMIT_BYTES) {
                before = written;
                looks = 0;
            }
            assertThat(before).as("writes without a stop").isLessThan(MOST_WRITES);
        }
    }

    private RocksDB open(Path path) {
        return RocksDB.open(path, create().writeBufferManager(manager));
    }

    /** Writes until it is refused. Its iterators keep the memtables, and with them the memory that it waits for in the end. */
    private static final class Writer {
        private static final int WRITES_OF_AN_ITERATOR = 50;

        final String key;
        final AtomicLong written = new AtomicLong();
        private final List<KeyValueIterator> iterators = new ArrayList<>();
        private final AtomicReference<Throwable> end = new AtomicReference<>();
        private final Thread thread;

        Writer(ColumnFamily family, String key) {
            this.key = key;
            thread = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        if (written.get() % WRITES_OF_AN_ITERATOR == 0) {
                            KeyValueIterator iterator = family.iterator();
                            iterators.add(iterator);
                            iterator.seekToFirst();
                        }
                        family.put(Bytes.of(key + (written.get() + 1)), new byte[BYTES]);
                        written.incrementAndGet();
                    }
                } catch (Throwable e) {
                    end.set(e);
                }
            });
        }

        void awaitRefusal() throws InterruptedException {
            thread.join();
            assertThat(end.get()).isInstanceOf(IllegalStateException.class);
            iterators.forEach(KeyValueIterator::close);
        }
    }
}
