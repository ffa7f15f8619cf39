package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.NativeMethods;

/**
 * An env with files in memory. The files end with the env. The native env lives until this object and all databases that were opened with
 * it are closed.
 */
public class RocksMemEnv extends Env {

    private final Env base;

    /**
     * Makes an env on top of another one.
     *
     * @param baseEnv the env for all other calls; its native object lives as long as this one
     */
    public RocksMemEnv(Env baseEnv) {
        super(make(baseEnv));
        base = baseEnv;
    }

    private static long make(Env base) {
        try (Scratch entered = base.use()) {
            long made = jniCreateMemEnv(base.nativeHandle_);
            base.lease(entered);
            return made;
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        jniDisposeInternalJni(handle);
        base.release();
    }

    private static long jniCreateMemEnv(long baseEnv) {
        NativeMethods.require("Java_org_rocksdb_RocksMemEnv_createMemEnv");
        return createMemEnv(baseEnv);
    }

    private static native long createMemEnv(long baseEnv);

    private static void jniDisposeInternalJni(long handle) {
        NativeMethods.require("Java_org_rocksdb_RocksMemEnv_disposeInternalJni");
        disposeInternalJni(handle);
    }

    private static native void disposeInternalJni(long handle);
}
