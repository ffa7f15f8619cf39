package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/**
 * The segments of an iterator's current entry. They become invalid when the iterator moves: a segment that a user has kept throws then.
 *
 * <p>The segments belong to a confined arena, because its own thread can close it without a handshake of all threads. Therefore only the
 * thread that has segments of the current entry may move or close the iterator.
 */
public final class EntrySegments {
    private final GuardedIterator entries;
    /** The arena. It and its thread are null if the current entry has no segments. They and the segments are written only inside. */
    private @Nullable Arena arena;
    private @Nullable Thread owner;
    private @Nullable MemorySegment key;
    private @Nullable MemorySegment value;
    private boolean isKeyAsked;
    private boolean isValueAsked;
    /**
     * Whether the user asked for both key and value at the previous entry. If so, the first call makes both, and the second call need not
     * enter.
     */
    private boolean areBothAsked;

    public EntrySegments(GuardedIterator entries) {
        this.entries = entries;
    }

    /** Returns the key, if it was made for the calling thread. Can be called without entering: only this thread can end its segments. */
    public @Nullable MemorySegment key() {
        isKeyAsked = true;
        return isMine() ? key : null;
    }

    /** Does the same as {@link #key()}, for the value. */
    public @Nullable MemorySegment value() {
        isValueAsked = true;
        return isMine() ? value : null;
    }

    /**
     * Makes the key. Called inside, at an entry.
     *
     * @throws IllegalStateException if another thread has segments of the entry
     */
    public MemorySegment makeKey() {
        Arena in = arena();
        MemorySegment made = view(entries.key(), in);
        key = made;
        if (areBothAsked) {
            value = view(entries.value(), in);
        }
        return made;
    }

    /** Does the same as {@link #makeKey()}, for the value. */
    public MemorySegment makeValue() {
        Arena in = arena();
        if (areBothAsked) {
            key = view(entries.key(), in);
        }
        MemorySegment made = view(entries.value(), in);
        value = made;
        return made;
    }

    /** Returns the arena of the current entry, for the calling thread. Called inside, at an entry. */
    public Arena arena() {
        Arena in = arena;
        if (in == null || !isMine()) {
            end();
            in = Arena.ofConfined();
            owner = Thread.currentThread();
            arena = in;
        }
        return in;
    }

    /** Returns whether the current entry has segments. */
    public boolean areMade() {
        return arena != null;
    }

    /**
     * Ends the segments. Called inside, before each move.
     *
     * @throws IllegalStateException if they belong to another thread
     */
    public void end() {
        Arena ended = arena;
        Thread thread = owner;
        if (ended == null || thread == null) {
            return;
        }
        if (isMine()) {
            ended.close();
        } else if (thread.isAlive()) {
            throw new IllegalStateException("Thread " + thread.getName() + " has segments of the " + entries.lifetime
                    + "; it must call detach() before another thread goes on");
        }
        // If the thread has ended, no code can read its segments any longer.
        arena = null;
        owner = null;
        key = null;
        value = null;
        areBothAsked = isKeyAsked && isValueAsked;
        isKeyAsked = false;
        isValueAsked = false;
    }

    private boolean isMine() {
        Thread thread = owner;
        return thread != null && thread.threadId() == Thread.currentThread().threadId();
    }

    private MemorySegment view(long address, Arena in) {
        return NativeCalls.readOnlyView(address, entries.length(), in);
    }
}
