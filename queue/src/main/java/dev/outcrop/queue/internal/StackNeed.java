package dev.outcrop.queue.internal;

import dev.outcrop.memory.Headroom;

/**
 * What an operation needs of the stack, from where it is called to where its last lock or claim is released. Required before anything is
 * changed.
 *
 * <p>Without it, locks stay with a thread that had no stack left. HotSpot keeps a reserve for
 * {@link java.util.concurrent.locks.ReentrantLock#lock()}, so that it does not stop half-way: it gets the lock, and throws
 * StackOverflowError when it returns, before the {@code try} that would give the lock back. And in a {@code finally} there may be no stack
 * for that call.
 *
 * <p>A virtual thread that waits is copied to the heap, by a function of the JVM that calls itself for each frame. So in the lower part of
 * its stack, which may be more than half of it, it cannot wait, and everything that would wait throws; {@link
 * java.util.concurrent.locks.Condition#await()} even after it has released the lock, for good. What may have to wait therefore tries it
 * first.
 *
 * @param kibibytes    needed
 * @param newKibibytes needed while the operation is new: the JVM loads classes and links calls with the stack of the first caller
 * @param mayWait      whether it may wait for another thread after it has changed something
 * @param isFrequent   whether each nanosecond counts; then 8 KiB are needed, and nothing else
 * @param calls        how often it was called
 */
public record StackNeed(int kibibytes, int newKibibytes, boolean mayWait, boolean isFrequent, Calls calls) {
    /** For opening, which also initializes what all others need: a class whose initializer has failed stays unusable. */
    public static final StackNeed OPEN = new StackNeed(Headroom.FREEING + 80, Headroom.FREEING + 80, true);
    /** For what uses the file system, in whose end a file is closed, which asks for room too. */
    public static final StackNeed FILES = new StackNeed(Headroom.FREEING + 40, Headroom.FREEING + 40, true);
    /** For what may wait. */
    public static final StackNeed WAIT = new StackNeed(40, 40, true);
    /**
     * Compiled code needs a quarter of this; the rest is for the interpreter, to which HotSpot may return in the middle of an append. Not
     * less, because {@link Headroom#requireEight} takes the least time.
     */
    public static final StackNeed APPEND = new StackNeed(8, 32, false, true, new Calls());
    /** For an append that then tells another thread to write it: what it has appended must not seem to have failed. */
    public static final StackNeed APPEND_AND_TELL = new StackNeed(12, 40, false);
    /**
     * For what takes a record, and releases it if it is given to nobody: more than {@link #RELEASE}, so that what was taken can be given
     * back.
     */
    public static final StackNeed TAKE = new StackNeed(8, 32, false);
    /** As {@link #TAKE}, for what calls it. */
    public static final StackNeed TAKE_AND_READ = new StackNeed(16, 40, false);
    /** For what takes a lock and calls little. */
    public static final StackNeed LOCK = new StackNeed(6, 28, false);
    /** Less than for what it ends, so that who could begin that can end it. */
    public static final StackNeed RELEASE = new StackNeed(4, 24, false);

    /** More calls than it takes until everything is loaded and linked. */
    private static final int NEW_CALLS = 1_000;
    /** More than there are between an operation and where it waits. */
    private static final int FRAMES = 40;

    /** Not exact, and only written in the beginning: later it would go from processor to processor. */
    private static final class Calls {
        private int count;
    }

    private StackNeed(int kibibytes, int newKibibytes, boolean mayWait) {
        this(kibibytes, newKibibytes, mayWait, false, new Calls());
    }

    /**
     * Checks that there is so much.
     *
     * @throws StackOverflowError if not; then nothing has happened
     */
    public void require() {
        if (calls.count < NEW_CALLS) {
            Headroom.require(newKibibytes);
            // Only now: one that fails has not made anything less new.
            calls.count++;
        } else if (isFrequent) {
            Headroom.requireEight();
        } else {
            Headroom.require(kibibytes);
        }
        if (mayWait && Thread.currentThread().isVirtual()) {
            int _ = stepAside(FRAMES);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // It is the shortest wait.
    private static int stepAside(int frames) {
        if (frames > 0) {
            return stepAside(frames - 1) + 1;
        }
        Thread.yield();
        return 0;
    }
}
