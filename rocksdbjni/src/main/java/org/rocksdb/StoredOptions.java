package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Options that RocksDB has read from a file of a directory. */
final class StoredOptions implements AutoCloseable {

    private static final int ENV = 1;
    private static final int DATABASE = 3;
    private static final int COUNT = 4;
    private static final int NAMES = 5;
    private static final int FAMILIES = 6;

    private final long database;
    private final long count;
    private final long names;
    private final long families;

    /** Those of the latest file of options in a directory. */
    StoredOptions(String directory, Env env, boolean ignoreUnknown) throws RocksDBException {
        try (Scratch scratch = Scratch.open(); Scratch _ = env.use()) {
            // A rocksdb_env_t is a structure of the env's address and a flag.
            scratch.setWord(ENV, env.nativeHandle_);
            scratch.setWord(ENV + 1, 0);
            CApi.rocksdb_load_latest_options(scratch.allocateFrom(directory), scratch.wordAddress(ENV), ignoreUnknown,
                    0, scratch.wordAddress(DATABASE), scratch.wordAddress(COUNT), scratch.wordAddress(NAMES),
                    scratch.wordAddress(FAMILIES), Errors.place(scratch));
            Errors.check(scratch);
            database = scratch.word(DATABASE);
            count = scratch.word(COUNT);
            names = scratch.word(NAMES);
            families = scratch.word(FAMILIES);
        }
    }

    /** Gives the options to objects; the families are added to the list, with the tables of the same file. */
    void copyTo(DBOptions options, List<ColumnFamilyDescriptor> descriptors, StoredTables tables)
            throws RocksDBException {
        copy(database, options, options.parts_);
        MemorySegment name = NativeCalls.view(names, count * Long.BYTES);
        for (int i = 0; i < count; i++) {
            byte[] bytes = NativeCalls.view(name.getAtIndex(ValueLayout.JAVA_LONG, i), Long.MAX_VALUE).getString(0)
                    .getBytes(StandardCharsets.UTF_8);
            ColumnFamilyOptions family = new ColumnFamilyOptions();
            copyFamily(i, family, tables);
            family.parts_.setLoadedTable(tables.config(i));
            descriptors.add(new ColumnFamilyDescriptor(bytes, family));
        }
    }

    /** The native options of a family; 0 if there are none. */
    long family(String name) {
        MemorySegment all = NativeCalls.view(names, count * Long.BYTES);
        for (int i = 0; i < count; i++) {
            if (NativeCalls.view(all.getAtIndex(ValueLayout.JAVA_LONG, i), Long.MAX_VALUE).getString(0).equals(name)) {
                return NativeCalls.view(families, count * Long.BYTES).getAtIndex(ValueLayout.JAVA_LONG, i);
            }
        }
        return 0;
    }

    void copyFamily(int index, ColumnFamilyOptions options, StoredTables tables) throws RocksDBException {
        copy(NativeCalls.view(families, count * Long.BYTES).getAtIndex(ValueLayout.JAVA_LONG, index), options,
                options.parts_);
        options.parts_.markLoaded();
        options.parts_.setLoadedPrefixes(tables.prefixes(index));
    }

    void copyDatabase(DBOptions options) throws RocksDBException {
        copy(database, options, options.parts_);
    }

    /** An empty text changes nothing of the options that it is read on top of. */
    private static void copy(long from, RocksObject to, OptionParts parts) throws RocksDBException {
        try (Scratch scratch = to.use()) {
            synchronized (parts) {
                CApi.rocksdb_get_options_from_string(from, scratch.allocateFrom(""), to.nativeHandle_,
                        Errors.place(scratch));
            }
            Errors.check(scratch);
        }
    }

    @Override
    public void close() {
        CApi.rocksdb_load_latest_options_destroy(database, names, families, count);
    }
}
