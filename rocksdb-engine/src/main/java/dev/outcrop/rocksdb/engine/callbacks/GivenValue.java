package dev.outcrop.rocksdb.engine.callbacks;

import dev.outcrop.memory.NativeCalls;
import java.util.function.LongUnaryOperator;

/** The memory of a value that is given to RocksDB, which frees it. */
public final class GivenValue implements LongUnaryOperator {
    private long address;

    /** Allocates; called once. */
    @Override
    public long applyAsLong(long size) {
        address = CMemory.allocate(size);
        return address;
    }

    /** Hands it over: returns its address, and stores its length where RocksDB looks for it. */
    public long give(long size, long length) {
        NativeCalls.writeLong(length, size);
        return address;
    }

    /** Frees it, if it was allocated; returns NULL. */
    public long drop() {
        if (address != 0) {
            CMemory.free(address);
            address = 0;
        }
        return 0;
    }
}
