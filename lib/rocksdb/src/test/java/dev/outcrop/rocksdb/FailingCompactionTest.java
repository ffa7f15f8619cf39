package dev.outcrop.rocksdb;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A comparator that begins to fail at any comparison of a compaction with deleted ranges undoes no deletion of a range, and loses no key. */
class FailingCompactionTest extends DatabaseTest {
    private static final int POINTS = TestSize.choose("outcrop.failing.points", 8, 100);
    private static final int KEYS = 40;

    private final Random random = new Random(TestSize.seed(FailingCompactionTest.class));
    private final Map<String, String> model = new TreeMap<>();
    private final AtomicInteger left = new AtomicInteger();

    /** Orders keys by their bytes, and throws in RocksDB's threads after some comparisons. */
    private Options options() {
        Thread own = Thread.currentThread();
        left.set(Integer.MAX_VALUE);
        return create().disableAutoCompactions(true).levelCompactionDynamicLevelBytes(false).numLevels(4)
                .comparator(KeyComparator.of("failing", (a, b) -> {
                    if (!own.equals(Thread.currentThread())
                            && left.getAndUpdate(each -> Math.max(0, each - 1)) == 0) {
                        throw new IllegalStateException("on purpose");
                    }
                    return text(a).compareTo(text(b));
                }));
    }

    private static String key(int i) {
        return "key%05d".formatted(i);
    }

    private void fill(RocksDB db, int round) {
        for (int i = 0; i < KEYS; i++) {
            if ((i + round) % 3 != 0) {
                db.put(Bytes.of(key(i)), Bytes.of(round + "." + i));
                model.put(key(i), round + "." + i);
            }
        }
    }

    private void deleteRange(RocksDB db, int from, int to) {
        db.deleteRange(Bytes.of(key(from)), Bytes.of(key(to)));
        model.keySet().removeIf(key -> key.compareTo(key(from)) >= 0 && key.compareTo(key(to)) < 0);
    }

    /** Compacts two files with deleted ranges from level 0 to level 3, step by step. Returns the number of comparisons. */
    private int compact(RocksDB db, int comparisons) {
        model.clear();
        for (int round = 0; round < 2; round++) {
            fill(db, round);
            db.flush();
        }
        db.compact();
        List<Snapshot> snapshots = new ArrayList<>();
        for (int round = 2; round < 4; round++) {
            fill(db, round);
            deleteRange(db, 7 * round, 7 * round + 8);
            deleteRange(db, KEYS - 4 - round, KEYS + round);
            snapshots.add(db.snapshot());
            db.flush();
        }
        left.set(comparisons);
        try {
            db.compact();
        } catch (RocksDBException | IllegalStateException e) {
            assertThat(e).hasRootCauseMessage("on purpose");
        }
        snapshots.forEach(Snapshot::close);
        return comparisons - left.get();
    }

    /** Returns the number of comparisons. */
    private int run(int number, int comparisons) {
        Path path = directory.resolve("db" + number);
        int made;
        try (RocksDB db = RocksDB.open(path, options())) {
            made = compact(db, comparisons);
        }
        try (RocksDB db = RocksDB.open(path, options())) {
            Map<String, String> entries = new TreeMap<>();
            try (KeyValueIterator iterator = db.iterator()) {
                for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                    entries.put(text(iterator.key()), text(iterator.value()));
                }
            }
            assertThat(entries).as("failure after %d comparisons", comparisons).isEqualTo(model);
        }
        return made;
    }

    @Test
    void atAnyComparison() {
        int all = run(0, Integer.MAX_VALUE);
        assertThat(all).isGreaterThan(1000);
        for (int i = 1; i <= POINTS; i++) {
            run(i, random.nextInt(all));
        }
    }
}
