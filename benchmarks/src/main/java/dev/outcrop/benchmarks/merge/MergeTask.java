package dev.outcrop.benchmarks.merge;

/** A task with merges. Every key has 16 bytes. */
enum MergeTask {
    /** Random counters, which lie in a table, are incremented; then everything is compacted. */
    INCREMENT("increment", 100_000, Long.BYTES),
    /**
     * Elements of 16 bytes are appended to lists that are empty at first, about a hundred to each; then everything is
     * compacted.
     */
    APPEND("append", 500, 16),
    /** Random counters are read, which were incremented several times since they were set, all in the memtable. */
    READ("read", 1_000, Long.BYTES);

    static final int KEY_BYTES = 16;
    /** How many increments or appends come before a compaction. */
    static final int OPERATIONS = 50_000;
    /** How often a counter that is read was incremented. */
    static final int OPERANDS = 8;

    private final String method;
    private final int keys;
    private final int operandBytes;

    MergeTask(String method, int keys, int operandBytes) {
        this.method = method;
        this.keys = keys;
        this.operandBytes = operandBytes;
    }

    /** Where the names of the JMH methods that measure it begin, and the case of the C program. */
    String method() {
        return method;
    }

    int keys() {
        return keys;
    }

    int operandBytes() {
        return operandBytes;
    }

    /** Checks the sum of all counters at the end, or the length of all lists. */
    static void check(long found, long expected) {
        if (found != expected) {
            throw new IllegalStateException("The sum is " + found + " instead of " + expected);
        }
    }

    @Override
    public String toString() {
        return switch (this) {
            case INCREMENT -> "increment, then compact";
            case APPEND -> "append, then compact";
            case READ -> "read after " + OPERANDS + " increments";
        };
    }
}
