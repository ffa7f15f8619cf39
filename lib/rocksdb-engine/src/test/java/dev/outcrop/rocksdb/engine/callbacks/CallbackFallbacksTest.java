package dev.outcrop.rocksdb.engine.callbacks;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The last answers for RocksDB throw for no key: an exception would end the process. */
class CallbackFallbacksTest {
    private static final long ID = 1;

    /** RocksDB passes such lengths if a comparator has broken its order. */
    @Test
    void lengthsBelowZeroComeFirst() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment key = arena.allocateFrom("key");

            assertThat(CallbackFallbacks.compareBytes(ID, key.address(), -8, key.address(), 3)).isNegative();
            assertThat(CallbackFallbacks.compareBytes(ID, key.address(), 3, key.address(), -8)).isPositive();
            assertThat(CallbackFallbacks.compareBytes(ID, key.address(), -8, 0, -8)).isZero();
        }
    }
}
