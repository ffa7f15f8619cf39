package org.rocksdb;

/** Numbers of the library's version. */
final class Versions {

    private Versions() {
    }

    static RocksDB.Version rocksdbVersion() {
        int version = (int) Exports.ROCKS_DB_VERSION.call();
        return new RocksDB.Version((byte) (version >> 16), (byte) (version >> 8), (byte) version);
    }

    static String text(RocksDB.Version version) {
        return version.major + "." + version.minor + "." + version.patch;
    }

    static int major(RocksDB.Version version) {
        return version.major;
    }

    static int minor(RocksDB.Version version) {
        return version.minor;
    }

    static int patch(RocksDB.Version version) {
        return version.patch;
    }
}
