package dev.outcrop.benchmarks.get;

/** Which keys a case reads, and where their values lie. */
enum Access {
    /**
     * One key that was written a moment ago: its value is still in the memtable, where RocksDB finds it soonest. What a call costs
     * beside RocksDB's own work shows most here.
     */
    FRESH_KEY("fresh key"),
    /** One key over and over, among all the others, from the block cache. */
    HOT_KEY("hot key"),
    /** Random keys, from the block cache. */
    RANDOM_KEYS("random keys");

    private final String label;

    Access(String label) {
        this.label = label;
    }

    boolean isRandom() {
        return this == RANDOM_KEYS;
    }

    /** Whether the database is only one key, in the memtable. */
    boolean isFresh() {
        return this == FRESH_KEY;
    }

    @Override
    public String toString() {
        return label;
    }
}
