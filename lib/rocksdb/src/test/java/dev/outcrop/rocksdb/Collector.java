package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import java.lang.ref.Reference;

/** Runs the garbage collector, and waits until the cleaner has freed native objects. */
final class Collector {
    private Collector() {
    }

    /** Frees native objects that are unreachable now: of a comparator that is made for this, the end can be seen. */
    @SuppressWarnings("SystemGc")
    static void run() throws InterruptedException {
        int with = makeComparator();
        do {
            System.gc();
            Thread.sleep(1);
        } while (Callbacks.count() >= with);
    }

    /** Returns how many callbacks there are with it. */
    private static int makeComparator() {
        Options options = new Options().comparator(KeyComparator.of("test.Collected", (_, _) -> 0));
        try {
            return Callbacks.count();
        } finally {
            Reference.reachabilityFence(options);
        }
    }
}
