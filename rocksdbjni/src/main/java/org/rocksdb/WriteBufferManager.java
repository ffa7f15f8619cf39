package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeResources;
import dev.outcrop.rocksdb.engine.OptionLimits;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Limits the memory of the memtables of all databases together whose options it was given to. It is thread-safe. Native code keeps
 * its own reference, so that it may be closed before the databases are; so does it of its cache.
 */
public class WriteBufferManager extends RocksObject {

    private final long bufferSize;
    private final boolean allowStall;
    /** Who needs the native object: this one until it is closed, options, and databases. */
    private final AtomicInteger owners = new AtomicInteger(1);

    /**
     * A limit at which memtables are flushed.
     *
     * @param bufferSizeBytes the limit in bytes; 0 for none
     * @param cache           where the memory is counted too
     */
    public WriteBufferManager(long bufferSizeBytes, Cache cache) {
        this(bufferSizeBytes, cache, false);
    }

    /**
     * A limit at which memtables are flushed.
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

    /**
     * Whether writers wait while the limit is exceeded.
     *
     * @return what the constructor was given
     */
    public boolean allowStall() {
        return allowStall;
    }

    /** Memtables that nobody writes to take memory too, and writes would wait for ever for it to be given back. */
    void requireRoom() {
        if (allowStall && bufferSize != 0) {
            Ranges.check("bufferSizeBytes of a write buffer manager with allowStall", bufferSize,
                    OptionLimits.LEAST_STALLING_BYTES, Long.MAX_VALUE);
        }
    }

    /** Keeps the native object for another owner until that calls {@link #letGo}; false if nobody has it any longer. */
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

    /** Lets the writes go on that wait; called by an owner. */
    void endStall() {
        // RocksDB wakes them when waiting is no longer allowed; those that find the memory over the limit later wait again.
        NativeResources.setAllowStall(nativeHandle_, false);
        NativeResources.setAllowStall(nativeHandle_, true);
    }

    @Override
    protected void disposeInternal(long handle) {
        letGo();
    }
}
