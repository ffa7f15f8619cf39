package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;

/** Receives the entries of a scan, one after the other. */
@FunctionalInterface
public interface ScanVisitor {
    /**
     * Receives one entry. Both segments are RocksDB's own memory: valid until this method returns, and only in this thread.
     *
     * @param key   the key's bytes
     * @param value the value's bytes
     * @return false to end the scan
     */
    boolean visit(MemorySegment key, MemorySegment value);
}
