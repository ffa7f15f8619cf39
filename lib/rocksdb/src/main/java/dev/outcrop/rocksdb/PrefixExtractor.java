package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;

/**
 * Says which first part of a key is its prefix, for RocksDB's prefix filters and prefix iteration, where a fixed length does not
 * do; {@link SliceTransform#of(PrefixExtractor)} takes it. It is called from any thread, from several at the same time, about once for each
 * key that is written or looked up.
 *
 * <p>The same key must always have the same prefix, and keys with the same prefix must be neighbours in the order of the keys.
 *
 * <p>The segment is read-only, and usable only by the calling thread until the method returns; afterwards it throws. An extractor must
 * not throw. If it does, the key counts as one without a prefix, because RocksDB knows no way to fail; the exception is logged, and
 * thrown to the caller of the method that led to the call, if there is one. The key may then be missing in a filter, so that
 * reading may not find it.
 *
 * <p>An extractor must not use the databases that it belongs to, not even read them, nor objects that belong to them, such as an iterator:
 * that throws {@link IllegalStateException}. Other databases can be read and written, but their flushes and compactions cannot be waited
 * for. An extractor that waits for another thread that does any of this may deadlock.
 */
public interface PrefixExtractor {
    /**
     * Its name. RocksDB stores it with the files that it writes; where it finds another one it does not use their filters.
     *
     * @return always the same
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
