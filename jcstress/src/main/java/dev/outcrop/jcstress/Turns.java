package dev.outcrop.jcstress;

import dev.outcrop.memory.ExclusiveLifetime;

/** An owner of pretended native memory that only one thread at a time may use. */
final class Turns {
    /** What a call sees that was refused because the owner is closed, or in use by the other thread. */
    static final int REFUSED = -1;

    private final ExclusiveLifetime lifetime = new ExclusiveLifetime(this, "test object", this::free);
    private int memory = 1;
    private int frees;

    /** Adds one in two steps, as a native call changes its object: the number it left, 0 if the memory was freed meanwhile. */
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

    /** What all calls left, asked when all is over. */
    int memory() {
        return memory;
    }

    /** How often the memory was freed, asked when all is over. */
    int frees() {
        return frees;
    }

    private void free() {
        frees++;
    }
}
