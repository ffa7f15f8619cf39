package org.rocksdb;

import dev.outcrop.memory.Scratch;

/**
 * An env whose files are in memory, and gone with it. The native one lives until this object and all databases that were opened with it are
 * closed.
 */
public class RocksMemEnv extends Env {

    private final Env base;

    /**
     * Makes an env on top of another one.
     *
     * @param baseEnv what does the rest; it lives as long as this one, even if it is closed before
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
