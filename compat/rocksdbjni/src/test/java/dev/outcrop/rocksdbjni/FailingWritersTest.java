package dev.outcrop.rocksdbjni;

import dev.outcrop.testsupport.TestSize;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** A comparator that fails while several threads write to one memtable neither ends nor stops the process. */
class FailingWritersTest extends DatabaseTest {
    private static final int DATABASES = TestSize.choose("outcrop.failing.writers", 8, 100);
    private static final int THREADS = 6;

    private final AtomicBoolean fails = new AtomicBoolean();

    private AbstractComparator order(ComparatorOptions shown) {
        return new AbstractComparator(shown) {
            @Override
            public String name() {
                return "failing";
            }

            @Override
            public int compare(ByteBuffer a, ByteBuffer b) {
                if (fails.get()) {
                    throw new IllegalStateException("on purpose");
                }
                return b.compareTo(a);
            }
        };
    }

    /** Writes until the database refuses it; returns the exception. */
    private Throwable write(RocksDB db, int thread) {
        Random random = new Random(thread);
        return catchThrowable(() -> {
            for (int i = 0;; i++) {
                if (thread == 0 && i == 300) {
                    fails.set(true);
                }
                String key = "key%05d".formatted(random.nextInt(100_000));
                if (random.nextInt(3) == 0) {
                    db.deleteRange(b(key + "z"), b(key));
                } else {
                    db.put(b(key), b("value"));
                }
            }
        });
    }

    @Test
    void allAreRefused() throws Exception {
        for (int i = 0; i < DATABASES; i++) {
            fails.set(false);
            Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
            try (ComparatorOptions shown = new ComparatorOptions();
                    AbstractComparator order = order(shown);
                    Options options = new Options().setCreateIfMissing(true).setAllowFAllocate(false)
                            .setAllowConcurrentMemtableWrite(true).setComparator(order);
                    RocksDB db = RocksDB.open(options, path("db" + i))) {
                List<Thread> threads = IntStream.range(0, THREADS)
                        .mapToObj(number -> Thread.ofPlatform().start(() -> thrown.add(write(db, number)))).toList();
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            assertThat(thrown).hasSize(THREADS).hasOnlyElementsOfType(RocksDBException.class);
        }
    }
}
