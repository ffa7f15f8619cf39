package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** Calls of a {@code rocksdb_iterator_t}. Words for lengths and errors are passed by address. Each iterator has its own words. */
public final class NativeIterator {
    private NativeIterator() {
    }

    /** Makes an iterator. The result is never 0, but the iterator may have failed, see {@link #error}. */
    public static long create(long db, long options, long family) {
        return CApi.rocksdb_create_iterator_cf(db, options, family);
    }

    /** Makes iterators that see the same state of the database. */
    public static void createAll(long db, long options, long families, long iterators, long count, long error) {
        CApi.rocksdb_create_iterators(db, options, families, iterators, count, error);
    }

    public static void destroy(long iterator) {
        CApi.rocksdb_iter_destroy(iterator);
    }

    public static boolean isValid(long iterator) {
        return CApi.rocksdb_iter_valid(iterator) != 0;
    }

    public static void seekToFirst(long iterator) {
        CApi.rocksdb_iter_seek_to_first(iterator);
    }

    public static void seekToLast(long iterator) {
        CApi.rocksdb_iter_seek_to_last(iterator);
    }

    public static void seek(long iterator, MemorySegment key, long keyLength) {
        CApi.rocksdb_iter_seek(iterator, key, keyLength);
    }

    public static void seekForPrev(long iterator, MemorySegment key, long keyLength) {
        CApi.rocksdb_iter_seek_for_prev(iterator, key, keyLength);
    }

    public static void next(long iterator) {
        CApi.rocksdb_iter_next(iterator);
    }

    public static void prev(long iterator) {
        CApi.rocksdb_iter_prev(iterator);
    }

    /** Returns the address of the key, and writes its length to the word. */
    public static long key(long iterator, long lengthWord) {
        return CApi.rocksdb_iter_key(iterator, lengthWord);
    }

    /** Returns the address of the value, and writes its length to the word. */
    public static long value(long iterator, long lengthWord) {
        return CApi.rocksdb_iter_value(iterator, lengthWord);
    }

    /** Returns the address of the timestamp, and writes its length to the word. */
    public static long timestamp(long iterator, long lengthWord) {
        return CApi.rocksdb_iter_timestamp(iterator, lengthWord);
    }

    /** Writes why the iterator has failed, if it has. */
    public static void error(long iterator, long error) {
        CApi.rocksdb_iter_get_error(iterator, error);
    }

    public static void refresh(long iterator, long error) {
        CApi.rocksdb_iter_refresh(iterator, error);
    }
}
