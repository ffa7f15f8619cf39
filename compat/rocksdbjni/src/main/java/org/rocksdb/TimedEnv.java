package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.NativeMethods;

/**
 * An env that measures the calls of another env, for {@link PerfContext}. The native env lives until this object and all databases that
 * were opened with it are closed.
 */
public class TimedEnv extends Env {

    private final Env base;

    /**
     * Makes an env on top of another one.
     *
     * @param baseEnv the env for all other calls; its native object lives as long as this one
     */
    public TimedEnv(Env baseEnv) {
        super(make(baseEnv));
        base = baseEnv;
    }

    private static long make(Env base) {
        try (Scratch entered = base.use()) {
            long made = jniCreateTimedEnv(base.nativeHandle_);
            base.lease(entered);
            return made;
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        jniDisposeInternalJni(handle);
        base.release();
    }

    private static long jniCreateTimedEnv(long baseEnv) {
        NativeMethods.require("Java_org_rocksdb_TimedEnv_createTimedEnv");
        return createTimedEnv(baseEnv);
    }

    private static native long createTimedEnv(long baseEnv);

    private static void jniDisposeInternalJni(long handle) {
        NativeMethods.require("Java_org_rocksdb_TimedEnv_disposeInternalJni");
        disposeInternalJni(handle);
    }

    private static native void disposeInternalJni(long handle);
}
