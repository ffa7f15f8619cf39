package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closing waits for calls that have begun, and lets those go on that wait for memory which only users of the database could free. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ClosingTest {
    private static final int BYTES = 10_000;

    @TempDir
    Path directory;

    private final WriteBufferManager manager = new WriteBufferManager(4 << 20).allowStall(true);

    @ParameterizedTest
    @ValueSource(strings = {"default", "other"})
    void writesThatWaitForMemoryGoOn(String family) throws Exception {
        RocksDB db = open(directory);
        ColumnFamily other = db.createColumnFamily("other", new Options());
        Writer writer = new Writer(family.equals("other") ? other : db.defaultColumnFamily());
        writer.awaitStop();
        db.close();
        writer.awaitRefusal();
        try (RocksDB again = RocksDB.open(directory)) {
            for (long i = 1; i <= writer.written.get(); i++) {
                assertThat(again.columnFamily(family).get(Bytes.of("key" + i))).hasSize(BYTES);
            }
        }
    }

    @Test
    void writesToAnotherDatabaseWaitAgain() throws Exception {
        RocksDB first = open(directory.resolve("first"));
        RocksDB second = open(directory.resolve("second"));
        Writer toFirst = new Writer(first.defaultColumnFamily());
        Writer toSecond = new Writer(second.defaultColumnFamily());
        toFirst.awaitStop();
        first.close();
        toSecond.awaitStop();
        toFirst.awaitRefusal();
        toSecond.awaitStop();
        second.close();
        toSecond.awaitRefusal();
    }

    private RocksDB open(Path path) {
        return RocksDB.open(path, new Options().createIfMissing(true).writeBufferManager(manager));
    }

    /** Writes until it is refused. Its iterators keep the memtables, and with them the memory that it waits for in the end. */
    private static final class Writer {
        private static final int MOST_WRITES = 3_000;
        private static final int WRITES_OF_AN_ITERATOR = 50;
        private static final int ONE_LOOK_MILLIS = 20;
        private static final int LOOKS = 5;

        final AtomicLong written = new AtomicLong();
        private final List<KeyValueIterator> iterators = new ArrayList<>();
        private final AtomicReference<Throwable> end = new AtomicReference<>();
        private final Thread thread;

        Writer(ColumnFamily family) {
            thread = Thread.ofPlatform().start(() -> {
                try {
                    while (true) {
                        if (written.get() % WRITES_OF_AN_ITERATOR == 0) {
                            KeyValueIterator iterator = family.iterator();
                            iterators.add(iterator);
                            iterator.seekToFirst();
                        }
                        family.put(Bytes.of("key" + (written.get() + 1)), new byte[BYTES]);
                        written.incrementAndGet();
                    }
                } catch (Throwable e) {
                    end.set(e);
                }
            });
        }

        /** Until it has waited for a while. */
        void awaitStop() throws InterruptedException {
            long before = -1;
            for (int looks = 0; looks < LOOKS; looks++) {
                Thread.sleep(ONE_LOOK_MILLIS);
                if (written.get() != before) {
                    before = written.get();
                    looks = 0;
                }
                assertThat(before).as("writes without a stop").isLessThan(MOST_WRITES);
            }
            assertThat(end.get()).isNull();
        }

        void awaitRefusal() throws InterruptedException {
            thread.join();
            assertThat(end.get()).hasMessageContaining("is closed");
            iterators.forEach(KeyValueIterator::close);
        }
    }
}
