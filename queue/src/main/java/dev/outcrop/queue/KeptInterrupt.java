package dev.outcrop.queue;

/** Keeps an interrupt of this thread aside, in particular while files are read or written: it would close their channels. */
final class KeptInterrupt implements AutoCloseable {
    private final boolean isInterrupted = Thread.interrupted();

    /** Waits until another thread has ended, whatever interrupts this one. */
    static void join(Thread other) {
        boolean isInterrupted = false;
        while (other.isAlive()) {
            try {
                other.join();
            } catch (InterruptedException e) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The thread is interrupted again if it was. */
    @Override
    public void close() {
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
