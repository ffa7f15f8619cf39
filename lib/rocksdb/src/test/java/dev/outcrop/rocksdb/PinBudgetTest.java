package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Beyond the budget values are copied instead of pinned, and the count of pinned bytes is right. */
class PinBudgetTest extends DatabaseTest {
    private static final int SIZE = 10_000;

    private RocksDB open(long budget) {
        RocksDB db = RocksDB.open(directory, create().pinBudget(budget));
        db.put(KEY, Bytes.random(1, SIZE));
        db.flush();
        return db;
    }

    @Test
    void beyondTheBudgetValuesAreCopied() {
        long budget = 20 * SIZE;
        RocksDB db = open(budget);
        List<PinnedSlice> slices = new ArrayList<>();
        int pinned = 0;
        for (int i = 0; i < 100; i++) {
            PinnedSlice slice = Objects.requireNonNull(db.getPinned(KEY));
            pinned += slice.isPinned() ? 1 : 0;
            slices.add(slice);
        }
        assertThat(pinned * (long) SIZE).isBetween(budget - budget / 8 - SIZE, budget + budget / 8 + SIZE);
        assertThat(db.pinnedBytes()).isEqualTo(pinned * (long) SIZE);
        assertThat(slices).allSatisfy(
                slice -> assertThat(ReadForm.bytes(slice.segment())).isEqualTo(Bytes.random(1, SIZE)));

        slices.forEach(PinnedSlice::close);

        assertThat(db.pinnedBytes()).isZero();
        assertThat(slices).allSatisfy(slice -> assertThatThrownBy(() -> ReadForm.bytes(slice.segment()))
                .isInstanceOf(IllegalStateException.class));
        PinnedSlice again = closeLater(Objects.requireNonNull(db.getPinned(KEY)));
        assertThat(again.isPinned()).isTrue();
    }

    @Test
    void aBudgetOfZeroCopiesAlways() {
        try (RocksDB db = open(0)) {
            try (PinnedSlice slice = db.getPinned(KEY)) {
                assertThat(Objects.requireNonNull(slice).isPinned()).isFalse();
                assertThat(ReadForm.bytes(slice.segment())).isEqualTo(Bytes.random(1, SIZE));
            }
            try (PinnedSlice slice = db.getHybrid(MemorySegment.ofArray(KEY), MemorySegment.NULL)) {
                assertThat(Objects.requireNonNull(slice).isPinned()).isFalse();
            }
            assertThat(db.pinnedBytes()).isZero();
        }
        RocksDB.open(directory).close();
    }

    @Test
    void theGreatestBudgetPinsAlways() {
        RocksDB db = closeLater(open(Long.MAX_VALUE));
        PinnedSlice slice = closeLater(Objects.requireNonNull(db.getPinned(KEY)));
        assertThat(slice.isPinned()).isTrue();
    }

    @Test
    void theDefaultIsAQuarterOfTheBlockCache() {
        Options options = create().blockBasedTableFactory(new BlockBasedTableOptions().blockCache(Cache.lru(1 << 20)));
        int values = 100;
        try (RocksDB db = RocksDB.open(directory, options)) {
            assertThat(db.pinBudget()).isEqualTo(1 << 18);
            db.put(KEY, Bytes.random(1, SIZE));
            db.flush();
            List<PinnedSlice> slices = new ArrayList<>();
            for (int i = 0; i < values; i++) {
                slices.add(Objects.requireNonNull(db.getPinned(KEY)));
            }
            assertThat(db.pinnedBytes()).isBetween((1L << 18) * 7 / 8 - SIZE, (1L << 18) * 9 / 8 + SIZE);
            slices.forEach(PinnedSlice::close);
        }
        Options withoutCache = create().blockBasedTableFactory(new BlockBasedTableOptions().noBlockCache(true));
        try (RocksDB db = RocksDB.open(directory, withoutCache)) {
            assertThat(db.pinBudget()).isEqualTo(256L << 20);
        }
        RocksDB db = closeLater(RocksDB.open(directory, new Options().pinBudget(77)));
        assertThat(db.pinBudget()).isEqualTo(77);
    }

    @Test
    void aNegativeBudgetIsRefused() {
        assertThatThrownBy(() -> new Options().pinBudget(-2)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-2");
        assertThat(new Options().pinBudget()).isEqualTo(Options.DEFAULT_PIN_BUDGET);
    }

    @Test
    @Tag("verify")
    void theCountReturnsToZeroAfterManyThreadsPinned() throws Exception {
        RocksDB db = closeLater(open(40 * SIZE));
        ExecutorService threads = closeLater(Executors.newVirtualThreadPerTaskExecutor());
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            all.add(threads.submit(() -> pinAndUnpin(db)));
        }
        for (Future<?> one : all) {
            one.get();
        }
        assertThat(db.pinnedBytes()).isZero();
    }

    @SuppressWarnings("ThreadPriorityCheck") // yielding only makes more interleavings, nothing relies on it
    private static void pinAndUnpin(RocksDB db) {
        Deque<PinnedSlice> open = new ArrayDeque<>();
        for (int i = 0; i < 200; i++) {
            open.add(Objects.requireNonNull(db.getPinned(KEY)));
            Thread.yield();
            if (open.size() > i % 7) {
                open.remove().close();
            }
        }
        open.forEach(PinnedSlice::close);
    }
}
