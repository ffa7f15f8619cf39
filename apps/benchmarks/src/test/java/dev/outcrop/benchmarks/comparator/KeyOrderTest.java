package dev.outcrop.benchmarks.comparator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.rocksdb.KeyComparator;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The comparison is void if the sides do not have the same order. */
class KeyOrderTest {
    private static final int TIMES = 10_000;

    @ParameterizedTest
    @EnumSource
    void keysAreInTheOrderOfTheirIndexesOnBothSides(KeyOrder order) {
        KeyComparator ours = order.ours();
        MemorySegment a = MemorySegment.ofArray(order.firstKey());
        MemorySegment b = MemorySegment.ofArray(order.firstKey());
        ByteBuffer aBuffer = ByteBuffer.allocateDirect(order.keyBytes()).put(0, order.firstKey());
        ByteBuffer bBuffer = ByteBuffer.allocateDirect(order.keyBytes()).put(0, order.firstKey());
        Random random = new Random(1);
        for (int i = 0; i < TIMES; i++) {
            int first = random.nextInt(ComparatorCase.ComparatorWorkload.KEYS);
            int second = i % 10 == 0 ? first : random.nextInt(ComparatorCase.ComparatorWorkload.KEYS);
            order.set(a, first);
            order.set(b, second);
            order.set(aBuffer, first);
            order.set(bBuffer, second);

            assertThat(MemorySegment.ofBuffer(aBuffer).mismatch(a)).isEqualTo(-1);
            assertThat(Integer.signum(ours.compare(a, b))).isEqualTo(Integer.compare(first, second));
            assertThat(Integer.signum(order.compare(aBuffer, bBuffer))).isEqualTo(Integer.compare(first, second));
        }
        assertThat(aBuffer.remaining()).as("a comparator leaves buffers as they are").isEqualTo(order.keyBytes());
    }
}
