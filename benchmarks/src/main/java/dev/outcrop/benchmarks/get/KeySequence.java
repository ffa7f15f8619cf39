package dev.outcrop.benchmarks.get;

import dev.outcrop.benchmarks.harness.RandomIndexes;

/** The keys that one thread asks for, by index: always the same one, or random ones. */
final class KeySequence {
    private final int keys;
    private final boolean isRandom;
    private final RandomIndexes random = new RandomIndexes();

    KeySequence(Workload workload) {
        this.keys = workload.keys();
        this.isRandom = workload.access().isRandom();
    }

    /** The next index: the first eight bytes of the next key, big-endian. */
    long next() {
        return isRandom ? random.next(keys) : keys / 2;
    }
}
