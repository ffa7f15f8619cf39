package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A comparator that fails while several threads write to one memtable neither ends nor stops the process. */
class FailingWritersTest extends DatabaseTest {
    private static final int DATABASES = TestSize.choose("outcrop.failing.writers", 8, 100);
    private static final int THREADS = 6;

    private final AtomicBoolean fails = new AtomicBoolean();

    private Options options() {
        return create().allowConcurrentMemtableWrite(true).comparator(KeyComparator.of("failing", (a, b) -> {
            if (fails.get()) {
                throw new IllegalStateException("on purpose");
            }
            return text(b).compareTo(text(a));
        }));
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
                    db.deleteRange(Bytes.of(key + "z"), Bytes.of(key));
                } else {
                    db.put(Bytes.of(key), Bytes.of("value"));
                }
            }
        });
    }

    @Test
    void allAreRefused() throws InterruptedException {
        for (int i = 0; i < DATABASES; i++) {
            fails.set(false);
            Queue<Throwable> thrown = new ConcurrentLinkedQueue<>();
            try (RocksDB db = RocksDB.open(directory.resolve("db" + i), options())) {
                List<Thread> threads = IntStream.range(0, THREADS)
                        .mapToObj(number -> Thread.ofPlatform().start(() -> thrown.add(write(db, number)))).toList();
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            assertThat(thrown).hasSize(THREADS).allSatisfy(each -> assertThat(each)
                    .isInstanceOfAny(RocksDBException.class, IllegalStateException.class));
        }
    }
}
