package org.rocksdb;

/** The env of the system, outside of the class {@link Env}, which its subclass would have to wait for. */
final class Environments {

    private static Env system;

    private Environments() {
    }

    /** Not made in an initializer: if the library cannot be loaded, each call is to say why. */
    static synchronized Env system() {
        if (system == null) {
            Env made = new RocksEnv(Exports.ENV_GET_DEFAULT_ENV_INTERNAL.call());
            made.disOwnNativeHandle();
            system = made;
        }
        return system;
    }

    /** Of the database's options: that of the system, or the object that they were given. */
    static Env getEnv(RocksDB database) {
        try (dev.outcrop.memory.Scratch _ = database.use()) {
            return database.parts_.env();
        }
    }
}
