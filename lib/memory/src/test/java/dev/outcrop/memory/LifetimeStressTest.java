package dev.outcrop.memory;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Closes thousands of owners under readers that never stop. "Freed" memory is overwritten, so a reader that meets it sees so. */
@Tag("verify")
@SuppressWarnings("ThreadPriorityCheck") // yields make more interleavings
class LifetimeStressTest {
    private static final long ALIVE = 0x616c697665L;
    private static final int OWNERS = TestSize.choose("outcrop.lifetime.owners", 500, 40_000);
    private static final int MOST_OWNERS = 100 * OWNERS;

    /** A native object whose memory stays mapped after it is freed, so that a wrong read is seen instead of ending the JVM. */
    private static final class Owner {
        private final MemorySegment memory = Arena.ofAuto().allocate(8, 8);
        private final Lifetime lifetime = new Lifetime(this, "owner", this::free);

        Owner() {
            memory.set(ValueLayout.JAVA_LONG, 0, ALIVE);
        }

        private void free() {
            memory.set(ValueLayout.JAVA_LONG, 0, 0);
        }

        long read() {
            try (Scratch scratch = lifetime.enter()) {
                MemorySegment copy = scratch.allocate(8, 8);
                copy.copyFrom(memory);
                Thread.onSpinWait();
                return copy.get(ValueLayout.JAVA_LONG, 0) & memory.get(ValueLayout.JAVA_LONG, 0);
            }
        }

        long readOnLease() {
            try (Scratch scratch = lifetime.enter()) {
                lifetime.lease(scratch);
            }
            try {
                Thread.yield();
                return memory.get(ValueLayout.JAVA_LONG, 0);
            } finally {
                lifetime.release();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void noReaderMeetsFreedMemory(boolean virtual) throws Exception {
        ThreadFactory factory = virtual ? Thread.ofVirtual().factory() : Thread.ofPlatform().factory();
        AtomicReference<Owner> current = new AtomicReference<>(new Owner());
        AtomicBoolean done = new AtomicBoolean();
        AtomicLong wrong = new AtomicLong();
        AtomicLong reads = new AtomicLong();
        AtomicLong refused = new AtomicLong();
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < (virtual ? 64 : 4); i++) {
            boolean onLease = i % 2 == 1;
            Thread reader = factory.newThread(() -> {
                while (!done.get()) {
                    Owner owner = current.get();
                    try {
                        long seen = onLease ? owner.readOnLease() : owner.read();
                        if (seen != ALIVE) {
                            wrong.incrementAndGet();
                        }
                        reads.incrementAndGet();
                    } catch (IllegalStateException e) {
                        refused.incrementAndGet();
                    }
                    if (virtual) {
                        Thread.yield();
                    }
                }
            });
            reader.start();
            readers.add(reader);
        }
        // More, where the readers get too little of the processors to meet one that is closed.
        for (int i = 0; i < OWNERS || (i < MOST_OWNERS && (reads.get() == 0 || refused.get() == 0)); i++) {
            Owner old = current.get();
            // Closed while it is still the one that everybody reads.
            old.lifetime.close();
            current.set(new Owner());
            if (i % 8 == 0) {
                Thread.yield();
            }
        }
        done.set(true);
        for (Thread reader : readers) {
            reader.join();
        }
        current.get().lifetime.close();
        assertThat(wrong).hasValue(0);
        assertThat(reads.get()).isPositive();
        assertThat(refused.get()).as("readers that came too late").isPositive();
    }
}
