package dev.outcrop.jcstress;

import dev.outcrop.memory.ExclusiveLifetime;

/** An owner of pretended native memory that only one thread at a time may use. */
final class ExclusiveOwner {
    /** The result of a call that was refused because the owner is closed, or in use by the other thread. */
    static final int REFUSED = -1;

    private final ExclusiveLifetime lifetime = new ExclusiveLifetime(this, "test object", this::free);
    private int memory = 1;
    private int frees;

    /** Adds one in two steps, as a native call changes its object. Returns the new number, or 0 if the memory was freed meanwhile. */
    int add() {
        try {
            lifetime.enter();
        } catch (IllegalStateException e) {
            return REFUSED;
        }
        try {
            int before = memory;
            memory = before + 1;
            return frees == 0 ? memory : 0;
        } finally {
            lifetime.exit();
        }
    }

    void close() {
        lifetime.close();
    }

    /** Returns the sum of all calls, after the race. */
    int memory() {
        return memory;
    }

    /** Returns how often the memory was freed, after the race. */
    int frees() {
        return frees;
    }

    private void free() {
        frees++;
    }
}
