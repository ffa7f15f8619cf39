package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.util.Objects;

/** Limits the compactions that run at once in all column families with this limiter in their options. */
public class ConcurrentTaskLimiterImpl extends ConcurrentTaskLimiter {

    /**
     * Makes a limiter.
     *
     * @param name               a name for RocksDB's log
     * @param maxOutstandingTask the most compactions at once: 0 lets none run, and any negative number lets all run
     */
    public ConcurrentTaskLimiterImpl(String name, int maxOutstandingTask) {
        super(make(Objects.requireNonNull(name, "name"), maxOutstandingTask));
    }

    private static long make(String name, int most) {
        NativeMethods.require("Java_org_rocksdb_ConcurrentTaskLimiterImpl_newConcurrentTaskLimiterImpl0");
        return newConcurrentTaskLimiterImpl0(name, most);
    }

    @Override
    public String name() {
        try (Scratch _ = use()) {
            return name(nativeHandle_);
        }
    }

    @Override
    public ConcurrentTaskLimiter setMaxOutstandingTask(int maxOutstandingTask) {
        try (Scratch _ = use()) {
            setMaxOutstandingTask(nativeHandle_, maxOutstandingTask);
        }
        return this;
    }

    @Override
    public ConcurrentTaskLimiter resetMaxOutstandingTask() {
        try (Scratch _ = use()) {
            resetMaxOutstandingTask(nativeHandle_);
        }
        return this;
    }

    @Override
    public int outstandingTask() {
        try (Scratch _ = use()) {
            return outstandingTask(nativeHandle_);
        }
    }

    /** Frees the object. Options and databases that have the limiter keep it alive. */
    @Override
    protected final void disposeInternal(long handle) {
        disposeInternalJni(handle);
    }

    private static native long newConcurrentTaskLimiterImpl0(String name, int maxOutstandingTask);

    private static native String name(long handle);

    private static native void setMaxOutstandingTask(long handle, int maxOutstandingTask);

    private static native void resetMaxOutstandingTask(long handle);

    private static native int outstandingTask(long handle);

    private static native void disposeInternalJni(long handle);
}
