package dev.outcrop.benchmarks.paired;

import dev.outcrop.benchmarks.harness.RandomIndexes;

/** Which keys a thread asks for, by index: always the same one, or random ones. */
final class KeySequence {
    private final int keys;
    private final boolean isRandom;
    private final RandomIndexes random = new RandomIndexes();

    KeySequence(PairedWorkload workload) {
        this.keys = workload.keys();
        this.isRandom = workload.paired().task() == PairedTask.RANDOM_KEYS;
    }

    void restart(long seed) {
        random.restart(seed);
    }

    long next() {
        return isRandom ? random.next(keys) : keys / 2;
    }
}
