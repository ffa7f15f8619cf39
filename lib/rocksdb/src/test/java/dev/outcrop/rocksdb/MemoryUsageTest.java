package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemoryUsageTest extends DatabaseTest {
    private static final MemorySegment KEY = Bytes.inNative(Bytes.of("key"));

    @Test
    void growsWithMemtablesAndMovesToTableReaders() {
        RocksDB db = closeLater(open("db"));
        MemoryUsage empty = MemoryUsage.of(List.of(db), List.of());
        db.put(KEY, Bytes.inNative(new byte[1_000_000]));
        MemoryUsage written = MemoryUsage.of(List.of(db), List.of());

        assertThat(written.memTables() - empty.memTables()).isBetween(900_000L, 3_000_000L);
        assertThat(written.unflushedMemTables()).isEqualTo(written.memTables());

        db.flush();
        db.get(KEY);
        MemoryUsage flushed = MemoryUsage.of(List.of(db), List.of());
        assertThat(flushed.unflushedMemTables()).isLessThan(900_000);
        assertThat(flushed.tableReaders()).isPositive();
    }

    @Test
    void addsDatabasesUpAndCountsEachOnce() {
        RocksDB one = closeLater(open("one"));
        RocksDB two = closeLater(open("two"));
        one.put(KEY, Bytes.inNative(new byte[1_000_000]));
        two.put(KEY, Bytes.inNative(new byte[500_000]));
        long both = MemoryUsage.of(List.of(one), List.of()).memTables()
                + MemoryUsage.of(List.of(two), List.of()).memTables();

        assertThat(MemoryUsage.of(List.of(one, two), List.of()).memTables()).isEqualTo(both);
        assertThat(MemoryUsage.of(List.of(one, two, one), List.of()).memTables()).isEqualTo(both);
        assertThat(MemoryUsage.of(List.of(), List.of())).isEqualTo(new MemoryUsage(0, 0, 0, 0));
    }

    @Test
    void countsACacheOnce() {
        Cache cache = Cache.lru(8 << 20);
        Options options = create().blockBasedTableFactory(new BlockBasedTableOptions().blockCache(cache));
        RocksDB db = closeLater(RocksDB.open(directory.resolve("db"), options));
        db.put(KEY, Bytes.inNative(new byte[100_000]));
        db.flush();
        db.get(KEY);
        MemoryUsage once = MemoryUsage.of(List.of(db), List.of(cache));

        assertThat(once.caches()).isEqualTo(cache.usage()).isGreaterThan(100_000);
        assertThat(MemoryUsage.of(List.of(), List.of(cache, cache)).caches()).isEqualTo(once.caches());
        assertThat(MemoryUsage.of(List.of(db), List.of()).caches()).isZero();
    }

    @Test
    void refusesAClosedDatabase() {
        RocksDB db = open("db");
        db.close();

        assertThatThrownBy(() -> MemoryUsage.of(List.of(db), List.of())).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
    }

    private RocksDB open(String name) {
        return RocksDB.open(directory.resolve(name), create());
    }
}
