package org.rocksdb;

/** Whether RocksDB looks for conflicts of a write in a transaction. */
enum Tracking {
    /** It does. */
    TRACKED,
    /** It only locks the key, if the transaction is one that locks. */
    UNTRACKED,
    /** It did so for the key before. */
    ASSUMED;

    static Tracking of(boolean assumeTracked) {
        return assumeTracked ? ASSUMED : TRACKED;
    }
}
