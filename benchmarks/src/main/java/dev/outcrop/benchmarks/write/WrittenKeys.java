package dev.outcrop.benchmarks.write;

import dev.outcrop.benchmarks.harness.RandomIndexes;

/** The keys that one thread writes, as numbers: random ones, or ascending ones from a random one on. */
final class WrittenKeys {
    private final boolean isRandom;
    private final RandomIndexes random = new RandomIndexes();
    private long next = random.next();

    WrittenKeys(boolean isRandom) {
        this.isRandom = isRandom;
    }

    /** The next number: the first eight bytes of the next key, big-endian. */
    long next() {
        return isRandom ? random.next() : next++;
    }
}
