package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NativeCallsTest {
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 8, 100, (32 << 10) - 1, 32 << 10, 100_000, 1 << 20, (1 << 20) + 1})
    void fillsArraysOfEveryLength(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment from = arena.allocate(length + 1L);
            MemorySegment.copy(bytes, 0, from, ValueLayout.JAVA_BYTE, 0, length);
            byte[] copy = new byte[length];
            NativeCalls.copy(from, copy);
            assertThat(copy).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 64 << 10, 2 << 20})
    void refusesMemoryThatIsTooShortFreedOrOfAnotherThread(int length) throws InterruptedException {
        byte[] array = new byte[length];
        MemorySegment freed;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment tooShort = arena.allocate(length - 1L);
            assertThatThrownBy(() -> NativeCalls.copy(tooShort, array)).isInstanceOf(IndexOutOfBoundsException.class);
            freed = arena.allocate(length);
            Throwable[] thrown = new Throwable[1];
            MemorySegment foreign = freed;
            Thread.ofVirtual().start(() -> {
                try {
                    NativeCalls.copy(foreign, array);
                } catch (WrongThreadException e) {
                    thrown[0] = e;
                }
            }).join();
            assertThat(thrown[0]).isInstanceOf(WrongThreadException.class);
        }
        assertThatThrownBy(() -> NativeCalls.copy(freed, array)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void copiesArraysOfEveryLengthAndNothingBeside() {
        MemorySegment to = MemorySegment.ofArray(new byte[80]);
        for (int length = 0; length < 70; length++) {
            byte[] bytes = new byte[length];
            new Random(length).nextBytes(bytes);
            byte[] expected = new byte[80];
            System.arraycopy(bytes, 0, expected, 5, length);
            NativeCalls.copy(bytes, to.fill((byte) 0), 5);
            assertThat(to.toArray(ValueLayout.JAVA_BYTE)).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 8, 16, 17, 32, 33})
    void refusesToCopyAnArrayToWhereItCannotGo(int length) {
        byte[] bytes = new byte[length];
        MemorySegment to = MemorySegment.ofArray(new byte[length + 1]);
        for (long offset : new long[]{2, length + 2, -1, -length, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> NativeCalls.copy(bytes, to, offset)).isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> NativeCalls.copy(bytes, to.asReadOnly(), 0))
                .isInstanceOf(IllegalArgumentException.class);
        Arena arena = Arena.ofConfined();
        MemorySegment freed = arena.allocate(length);
        arena.close();
        assertThatThrownBy(() -> NativeCalls.copy(bytes, freed, 0)).isInstanceOf(IllegalStateException.class);
    }
}
