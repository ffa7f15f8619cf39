package org.rocksdb;

/** The env of the system, outside of the class {@link Env}, which its subclass would have to wait for. */
final class Environments {

    static final Env DEFAULT = new RocksEnv(Exports.ENV_GET_DEFAULT_ENV_INTERNAL.call());

    static {
        DEFAULT.disOwnNativeHandle();
    }

    private Environments() {
    }

    /** Of the database's options: that of the system, or the object that they were given. */
    static Env getEnv(RocksDB database) {
        try (dev.outcrop.memory.Scratch _ = database.use()) {
            return database.parts_.env();
        }
    }
}
