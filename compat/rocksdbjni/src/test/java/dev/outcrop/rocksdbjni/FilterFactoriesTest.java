package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.rocksdb.AbstractCompactionFilter;
import org.rocksdb.AbstractCompactionFilterFactory;
import org.rocksdb.ColumnFamilyOptions;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.Options;
import org.rocksdb.RemoveEmptyValueCompactionFilter;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** Factories of compaction filters. */
class FilterFactoriesTest extends DatabaseTest {
    private static final byte[] EMPTY = "empty".getBytes(UTF_8);
    private static final byte[] FULL = "full".getBytes(UTF_8);

    /** Makes a filter as a test wants it. */
    private interface Maker {
        @Nullable
        RemoveEmptyValueCompactionFilter make(AbstractCompactionFilter.Context context);
    }

    private static AbstractCompactionFilterFactory<RemoveEmptyValueCompactionFilter> factory(Maker maker) {
        return new AbstractCompactionFilterFactory<>() {
            @Override
            public @Nullable RemoveEmptyValueCompactionFilter createCompactionFilter(
                    AbstractCompactionFilter.Context context) {
                return maker.make(context);
            }

            @Override
            public String name() {
                return "test";
            }
        };
    }

    /** Whether a compaction leaves the entry without a value. */
    private static boolean keepsEmpty(RocksDB db) throws RocksDBException {
        db.put(EMPTY, new byte[0]);
        db.put(FULL, FULL);
        db.compactRange();
        assertThat(db.get(FULL)).isEqualTo(FULL);
        return db.get(EMPTY) != null;
    }

    @Test
    void aFactoryReceivesThePurposeOfItsFilter() throws RocksDBException {
        List<Boolean> manual = new CopyOnWriteArrayList<>();
        try (var factory = factory(context -> {
            manual.add(context.isManualCompaction());
            return new RemoveEmptyValueCompactionFilter();
        });
                ColumnFamilyOptions family = new ColumnFamilyOptions().setCompactionFilterFactory(factory);
                Options options = new Options().setCreateIfMissing(true).setCompactionFilterFactory(factory);
                RocksDB db = RocksDB.open(options, path())) {
            assertThat(options.compactionFilterFactory()).isSameAs(factory);
            assertThat(family.compactionFilterFactory()).isSameAs(factory);
            assertThat(keepsEmpty(db)).isFalse();
        }
        assertThat(manual).isNotEmpty().containsOnly(true);
    }

    @Test
    void optionsOfARunningCompactionStayAsTheyAre() throws RocksDBException {
        List<@Nullable Throwable> thrown = new CopyOnWriteArrayList<>();
        try (CompactRangeOptions range = new CompactRangeOptions();
                var factory = factory(_ -> {
                    thrown.add(catchThrowable(() -> range.setTargetPathId(7)));
                    thrown.add(catchThrowable(() -> range.setTargetLevel(1 << 20)));
                    return null;
                });
                Options options = new Options().setCreateIfMissing(true).setCompactionFilterFactory(factory);
                RocksDB db = RocksDB.open(options, path())) {
            db.put(FULL, FULL);
            db.compactRange(db.getDefaultColumnFamily(), null, null, range);
            assertThat(range.setTargetPathId(7).targetPathId()).isEqualTo(7);
        }
        assertThat(thrown).isNotEmpty().allSatisfy(each -> assertThat(each)
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("compaction is using the options"));
    }

    @Test
    void aFactoryThatThrowsOrMakesNothingKeepsAllEntries() throws RocksDBException {
        try (var throwing = factory(_ -> {
            throw new IllegalStateException("on purpose");
        });
                var making = factory(_ -> null);
                Options first = new Options().setCreateIfMissing(true).setCompactionFilterFactory(throwing);
                Options second = new Options().setCreateIfMissing(true).setCompactionFilterFactory(making);
                RocksDB one = RocksDB.open(first, path("one"));
                RocksDB two = RocksDB.open(second, path("two"))) {
            assertThat(keepsEmpty(one)).isTrue();
            assertThat(keepsEmpty(two)).isTrue();
        }
    }

    @Test
    void aFilterIsGivenToOneCompactionOnly() throws RocksDBException {
        RemoveEmptyValueCompactionFilter again = new RemoveEmptyValueCompactionFilter();
        RemoveEmptyValueCompactionFilter closed = new RemoveEmptyValueCompactionFilter();
        closed.close();
        var same = closeLater(factory(_ -> again));
        var ended = closeLater(factory(_ -> closed));
        Options options = closeLater(new Options().setCreateIfMissing(true).setCompactionFilterFactory(same));
        Options others = closeLater(new Options().setCreateIfMissing(true).setCompactionFilterFactory(ended));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        RocksDB other = closeLater(RocksDB.open(others, path("other")));
        assertThat(keepsEmpty(db)).isFalse();
        assertThat(keepsEmpty(db)).isTrue();
        assertThat(keepsEmpty(other)).isTrue();
        again.close();
        assertThatThrownBy(() -> options.setCompactionFilter(again)).isInstanceOf(AssertionError.class);
    }

    @Test
    void aFilterOfOptionsIsNotGivenAway() throws RocksDBException {
        RemoveEmptyValueCompactionFilter shared = new RemoveEmptyValueCompactionFilter();
        var factory = closeLater(factory(_ -> shared));
        Options own = closeLater(new Options().setCompactionFilter(shared));
        Options options = closeLater(new Options().setCreateIfMissing(true).setCompactionFilterFactory(factory));
        RocksDB db = closeLater(RocksDB.open(options, path()));
        assertThat(own.compactionFilter()).isSameAs(shared);
        assertThat(keepsEmpty(db)).isTrue();
    }

    @Test
    void aFactoryThatIsClosedGoesOnForItsDatabases() throws RocksDBException {
        var factory = factory(_ -> new RemoveEmptyValueCompactionFilter());
        Options options = new Options().setCreateIfMissing(true).setCompactionFilterFactory(factory);
        factory.close();
        factory.close();
        assertThatThrownBy(() -> new Options().setCompactionFilterFactory(factory)).isInstanceOf(AssertionError.class);
        try (RocksDB db = RocksDB.open(new Options(options), path())) {
            options.close();
            System.gc();
            assertThat(keepsEmpty(db)).isFalse();
        }
        assertThatThrownBy(() -> options.setCompactionFilterFactory(factory)).isInstanceOf(AssertionError.class);
    }
}
