package dev.outcrop.rocksdbjni;

/** Attempts at the end of a thread's stack, and again in frames above it, each with a little more stack than the one before. */
abstract class StackEnd {
    private static final long STACK_BYTES = 512 << 10;

    /** Frames from one attempt to the next. */
    private final int step;
    private int depth;

    StackEnd(int step, int firstDepth) {
        this.step = step;
        this.depth = firstDepth;
    }

    /** Makes an attempt; may throw {@link StackOverflowError}. */
    abstract void attempt();

    /** Makes all attempts in a thread with little stack. */
    final void run() throws InterruptedException {
        Thread thread = new Thread(null, this::descend, "little stack", STACK_BYTES);
        thread.start();
        thread.join();
    }

    @SuppressWarnings("InfiniteRecursion") // Until the stack ends.
    private void descend() {
        boolean tries = depth++ % step == 0;
        try {
            descend();
        } catch (StackOverflowError e) {
            // Here, or in a frame below.
        }
        if (tries) {
            attempt();
        }
    }
}
