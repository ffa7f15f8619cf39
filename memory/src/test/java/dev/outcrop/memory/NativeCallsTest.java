package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
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
}
