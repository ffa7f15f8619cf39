package dev.outcrop.benchmarks.comparator;

/** An operation on keys. */
enum KeyOperation {
    /** Random keys are read, from the block cache. */
    GET("get"),
    /** An iterator moves to random keys, in the block cache. */
    SEEK("seek"),
    /** Random keys are written into an empty memtable, which is then flushed by one of RocksDB's own threads. */
    WRITE("write");

    private final String method;

    KeyOperation(String method) {
        this.method = method;
    }

    /** The JMH method that measures it, and the case of the C program. */
    String method() {
        return method;
    }

    @Override
    public String toString() {
        return this == WRITE ? "put, then flush" : method;
    }
}
