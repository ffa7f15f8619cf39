package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

@SuppressWarnings("ThreadPriorityCheck") // yields make virtual threads unmount
class ScratchTest {
    @Test
    void handsOutAlignedMemoryThatDoesNotOverlap() {
        try (Scratch scratch = Scratch.open()) {
            MemorySegment one = scratch.allocate(3, 1);
            MemorySegment two = scratch.allocate(8, 8);
            MemorySegment three = scratch.allocate(64, 64);
            assertThat(two.address() % 8).isZero();
            assertThat(three.address() % 64).isZero();
            assertThat(two.address()).isGreaterThanOrEqualTo(one.address() + 3);
            assertThat(three.address()).isGreaterThanOrEqualTo(two.address() + 8);
            assertThat(three.byteSize()).isEqualTo(64);
        }
    }

    @Test
    void servesWhatDoesNotFitIntoTheSlab() {
        try (Scratch scratch = Scratch.open()) {
            List<MemorySegment> large = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                MemorySegment segment = scratch.allocate(100_000, 4096);
                assertThat(segment.address() % 4096).isZero();
                segment.fill((byte) i);
                large.add(segment);
            }
            for (int i = 0; i < 20; i++) {
                assertThat(large.get(i).get(ValueLayout.JAVA_BYTE, 99_999)).isEqualTo((byte) i);
            }
            assertThat(scratch.allocate(0, 1).byteSize()).isZero();
        }
    }

    @Test
    void largeMemoryThrowsAfterCloseInsteadOfBeingReadFreed() {
        MemorySegment large;
        try (Scratch scratch = Scratch.open()) {
            large = scratch.allocate(1 << 20, 8);
        }
        assertThatIllegalStateException().isThrownBy(() -> large.get(ValueLayout.JAVA_BYTE, 0));
    }

    @Test
    void nestsAndTheInnerOneLeavesTheOuterOneAlone() {
        try (Scratch outer = Scratch.open()) {
            MemorySegment a = outer.allocate(8, 8);
            a.set(ValueLayout.JAVA_LONG, 0, 1);
            for (int i = 0; i < 3; i++) {
                try (Scratch inner = Scratch.open()) {
                    MemorySegment b = inner.allocate(8, 8);
                    b.set(ValueLayout.JAVA_LONG, 0, 2);
                    assertThat(b.address()).isNotEqualTo(a.address());
                }
            }
            assertThat(a.get(ValueLayout.JAVA_LONG, 0)).isEqualTo(1);
        }
    }

    @Test
    void refusesBadRequests() {
        try (Scratch scratch = Scratch.open()) {
            assertThatIllegalArgumentException().isThrownBy(() -> scratch.allocate(-1, 8)).withMessageContaining("-1");
            assertThatIllegalArgumentException().isThrownBy(() -> scratch.allocate(8, 3)).withMessageContaining("3");
            assertThatIllegalArgumentException().isThrownBy(() -> scratch.allocate(8, 0));
        }
    }

    @Test
    void refusesUseAfterCloseAndByOtherThreads() throws Exception {
        Scratch scratch = Scratch.open();
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            Future<?> use = other.submit(() -> scratch.allocate(8, 8));
            assertThat(use).failsWithin(java.time.Duration.ofMinutes(5)).withThrowableThat()
                    .withCauseInstanceOf(IllegalStateException.class);
        }
        scratch.close();
        assertThatIllegalStateException().isThrownBy(scratch::close).withMessageContaining("closed before");
        assertThatIllegalStateException().isThrownBy(() -> scratch.allocate(8, 8));
    }

    @Test
    void wordsRefuseUseAfterCloseAndByOtherThreads() throws Exception {
        Scratch scratch = Scratch.open();
        scratch.setWord(3, 42);
        assertThat(scratch.word(3)).isEqualTo(42);
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            assertThat(other.submit(() -> scratch.setWord(3, 1))).failsWithin(java.time.Duration.ofMinutes(5))
                    .withThrowableThat().withCauseInstanceOf(IllegalStateException.class);
        }
        assertThat(scratch.word(3)).isEqualTo(42);
        scratch.close();
        assertThatIllegalStateException().isThrownBy(() -> scratch.word(3)).withMessageContaining("closed before");
        assertThatIllegalStateException().isThrownBy(() -> scratch.setWord(3, 1));
        assertThatIllegalStateException().isThrownBy(() -> scratch.wordAddress(3));
    }

    @Test
    void aScratchThatWasClosedDoesNotReachTheScratchOfARunningCall() {
        Scratch stale = Scratch.open();
        stale.close();
        Lifetime lifetime = new Lifetime(new Object(), "thing", () -> {
        });
        try (Scratch entered = lifetime.enter(); Scratch own = Scratch.openForOutcrop()) {
            assertThatIllegalStateException().isThrownBy(stale::close);
            assertThatIllegalStateException().isThrownBy(() -> stale.setWord(0, 1));
            entered.setWord(0, 7);
            own.setWord(0, 8);
            assertThat(entered.word(0)).isEqualTo(7);
        }
        lifetime.close();
    }

    @Test
    void staysWithAVirtualThreadThatUnmounts() throws Exception {
        int threads = 2_000;
        CountDownLatch allHold = new CountDownLatch(threads);
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Boolean>> results = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                long mine = i;
                results.add(executor.submit(() -> {
                    try (Scratch scratch = Scratch.open()) {
                        MemorySegment memory = scratch.allocate(8, 8);
                        memory.set(ValueLayout.JAVA_LONG, 0, mine);
                        allHold.countDown();
                        // Unmounts here, with more scratches open than there are slabs.
                        allHold.await();
                        Thread.yield();
                        return memory.get(ValueLayout.JAVA_LONG, 0) == mine;
                    }
                }));
            }
            for (Future<Boolean> result : results) {
                assertThat(result.get()).isTrue();
            }
        }
        assertThat(ScratchTable.OPENED.size()).isLessThanOrEqualTo(ScratchTable.MOST_SLABS);
        // All of them were given back: nothing but what this thread opens is held now.
        assertThat(ScratchTable.OPENED.isHeldFor(Lifetime.NONE)).isFalse();
    }

    @Test
    void manyShortVirtualThreadsKeepNoSlabs() throws Exception {
        int before = ScratchTable.OPENED.size();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200_000; i++) {
                executor.execute(() -> {
                    try (Scratch scratch = Scratch.open()) {
                        scratch.allocate(16, 8).fill((byte) 1);
                    }
                });
            }
        }
        // The table grows with what is open at once; these threads run a few at a time.
        assertThat(ScratchTable.OPENED.size()).isLessThanOrEqualTo(Math.max(before, 256));
    }
}
