package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** Calls that open, close and delete databases. Paths are C strings; names, options and handles are addresses of arrays. */
public final class NativeOpening {
    static {
        // A class whose initialization meets the end of the stack cannot be used again: frequent calls are not the place for it.
        for (Class<?> each : List.of(PointReads.class, PointWrites.class, NativeIterator.class, NativeStatus.class,
                CallbackFailures.class)) {
            try {
                MethodHandles.lookup().ensureInitialized(each);
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        }
    }

    private NativeOpening() {
    }

    /** Opens a database with the default column family only. */
    public static long open(long options, MemorySegment path, long error) {
        return CApi.rocksdb_open(options, path, error);
    }

    public static long open(long options, MemorySegment path, int count, long names, long familyOptions, long handles,
            long error) {
        return CApi.rocksdb_open_column_families(options, path, count, names, familyOptions, handles, error);
    }

    public static long openReadOnly(long options, MemorySegment path, int count, long names, long familyOptions,
            long handles, byte errorIfLogExists, long error) {
        return CApi.rocksdb_open_for_read_only_column_families(options, path, count, names, familyOptions, handles,
                errorIfLogExists, error);
    }

    public static long openSecondary(long options, MemorySegment path, MemorySegment secondaryPath, int count,
            long names, long familyOptions, long handles, long error) {
        return CApi.rocksdb_open_as_secondary_column_families(options, path, secondaryPath, count, names,
                familyOptions, handles, error);
    }

    public static long openWithTtl(long options, MemorySegment path, int count, long names, long familyOptions,
            long handles, long seconds, long error) {
        return CApi.rocksdb_open_column_families_with_ttl(options, path, count, names, familyOptions, handles, seconds,
                error);
    }

    /** Has a secondary instance catch up with its primary. */
    public static void catchUp(Scratch scratch, long db) {
        CApi.rocksdb_try_catch_up_with_primary(db, NativeCall.error(scratch));
    }

    public static void close(long db) {
        CApi.rocksdb_close(db);
    }

    /** Deletes the files of a closed database. */
    public static void destroy(long options, MemorySegment path, long error) {
        CApi.rocksdb_destroy_db(options, path, error);
    }
}
