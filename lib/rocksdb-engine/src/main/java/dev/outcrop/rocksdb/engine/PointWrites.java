package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.util.Objects;

/** Writes of one key. They leave RocksDB's status in the scratch memory. */
public final class PointWrites {
    /** A C function that takes a key and a value, or two keys. */
    public interface TwoArguments {
        void call(long db, long options, long family, MemorySegment first, long firstLength, MemorySegment second,
                long secondLength, long error);
    }

    /** A C function that takes one key. */
    public interface OneArgument {
        void call(long db, long options, long family, MemorySegment key, long keyLength, long error);
    }

    public static final TwoArguments PUT = CApi::rocksdb_put_cf;
    public static final TwoArguments MERGE = CApi::rocksdb_merge_cf;
    public static final TwoArguments DELETE_RANGE = CApi::rocksdb_delete_range_cf;
    public static final OneArgument DELETE = CApi::rocksdb_delete_cf;
    public static final OneArgument SINGLE_DELETE = CApi::rocksdb_singledelete_cf;
    /** Writes to a database with transactions that lock their keys. These writes lock their keys, too. */
    public static final TwoArguments LOCKING_PUT = CApi::rocksdb_transactiondb_put_cf;
    public static final TwoArguments LOCKING_MERGE = CApi::rocksdb_transactiondb_merge_cf;
    public static final OneArgument LOCKING_DELETE = CApi::rocksdb_transactiondb_delete_cf;

    private PointWrites() {
    }

    public static void write(Scratch scratch, TwoArguments function, long db, long options, long family,
            MemorySegment first, MemorySegment second) {
        long error = NativeCall.error(scratch);
        if (NativeCall.fits(scratch, first.byteSize() + second.byteSize())) {
            MemorySegment a = NativeCall.key(scratch, first);
            MemorySegment b = NativeCall.in(scratch, second);
            function.call(db, options, family, a, first.byteSize(), b, second.byteSize(), error);
        }
    }

    /** Writes parts of arrays, without an object for each of them. */
    public static void write(Scratch scratch, TwoArguments function, long db, long options, long family, byte[] first,
            int firstOffset, int firstLength, byte[] second, int secondOffset, int secondLength) {
        Objects.checkFromIndexSize(firstOffset, firstLength, first.length);
        Objects.checkFromIndexSize(secondOffset, secondLength, second.length);
        long error = NativeCall.error(scratch);
        if (NativeCall.fits(scratch, (long) firstLength + secondLength)) {
            MemorySegment a = NativeCall.key(scratch, first, firstOffset, firstLength);
            MemorySegment b = NativeCall.value(scratch, second, secondOffset, secondLength);
            function.call(db, options, family, a, firstLength, b, secondLength, error);
        }
    }

    public static void write(Scratch scratch, OneArgument function, long db, long options, long family,
            MemorySegment key) {
        long error = NativeCall.error(scratch);
        if (NativeCall.fits(scratch, key.byteSize())) {
            MemorySegment a = NativeCall.key(scratch, key);
            function.call(db, options, family, a, key.byteSize(), error);
        }
    }

    /** Writes a part of an array. */
    public static void write(Scratch scratch, OneArgument function, long db, long options, long family, byte[] key,
            int offset, int length) {
        Objects.checkFromIndexSize(offset, length, key.length);
        long error = NativeCall.error(scratch);
        if (NativeCall.fits(scratch, length)) {
            MemorySegment a = NativeCall.key(scratch, key, offset, length);
            function.call(db, options, family, a, length, error);
        }
    }
}
