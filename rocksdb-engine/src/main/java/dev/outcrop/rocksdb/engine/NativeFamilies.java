package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** Calls that list, make, change and drop column families. Names and paths are C strings. */
public final class NativeFamilies {
    private NativeFamilies() {
    }

    /** Lists the names of the column families in a directory; none if there is an error. */
    public static List<byte[]> names(Scratch scratch, long options, MemorySegment path) {
        scratch.setWord(1, 0);
        long names = CApi.rocksdb_list_column_families(options, path, scratch.wordAddress(1),
                NativeCall.error(scratch));
        long count = scratch.word(1);
        try {
            MemorySegment array = NativeCalls.view(names, count * Long.BYTES);
            List<byte[]> found = new ArrayList<>();
            for (long i = 0; i < count; i++) {
                found.add(NativeText.bytes(array.getAtIndex(ValueLayout.JAVA_LONG, i)));
            }
            return found;
        } finally {
            CApi.rocksdb_list_column_families_destroy(names, count);
        }
    }

    /** Makes a column family; returns its handle. */
    public static long create(long db, long options, MemorySegment name, long error) {
        return CApi.rocksdb_create_column_family(db, options, name, error);
    }

    /** Makes a column family of a database with times to live; returns its handle. */
    public static long create(Scratch scratch, long db, long options, MemorySegment name, int seconds) {
        return CApi.rocksdb_create_column_family_with_ttl(db, options, name, seconds, NativeCall.error(scratch));
    }

    /** Drops a column family; its handle stays. */
    public static void drop(Scratch scratch, long db, long family) {
        CApi.rocksdb_drop_column_family(db, family, NativeCall.error(scratch));
    }

    /** The number of a column family in its database. */
    public static int id(long family) {
        return CApi.rocksdb_column_family_handle_get_id(family);
    }

    /** Frees a handle. */
    public static void close(long family) {
        CApi.rocksdb_column_family_handle_destroy(family);
    }

    /** Changes options of an open column family; names and values are addresses of arrays. */
    public static void setOptions(Scratch scratch, long db, long family, int count, long names, long values) {
        CApi.rocksdb_set_options_cf(db, family, count, names, values, NativeCall.error(scratch));
    }

    /** Changes options of an open database; names and values are addresses of arrays. */
    public static void setDatabaseOptions(Scratch scratch, long db, int count, long names, long values) {
        CApi.rocksdb_set_db_options(db, count, names, values, NativeCall.error(scratch));
    }
}
