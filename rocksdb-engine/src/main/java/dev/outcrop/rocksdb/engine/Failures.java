package dev.outcrop.rocksdb.engine;

import java.lang.foreign.MemorySegment;

/**
 * Makes the exceptions of an API from what RocksDB, or the engine for it, says. Each API has one, which it hands to what may fail; one
 * whose exceptions are checked throws them from here instead of returning them.
 */
public interface Failures {
    /**
     * What to throw when something has failed.
     *
     * @param message of the exception
     */
    RuntimeException of(NativeStatus status, String message);

    /** What to throw when RocksDB could not write a key, or could not lock it. */
    default RuntimeException ofKey(NativeStatus status, MemorySegment key) {
        return of(status, status.toString());
    }

    /** What to throw when something was found wrong before RocksDB was asked. */
    default RuntimeException of(int code, int subCode, String message) {
        return of(new NativeStatus(code, subCode, message), message);
    }
}
