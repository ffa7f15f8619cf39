package dev.outcrop.benchmarks.multiget;

import dev.outcrop.benchmarks.harness.RandomIndexes;

/** The keys of one call, by index, and their column families, by number. */
final class KeyBatch {
    private final MultiGetWorkload workload;
    private final RandomIndexes random = new RandomIndexes();
    private final long[] indexes = new long[MultiGetWorkload.CALL_KEYS];
    private final int[] families = new int[MultiGetWorkload.CALL_KEYS];

    KeyBatch(MultiGetWorkload workload) {
        this.workload = workload;
    }

    /** The next random keys. */
    void next() {
        for (int i = 0; i < indexes.length; i++) {
            set(i, random.next(workload.keys()));
        }
    }

    /** Keys in their order, from one on. */
    void from(int first) {
        for (int i = 0; i < indexes.length; i++) {
            set(i, (first + i) % workload.keys());
        }
    }

    private void set(int i, long index) {
        indexes[i] = index;
        families[i] = workload.familyOf(index);
    }

    long index(int i) {
        return indexes[i];
    }

    int family(int i) {
        return families[i];
    }
}
