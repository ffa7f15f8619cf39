package dev.outcrop.jcstress;

import dev.outcrop.memory.Lifetime;
import dev.outcrop.memory.Scratch;

/** An owner of pretended native memory, with the operations of the tests. */
final class SharedOwner {
    /** The result of a call that was refused because the owner is closed. */
    static final int REFUSED = -1;

    private final Lifetime lifetime = new Lifetime(this, "test object", this::free);
    private int memory = 1;
    private int frees;

    /** Makes a native call. Returns 1 if it found the memory alive from its first to its last step, 0 if not. */
    int call() {
        try (Scratch scratch = lifetime.enter()) {
            int first = memory;
            scratch.allocate(8, 8);
            return first & memory;
        } catch (IllegalStateException e) {
            return REFUSED;
        }
    }

    /** Opens a child, which may outlive the owner. Returns 1, or {@link #REFUSED}. */
    int openChild() {
        try (Scratch scratch = lifetime.enter()) {
            lifetime.lease(scratch);
            return 1;
        } catch (IllegalStateException e) {
            return REFUSED;
        }
    }

    /** Uses the memory as a child does, then closes the child. */
    int useAndCloseChild() {
        int seen = memory;
        lifetime.release();
        return seen;
    }

    /**
     * A native call during which a child closes: as {@link #call()}, or 0 if the child found freed memory. The child closes also if
     * the call is refused.
     */
    int callInWhichChildCloses() {
        try (Scratch scratch = lifetime.enter()) {
            int first = memory;
            scratch.allocate(8, 8);
            return first & useAndCloseChild() & memory;
        } catch (IllegalStateException e) {
            return useAndCloseChild() == 1 ? REFUSED : 0;
        }
    }

    void close() {
        lifetime.close();
    }

    /** Returns how often the memory was freed, after the race. */
    int frees() {
        return frees;
    }

    private void free() {
        memory = 0;
        frees++;
    }
}
