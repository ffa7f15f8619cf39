package dev.outcrop.rocksdb.engine.callbacks;

/**
 * A Java object that RocksDB may call. Kept by options, and with them by open databases, so that these know which callbacks are theirs.
 *
 * @param object the user's object
 */
public record CalledObject(Object object) {
}
