package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import java.util.List;

/** Options that RocksDB has read from the latest options file of a directory. */
final class StoredOptions implements AutoCloseable {

    private static final int ENV = 5;

    private final NativeDbOptions.Stored stored;

    /** Reads the latest options file of a directory. */
    StoredOptions(String directory, Env env, boolean ignoreUnknown) throws RocksDBException {
        try (Scratch scratch = Scratch.open(); Scratch _ = env.use()) {
            // A rocksdb_env_t is a structure with the env's address and a flag.
            scratch.setWord(ENV, env.nativeHandle_);
            scratch.setWord(ENV + 1, 0);
            stored = NativeDbOptions.loadLatest(scratch, NativeValues.text(scratch, directory),
                    scratch.wordAddress(ENV),
                    ignoreUnknown, 0);
            Errors.check(scratch);
        }
    }

    /** Copies the options to objects, and adds the families to a list, with the tables of the same file. */
    void copyTo(DBOptions options, List<ColumnFamilyDescriptor> descriptors, StoredTableFormats tables)
            throws RocksDBException {
        copy(stored.database(), options, options.state_);
        for (int i = 0; i < stored.count(); i++) {
            ColumnFamilyOptions family = new ColumnFamilyOptions();
            copyFamily(i, family, tables);
            family.state_.setLoadedTable(tables.config(i));
            descriptors.add(new ColumnFamilyDescriptor(name(i, tables), family));
        }
    }

    private byte[] name(int index, StoredTableFormats tables) {
        return tables.name(index, stored.name(index));
    }

    void copyFamily(int index, ColumnFamilyOptions options, StoredTableFormats tables) throws RocksDBException {
        copy(stored.family(index), options, options.state_);
        options.state_.setLoadedPrefixes(tables.prefixes(index));
        options.state_.setLoadedWidths(tables.mergeWidths(index));
    }

    void copyDatabase(DBOptions options) throws RocksDBException {
        copy(stored.database(), options, options.state_);
    }

    /** Copies options by reading an empty text on top of them. */
    private static void copy(long from, RocksObject to, OptionsState state) throws RocksDBException {
        try (Scratch scratch = to.use()) {
            synchronized (state) {
                NativeDbOptions.parse(from, NativeValues.text(scratch, ""), to.nativeHandle_,
                        Errors.place(scratch));
            }
            Errors.check(scratch);
        }
    }

    @Override
    public void close() {
        stored.close();
    }
}
