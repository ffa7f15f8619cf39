package org.rocksdb;

import dev.outcrop.memory.Scratch;

/**
 * An env with files in memory, which end with it. The native one lives until this object and all databases that were opened with it are
 * closed.
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
            long made = Exports.ROCKS_MEM_ENV_CREATE_MEM_ENV.call(base.nativeHandle_);
            base.lease(entered);
            return made;
        }
    }

    @Override
    protected final void disposeInternal(long handle) {
        Exports.ROCKS_MEM_ENV_DISPOSE_INTERNAL_JNI.call(handle);
        base.release();
    }
}
