package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Calls that list, create, change and drop column families, and read their properties. Names and paths are C strings. */
public final class NativeFamilies extends FamilyCalls {
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

    /** Returns a property as a text; null if there is none of that name, which is a C string. */
    public static @Nullable String property(long db, long family, MemorySegment name) {
        return NativeCall.takeStringOrNull(CApi.rocksdb_property_value_cf(db, family, name));
    }

    /** Returns a property as a number; null if there is none of that name, which is a C string. */
    public static @Nullable Long intProperty(Scratch scratch, long db, long family, MemorySegment name) {
        return CApi.rocksdb_property_int_cf(db, family, name, scratch.wordAddress(1)) == 0 ? scratch.word(1) : null;
    }
}
