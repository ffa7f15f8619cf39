package dev.outcrop.queue;

/** Keeps an interrupt of this thread aside while it waits for another one. */
final class KeptInterrupt {
    private KeptInterrupt() {
    }

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
}
