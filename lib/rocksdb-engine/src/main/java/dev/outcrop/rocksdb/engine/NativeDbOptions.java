package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import org.jspecify.annotations.Nullable;

/** Calls of options of a database and of a column family in one. */
public final class NativeDbOptions extends OptionsCalls {
    private NativeDbOptions() {
    }

    /** The stored options of a database. The caller closes them. */
    public record Stored(long database, long count, long names, long families) implements AutoCloseable {
        /** Returns the name of a column family. */
        public byte[] name(long index) {
            return NativeText.bytes(word(names, index));
        }

        /** Returns the options of a column family. */
        public long family(long index) {
            return word(families, index);
        }

        private long word(long array, long index) {
            return NativeCalls.view(array, count * Long.BYTES).getAtIndex(ValueLayout.JAVA_LONG, index);
        }

        @Override
        public void close() {
            CApi.rocksdb_load_latest_options_destroy(database, names, families, count);
        }
    }

    /**
     * Loads the latest stored options of a database.
     *
     * @param path          a C string
     * @param ignoreUnknown whether to skip options that this RocksDB does not know
     * @param cache         for the blocks of all column families; 0 for none
     * @return null if there is an error
     */
    public static @Nullable Stored loadLatest(Scratch scratch, MemorySegment path, long env, boolean ignoreUnknown,
            long cache) {
        CApi.rocksdb_load_latest_options(path, env, ignoreUnknown, cache, scratch.wordAddress(1),
                scratch.wordAddress(2), scratch.wordAddress(3), scratch.wordAddress(4), NativeCall.error(scratch));
        return scratch.word(NativeCall.ERROR) != 0
                ? null
                : new Stored(scratch.word(1), scratch.word(2), scratch.word(3), scratch.word(4));
    }
}
