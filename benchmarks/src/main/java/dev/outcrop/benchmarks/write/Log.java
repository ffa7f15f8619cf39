package dev.outcrop.benchmarks.write;

/** What becomes of RocksDB's write-ahead log. */
enum Log {
    /** There is none. */
    OFF("WAL off"),
    /** It is written, and the operating system brings it to the disk later. */
    ON("WAL on"),
    /** It is on the disk when the operation ends. */
    SYNC("WAL synced");

    private final String label;

    Log(String label) {
        this.label = label;
    }

    @Override
    public String toString() {
        return label;
    }
}
