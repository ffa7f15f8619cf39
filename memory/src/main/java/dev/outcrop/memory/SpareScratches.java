package dev.outcrop.memory;

import java.lang.foreign.Arena;
import java.util.ArrayList;
import java.util.List;

/** The scratches that are open although all slabs of the table are taken. One lock will do: this many calls at once wait anyway. */
final class SpareScratches {
    private static final List<Scratch> OPEN = new ArrayList<>();

    private SpareScratches() {
    }

    static Scratch claim(long lifetime, long threadId) {
        Scratch scratch = new Scratch(Arena.ofConfined());
        scratch.claim(lifetime, threadId);
        synchronized (OPEN) {
            // The lock orders this before or after a closer's look; before it means seen, after it means "closed" is visible.
            OPEN.add(scratch);
        }
        return scratch;
    }

    static void close(Scratch scratch) {
        synchronized (OPEN) {
            OPEN.remove(scratch);
        }
    }

    static boolean isHeldFor(long lifetime) {
        synchronized (OPEN) {
            // By index, so that nothing is allocated: closing must work when memory has run out.
            for (int i = 0; i < OPEN.size(); i++) {
                if (OPEN.get(i).holds(lifetime)) {
                    return true;
                }
            }
            return false;
        }
    }

    static boolean isHeldFor(long lifetime, long threadId) {
        synchronized (OPEN) {
            for (int i = 0; i < OPEN.size(); i++) {
                if (OPEN.get(i).holds(lifetime) && OPEN.get(i).heldBy(threadId)) {
                    return true;
                }
            }
            return false;
        }
    }
}
