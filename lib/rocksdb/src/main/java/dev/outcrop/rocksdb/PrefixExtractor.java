package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;

/**
 * Defines which first part of a key is its prefix, for RocksDB's prefix filters and prefix iteration, where a fixed length is not enough.
 * Pass it to {@link SliceTransform#of(PrefixExtractor)}. RocksDB calls it from any thread, from several at the same time, about once for
 * each key that is written or looked up.
 *
 * <p>The same key must always have the same prefix, and keys with the same prefix must be neighbours in the order of the keys.
 *
 * <p>The segment is read-only, and usable only by the calling thread until the method returns; afterwards it throws. An extractor must not
 * throw. If it does, the key counts as a key without a prefix, because RocksDB has no way to report the failure. The exception is logged,
 * and the method that led to the call throws it, if there is one. The key may then be missing in a filter, so reads may not find it.
 *
 * <p>An extractor must not use the databases that it belongs to, not even to read, nor their objects, such as an iterator: that throws
 * {@link IllegalStateException}. It can read and write other databases, but cannot wait for their flushes and compactions. An extractor
 * that waits for another thread that does any of this may deadlock.
 */
public interface PrefixExtractor {
    /**
     * Returns the name. RocksDB stores the name with the files that it writes, and does not use the filters of files with another name.
     *
     * @return the name, always the same
     */
    String name();

    /**
     * Returns the length of the prefix of a key.
     *
     * @param key the key
     * @return from 0 to the key's length in bytes, or a negative number if the key has no prefix
     */
    long prefixLength(MemorySegment key);
}
