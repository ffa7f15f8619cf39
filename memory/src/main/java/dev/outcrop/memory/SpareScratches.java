package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The scratches that are open although all slabs of the table are taken. One lock will do: this many calls at once wait anyway.
 *
 * <p>Not a monitor: when one is given back, it is kept for the thread that waits first, and if that is a virtual thread that never gets a
 * carrier, a platform thread that closes something waits behind it for ever. What holds this lock never unmounts, so spinning ends.
 */
final class SpareScratches {
    private static final List<Scratch> OPEN = new ArrayList<>();
    private static final AtomicBoolean LOCKED = new AtomicBoolean();
    private static final int SPINS = 100;
    private static final int PAUSE_NANOS = 10_000;

    private SpareScratches() {
    }

    static Scratch claim(long lifetime, long threadId) {
        Scratch scratch = new Scratch(Arena.ofConfined());
        scratch.claim(lifetime, threadId);
        lock();
        try {
            // The lock orders this before or after a closer's look; before it means seen, after it means "closed" is visible.
            OPEN.add(scratch);
        } finally {
            unlock();
        }
        return scratch;
    }

    static void close(Scratch scratch) {
        lock();
        try {
            OPEN.remove(scratch);
        } finally {
            unlock();
        }
    }

    static boolean isHeldFor(long lifetime) {
        lock();
        try {
            // By index, so that nothing is allocated: closing must work when memory has run out.
            for (int i = 0; i < OPEN.size(); i++) {
                if (OPEN.get(i).holds(lifetime)) {
                    return true;
                }
            }
            return false;
        } finally {
            unlock();
        }
    }

    static boolean isHeldFor(long lifetime, long threadId) {
        lock();
        try {
            for (int i = 0; i < OPEN.size(); i++) {
                if (OPEN.get(i).holds(lifetime) && OPEN.get(i).heldBy(threadId)) {
                    return true;
                }
            }
            return false;
        } finally {
            unlock();
        }
    }

    private static void lock() {
        // A volatile read and write: what was done with the lock held before is seen.
        for (int tries = 0; !LOCKED.compareAndSet(false, true); tries++) {
            // A virtual thread may hold a scratch that a closer waits for, so it keeps its carrier.
            if (tries < SPINS || Thread.currentThread().isVirtual()) {
                Thread.onSpinWait();
            } else {
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private static void unlock() {
        // Volatile: the next holder sees all that this one has done.
        LOCKED.set(false);
    }
}
