package dev.outcrop.rocksdb;

/**
 * A Java object that RocksDB may call. Kept by options, and with them by open databases, so that these know which callbacks are theirs.
 *
 * @param object the user's object
 */
record CalledObject(Object object) {
}
