package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.outcrop.testsupport.TestSize;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractComparator;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.ComparatorOptions;
import org.rocksdb.DBOptions;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;

/** A comparator that begins to fail at any comparison of a compaction undoes no deletion of a range, and loses no key. */
class FailingCompactionTest extends DatabaseTest {
    private static final int POINTS = TestSize.choose("outcrop.failing.points", 8, 100);
    private static final int KEYS = 40;

    private final ComparatorOptions shown = closeLater(new ComparatorOptions());
    private final Random random = new Random(TestSize.seed(FailingCompactionTest.class));
    private final Map<String, String> model = new TreeMap<>();

    /** Orders keys by their bytes, and throws in RocksDB's threads after some comparisons. */
    private final class Failing extends AbstractComparator {
        private final Thread own = Thread.currentThread();
        private final AtomicInteger left = new AtomicInteger(Integer.MAX_VALUE);

        Failing() {
            super(shown);
        }

        @Override
        public String name() {
            return "failing";
        }

        @Override
        public int compare(ByteBuffer a, ByteBuffer b) {
            if (!own.equals(Thread.currentThread()) && left.getAndUpdate(each -> Math.max(0, each - 1)) == 0) {
                throw new IllegalStateException("on purpose");
            }
            return a.compareTo(b);
        }
    }

    private static String key(int i) {
        return "key%05d".formatted(i);
    }

    private void fill(RocksDB db, ColumnFamilyHandle family, int round) throws RocksDBException {
        for (int i = 0; i < KEYS; i++) {
            if ((i + round) % 3 != 0) {
                db.put(family, b(key(i)), b(round + "." + i));
                model.put(key(i), round + "." + i);
            }
        }
    }

    private void deleteRange(RocksDB db, ColumnFamilyHandle family, int from, int to) throws RocksDBException {
        db.deleteRange(family, b(key(from)), b(key(to)));
        model.keySet().removeIf(key -> key.compareTo(key(from)) >= 0 && key.compareTo(key(to)) < 0);
    }

    /** Compacts two files with deleted ranges from level 0 to level 3, step by step. Returns the number of comparisons. */
    private int compact(RocksDB db, ColumnFamilyHandle family, Failing order, int comparisons)
            throws RocksDBException {
        model.clear();
        List<Snapshot> snapshots = new ArrayList<>();
        try (FlushOptions flush = new FlushOptions()) {
            for (int round = 0; round < 2; round++) {
                fill(db, family, round);
                db.flush(flush, family);
            }
            db.compactRange(family);
            for (int round = 2; round < 4; round++) {
                fill(db, family, round);
                deleteRange(db, family, 7 * round, 7 * round + 8);
                deleteRange(db, family, KEYS - 4 - round, KEYS + round);
                snapshots.add(db.getSnapshot());
                db.flush(flush, family);
            }
        }
        order.left.set(comparisons);
        try {
            db.compactRange(family);
        } catch (RocksDBException e) {
            assertThat(e).hasRootCauseMessage("on purpose");
        }
        int made = comparisons - order.left.get();
        snapshots.forEach(db::releaseSnapshot);
        return made;
    }

    private static Options options(AbstractComparator order) {
        return new Options().setCreateIfMissing(true).setAllowFAllocate(false).setComparator(order)
                .setDisableAutoCompactions(true).setLevelCompactionDynamicLevelBytes(false).setNumLevels(4);
    }

    private static Map<String, String> entries(RocksDB db, ColumnFamilyHandle family) throws RocksDBException {
        Map<String, String> entries = new TreeMap<>();
        try (RocksIterator iterator = db.newIterator(family)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                entries.put(new String(iterator.key(), UTF_8), new String(iterator.value(), UTF_8));
            }
            iterator.status();
        }
        return entries;
    }

    /** Returns the number of comparisons. */
    private int run(int number, int comparisons) throws RocksDBException {
        String path = path("db" + number);
        int made;
        try (Failing order = new Failing(); Options options = options(order)) {
            try (RocksDB db = RocksDB.open(options, path)) {
                made = compact(db, db.getDefaultColumnFamily(), order, comparisons);
            }
        }
        try (Failing sound = new Failing();
                Options options = options(sound);
                RocksDB db = RocksDB.open(options, path)) {
            assertThat(entries(db, db.getDefaultColumnFamily())).as("failure after %d comparisons", comparisons)
                    .isEqualTo(model);
        }
        return made;
    }

    @Test
    void atAnyComparison() throws RocksDBException {
        int all = run(0, Integer.MAX_VALUE);
        assertThat(all).isGreaterThan(1000);
        for (int i = 1; i <= POINTS; i++) {
            run(i, random.nextInt(all));
        }
    }

    /** The database was opened without a comparator in Java. */
    @Test
    void inAFamilyThatWasCreatedLater() throws RocksDBException {
        int all = Integer.MAX_VALUE;
        for (int i = 0; i <= POINTS; i++) {
            String path = path("db" + i);
            int comparisons = i == 0 ? all : random.nextInt(all);
            List<ColumnFamilyHandle> handles = new ArrayList<>();
            try (Failing order = new Failing();
                    Options options = options(order);
                    ColumnFamilyOptions ofFamily = new ColumnFamilyOptions(options);
                    Options ofDatabase = new Options().setCreateIfMissing(true);
                    RocksDB db = RocksDB.open(ofDatabase, path);
                    ColumnFamilyHandle family = db.createColumnFamily(
                            new ColumnFamilyDescriptor(b("family"), ofFamily))) {
                int made = compact(db, family, order, comparisons);
                all = i == 0 ? made : all;
            }
            try (Failing sound = new Failing();
                    Options options = options(sound);
                    ColumnFamilyOptions ofFamily = new ColumnFamilyOptions(options);
                    ColumnFamilyOptions ofDefault = new ColumnFamilyOptions();
                    DBOptions ofDatabase = new DBOptions();
                    RocksDB db = RocksDB.open(ofDatabase, path, List.of(
                            new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY, ofDefault),
                            new ColumnFamilyDescriptor(b("family"), ofFamily)), handles)) {
                assertThat(entries(db, handles.get(1))).as("failure after %d comparisons", comparisons)
                        .isEqualTo(model);
            }
        }
    }
}
