package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** A value that no array can hold. Needs 10 GB of memory, so it runs only with -Dtest.jvm.extra=-Doutcrop.tests.huge=true. */
@EnabledIfSystemProperty(named = "outcrop.tests.huge", matches = "true")
class HugeValueTest extends DatabaseTest {
    private static final long SIZE = (1L << 31) + 12_345;

    @Test
    void isReadPinnedAndRefusedAsAnArray() {
        try (RocksDB db = open(create().pinBudget(Long.MAX_VALUE))) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment value = arena.allocate(SIZE);
                for (long i = 0; i < SIZE; i += 4096) {
                    value.set(ValueLayout.JAVA_LONG_UNALIGNED, Math.min(i, SIZE - 8), i);
                }
                db.put(Bytes.inNative(KEY), value);
            }
            check(db);
            db.flush();
            check(db);
        }
        RocksDB db = closeLater(RocksDB.open(directory, new Options().pinBudget(Long.MAX_VALUE)));
        check(db);
    }

    private static void check(RocksDB db) {
        RocksDBException thrown = catchThrowableOfType(RocksDBException.class, () -> db.get(KEY));
        assertThat(thrown).isNotNull().hasMessageContaining(String.valueOf(SIZE)).hasMessageContaining("getPinned");
        assertThat(thrown.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED);
        assertThat(db.get(KEY, new byte[100])).isEqualTo(SIZE);
        assertThat(db.get(Bytes.inNative(KEY), Arena.ofAuto().allocate(100))).isEqualTo(SIZE);
        try (PinnedSlice slice = Objects.requireNonNull(db.getPinned(KEY))) {
            assertThat(slice.isPinned()).isTrue();
            assertThat(slice.size()).isEqualTo(SIZE);
            for (long i = 0; i < SIZE; i += 4096) {
                long stored = slice.segment().get(ValueLayout.JAVA_LONG_UNALIGNED, Math.min(i, SIZE - 8));
                if (stored != i) {
                    throw new AssertionError("at " + i + ": " + stored);
                }
            }
        }
        assertThat(db.pinnedBytes()).isZero();
    }
}
