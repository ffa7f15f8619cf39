package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.NativeCalls;
import java.util.function.LongUnaryOperator;

/** A value for RocksDB. RocksDB frees its memory. */
public final class AllocatedValue implements LongUnaryOperator {
    private long address;

    /** Allocates the memory. Called once. */
    @Override
    public long applyAsLong(long size) {
        address = NativeHeap.allocate(size);
        return address;
    }

    /** Hands the value over: returns its address, and stores its length at an address for RocksDB. */
    public long give(long size, long length) {
        NativeCalls.writeLong(length, size);
        return address;
    }

    /** Frees the value, if it was allocated; returns NULL. */
    public long drop() {
        if (address != 0) {
            NativeHeap.free(address);
            address = 0;
        }
        return 0;
    }
}
