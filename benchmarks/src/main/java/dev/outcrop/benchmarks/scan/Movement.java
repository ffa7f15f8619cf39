package dev.outcrop.benchmarks.scan;

/** Which entries an operation reads. */
enum Movement {
    /** One of all entries, forward. */
    FULL("full scan"),
    /** One of all entries, backward. */
    BACKWARD("reverse scan"),
    /** So many entries from a random key on, through an iterator of its own. */
    RANGE("range of " + ScanWorkload.RANGE_ENTRIES),
    /** None: an iterator goes to a random key. */
    SEEK("seek only");

    private final String label;

    Movement(String label) {
        this.label = label;
    }

    /** Whether all entries are read, so that an operation is only a part of it. */
    boolean isAll() {
        return this == FULL || this == BACKWARD;
    }

    @Override
    public String toString() {
        return label;
    }
}
