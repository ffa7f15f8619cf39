package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeResources;
import dev.outcrop.rocksdb.engine.OptionLimits;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A limit for the memory of memtables. All databases with this manager in their options share the limit. Thread-safe. Native code has its
 * own reference, so the manager may be closed before the databases. The same is true for its cache.
 */
public class WriteBufferManager extends RocksObject {

    private final long bufferSize;
    private final boolean allowStall;
    /** The number of users of the native object: this object until it is closed, options, and databases. */
    private final AtomicInteger owners = new AtomicInteger(1);

    /**
     * Makes a limit at which memtables are flushed.
     *
     * @param bufferSizeBytes the limit in bytes; 0 for none
     * @param cache           where the memory is counted too
     */
    public WriteBufferManager(long bufferSizeBytes, Cache cache) {
        this(bufferSizeBytes, cache, false);
    }

    /**
     * Makes a limit at which memtables are flushed.
     *
     * @param bufferSizeBytes the limit in bytes; 0 for none
     * @param cache           where the memory is counted too
     * @param allowStall      whether writers wait while the limit is exceeded
     */
    public WriteBufferManager(long bufferSizeBytes, Cache cache, boolean allowStall) {
        super(make(bufferSizeBytes, cache, allowStall));
        this.bufferSize = bufferSizeBytes;
        this.allowStall = allowStall;
    }

    private static long make(long bytes, Cache cache, boolean allowStall) {
        try (Scratch _ = cache.use()) {
            return NativeResources.newWriteBufferManager(bytes, cache.nativeHandle_, allowStall);
        }
    }

    /** {@return whether writers wait while the limit is exceeded} */
    public boolean allowStall() {
        return allowStall;
    }

    /** Checks that there is room for idle memtables. Otherwise writes would wait without end for their memory. */
    void requireRoom() {
        if (allowStall && bufferSize > 0) {
            OptionChecks.check("bufferSizeBytes of a write buffer manager with allowStall", bufferSize,
                    OptionLimits.LEAST_STALLING_BYTES, Long.MAX_VALUE);
        }
    }

    /** Keeps the native object for a user until the user calls {@link #letGo}. Returns false if it was freed. */
    boolean keep() {
        int before;
        do {
            before = owners.get();
            if (before == 0) {
                return false;
            }
        } while (!owners.compareAndSet(before, before + 1));
        return true;
    }

    void letGo() {
        if (owners.decrementAndGet() == 0) {
            NativeResources.destroyWriteBufferManager(nativeHandle_);
        }
    }

    /** Ends the waits of writes. Called by a user. */
    void endStall() {
        // RocksDB wakes waiting writes when stalls are disallowed. Later writes over the limit wait again.
        NativeResources.setAllowStall(nativeHandle_, false);
        NativeResources.setAllowStall(nativeHandle_, true);
    }

    @Override
    protected void disposeInternal(long handle) {
        letGo();
    }
}
