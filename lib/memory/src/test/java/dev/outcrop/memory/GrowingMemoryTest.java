package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.junit.jupiter.api.Test;

class GrowingMemoryTest {
    @Test
    void growsAndKeepsWhatIsInIt() {
        GrowingMemory memory = new GrowingMemory();
        assertThat(memory.atLeast(0).byteSize()).isZero();
        for (int i = 0; i < 100_000; i++) {
            memory.atLeast(4L * i + 4).setAtIndex(ValueLayout.JAVA_INT, i, i);
        }
        MemorySegment all = memory.atLeast(1);
        assertThat(all.address() % 16).isZero();
        for (int i = 0; i < 100_000; i++) {
            assertThat(all.getAtIndex(ValueLayout.JAVA_INT, i)).isEqualTo(i);
        }
        memory.free();
    }

    @Test
    void staysWhereItIsWhileItIsLargeEnough() {
        GrowingMemory memory = new GrowingMemory();
        MemorySegment first = memory.atLeast(5000);
        assertThat(memory.atLeast(5000)).isSameAs(first);
        assertThat(memory.atLeast(1)).isSameAs(first);
        memory.free();
    }

    @Test
    void startsEmptyAfterItWasFreed() {
        GrowingMemory memory = new GrowingMemory();
        memory.atLeast(10);
        memory.free();
        memory.free();
        assertThat(memory.atLeast(0).byteSize()).isZero();
        assertThat(memory.atLeast(10).byteSize()).isGreaterThanOrEqualTo(10);
        memory.free();
    }

    @Test
    void tooMuchIsRefusedAndChangesNothing() {
        GrowingMemory memory = new GrowingMemory();
        memory.atLeast(10).set(ValueLayout.JAVA_BYTE, 0, (byte) 7);
        assertThatThrownBy(() -> memory.atLeast(Long.MAX_VALUE)).isInstanceOf(OutOfMemoryError.class);
        assertThat(memory.atLeast(1).get(ValueLayout.JAVA_BYTE, 0)).isEqualTo((byte) 7);
        memory.free();
    }
}
