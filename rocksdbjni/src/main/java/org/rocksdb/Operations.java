package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeLog;

/** Calls of a database besides reads and writes of a key. */
final class Operations {

    private Operations() {
    }

    static long getLatestSequenceNumber(RocksDB database) {
        try (Scratch _ = database.use()) {
            return NativeLog.latestSequenceNumber(database.nativeHandle_);
        }
    }

    static String getName(RocksDB database) {
        try (Scratch _ = database.use()) {
            return database.parts_.path;
        }
    }
}
