package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The slabs of the process, each with its holder.
 *
 * <p>Each slab doubles as a hazard pointer (M. Michael, "Hazard Pointers", IEEE TPDS 2004): claiming it publishes, in the same
 * atomic step, which lifetime the thread is about to use. The claim is a full fence. If the thread still sees the lifetime open afterwards,
 * a closing thread sees the claim and waits. So one atomic instruction gives both memory and safety, on a cache line that other threads
 * touch only if their ids fall on the same slab.
 *
 * <p>There are two tables. So a program that uses its own scratch after closing it cannot reach the memory of a running call of a native
 * object.
 */
final class ScratchTable {
    /** The most slabs that a table keeps: 16 MiB. */
    static final int MOST_SLABS = 1024;

    /** For callers of {@link Scratch#open()}. */
    static final ScratchTable OPENED = new ScratchTable();
    /** For calls of native objects, and for Outcrop itself. */
    static final ScratchTable ENTERED = new ScratchTable();

    private static final long ANY_THREAD = -1;
    /**
     * The scratches that were opened when all slabs were taken. Without a lock: a virtual thread that waited for a lock might never get a
     * carrier to go on.
     */
    private static final Queue<Scratch> SPARES = new ConcurrentLinkedQueue<>();

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
                return claimSpare(lifetime, threadId);
            }
            growFrom(all);
        }
    }

    private static Scratch claimSpare(long lifetime, long threadId) {
        Scratch spare = new Scratch(Arena.ofConfined());
        spare.claim(lifetime, threadId);
        // Volatile: if a closer does not see the spare, it wrote "closed" before, and the caller then sees "closed".
        SPARES.add(spare);
        return spare;
    }

    /**
     * Makes the table longer, unless another thread does so already. In both cases the caller looks for a free slab again. There is no
     * lock, because the caller may hold a slab that a closer waits for, and a virtual thread that waited for a lock might never get a
     * carrier to go on.
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

    /** Returns whether any thread holds a scratch for this lifetime. */
    boolean isHeldFor(long lifetime) {
        return isHeldFor(lifetime, ANY_THREAD);
    }

    /** Returns whether the calling thread holds a scratch for this lifetime: it is inside one of its calls. */
    boolean isHeldByCallerFor(long lifetime) {
        return isHeldFor(lifetime, Thread.currentThread().threadId());
    }

    private boolean isHeldFor(long lifetime, long threadId) {
        for (Scratch scratch : slabs) {
            if (isHeld(scratch, lifetime, threadId)) {
                return true;
            }
        }
        // Without spares this allocates nothing: closing must work when memory has run out.
        if (!SPARES.isEmpty()) {
            for (Scratch scratch : SPARES) {
                if (isHeld(scratch, lifetime, threadId)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean isHeld(Scratch scratch, long lifetime, long threadId) {
        return scratch.holds(lifetime) && (threadId == ANY_THREAD || scratch.heldBy(threadId));
    }

    /** Forgets a closed scratch that is not in the table. */
    static void closeSpare(Scratch spare) {
        SPARES.remove(spare);
    }

    /** Returns how many slabs the table has. */
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
