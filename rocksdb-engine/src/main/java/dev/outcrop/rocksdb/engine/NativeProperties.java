package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Reads the properties of a column family. Names are C strings. */
public final class NativeProperties {
    private NativeProperties() {
    }

    /** A property as a text; null if there is none of that name. */
    public static @Nullable String text(long db, long family, MemorySegment name) {
        return NativeCall.takeStringOrNull(CApi.rocksdb_property_value_cf(db, family, name));
    }

    /** A property as a number; null if there is none of that name. */
    public static @Nullable Long number(Scratch scratch, long db, long family, MemorySegment name) {
        return CApi.rocksdb_property_int_cf(db, family, name, scratch.wordAddress(1)) == 0 ? scratch.word(1) : null;
    }
}
