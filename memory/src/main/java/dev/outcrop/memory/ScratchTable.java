package dev.outcrop.memory;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The slabs of the process, and who holds which of them for which {@link Lifetime}.
 *
 * <p>Each slab doubles as a hazard pointer (M. Michael, "Hazard Pointers", IEEE TPDS 2004): claiming it publishes, in the same
 * atomic step, which lifetime the thread is about to use. The claim is a full fence, so a thread that still sees its lifetime
 * open afterwards knows that a thread that closes it sees the claim and waits. One atomic instruction thus buys both memory and safety,
 * on a cache line that other threads only touch when their ids fall on the same slab.
 *
 * <p>There are two tables, so that a program which goes on using a scratch of its own after closing it cannot reach the memory of a
 * running call of a native object.
 */
final class ScratchTable {
    /** How many slabs a table keeps at the most: 16 MiB. */
    static final int MOST_SLABS = 1024;

    /** For callers of {@link Scratch#open()}. */
    static final ScratchTable OPENED = new ScratchTable();
    /** For calls of native objects, and for Outcrop itself. */
    static final ScratchTable ENTERED = new ScratchTable();

    private final AtomicBoolean growing = new AtomicBoolean();
    private volatile Scratch[] slabs = grow(new Scratch[0], firstSlabs());

    private ScratchTable() {
    }

    /** Claims the slab that the thread's id points to, or else the next free one. */
    Scratch claim(long lifetime) {
        long threadId = Thread.currentThread().threadId();
        Scratch[] all = slabs;
        Scratch first = all[(int) threadId & (all.length - 1)];
        return first.claim(lifetime, threadId) ? first : claimAnother(lifetime, threadId);
    }

    private Scratch claimAnother(long lifetime, long threadId) {
        while (true) {
            Scratch[] all = slabs;
            for (int i = 1; i <= all.length; i++) {
                Scratch scratch = all[(int) (threadId + i) & (all.length - 1)];
                if (scratch.claim(lifetime, threadId)) {
                    return scratch;
                }
            }
            if (all.length >= MOST_SLABS) {
                return SpareScratches.claim(lifetime, threadId);
            }
            growFrom(all);
        }
    }

    /**
     * Makes the table longer, unless another thread does; then the caller looks again for a free slab. It may hold a slab that a closer
     * waits for, and a virtual thread that waited for a lock might never get a carrier to go on, so nobody waits for one here.
     */
    private void growFrom(Scratch[] all) {
        if (!growing.compareAndSet(false, true)) {
            Thread.onSpinWait();
            return;
        }
        try {
            if (slabs.length == all.length) {
                // Volatile: a closer that reads the shorter table wrote "closed" before any claim in the longer one.
                slabs = grow(all, all.length * 2);
            }
        } finally {
            growing.set(false);
        }
    }

    /** Whether any thread holds a scratch for this lifetime. */
    boolean isHeldFor(long lifetime) {
        for (Scratch scratch : slabs) {
            if (scratch.holds(lifetime)) {
                return true;
            }
        }
        return SpareScratches.isHeldFor(lifetime);
    }

    /** Whether the calling thread itself holds a scratch for this lifetime: it is inside one of its calls. */
    boolean isHeldByCallerFor(long lifetime) {
        long threadId = Thread.currentThread().threadId();
        for (Scratch scratch : slabs) {
            if (scratch.holds(lifetime) && scratch.heldBy(threadId)) {
                return true;
            }
        }
        return SpareScratches.isHeldFor(lifetime, threadId);
    }

    /** How many slabs the table keeps now. */
    int size() {
        return slabs.length;
    }

    private static int firstSlabs() {
        int processors = Math.max(4, Runtime.getRuntime().availableProcessors());
        return Math.min(MOST_SLABS, 4 * Integer.highestOneBit(2 * processors - 1));
    }

    private static Scratch[] grow(Scratch[] old, int length) {
        Scratch[] all = Arrays.copyOf(old, length);
        for (int i = old.length; i < length; i++) {
            all[i] = new Scratch(i);
        }
        return all;
    }
}
