package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdbjni.Unsupported;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Calls of {@code TtlDB}. Entries expire after a time in seconds; 0 and less means never. */
final class TtlDatabases {

    private TtlDatabases() {
    }

    static TtlDB open(Options options, String path) throws RocksDBException {
        return open(options, path, 0);
    }

    static TtlDB open(Options options, String path, int ttl, boolean readOnly) throws RocksDBException {
        refuseReadOnly(readOnly);
        return open(options, path, ttl);
    }

    private static TtlDB open(Options options, String path, int ttl) throws RocksDBException {
        return Databases.open(options, path, Databases.Access.WRITE,
                (scratch, handle) -> CApi.rocksdb_open_with_ttl(handle, NativeValues.text(scratch, path), ttl,
                        Errors.place(scratch)),
                handle -> new TtlDB(handle));
    }

    static TtlDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles, List<Integer> ttls, boolean readOnly) throws RocksDBException {
        if (families.size() != ttls.size()) {
            throw new IllegalArgumentException("There must be a time to live for each column family");
        }
        refuseReadOnly(readOnly);
        int[] seconds = ttls.stream().mapToInt(Integer::intValue).toArray();
        return Databases.open(options, path, families, handles, Databases.Access.WRITE,
                (scratch, handle, all) -> NativeOpening.openWithTtl(handle, NativeValues.text(scratch, path),
                        families.size(), all.names(), all.options(), all.handles(),
                        scratch.allocateFrom(ValueLayout.JAVA_INT, seconds).address(), Errors.place(scratch)),
                (handle, names, of) -> TtlDB.jniOpenCF(handle, JniLibrary.path(path), names, of, seconds, false),
                handle -> new TtlDB(handle));
    }

    static ColumnFamilyHandle createColumnFamilyWithTtl(TtlDB database, ColumnFamilyDescriptor family, int ttl)
            throws RocksDBException {
        ColumnFamilyOptions options = family.getOptions();
        try (Scratch scratch = database.use();
                Scratch _ = options.use();
                CheckedOptions opening = new CheckedOptions(options)) {
            database.state_.keep(options.state_);
            database.state_.limitPaths(options.state_);
            database.state_.purgeIf(OptionLimits.purges(opening.handle));
            try (ComparatorMonitor _ = database.state_.changeFiles()) {
                return database.state_.family(ColumnFamilies.make(scratch, database, family.getName(),
                        name -> NativeFamilies.create(scratch, database.nativeHandle_, opening.handle, name, ttl),
                        (object, name) -> TtlDB.jniCreateColumnFamilyWithTtl(object, name, opening.familyOptions(),
                                ttl)));
            }
        }
    }

    private static void refuseReadOnly(boolean readOnly) {
        if (readOnly) {
            throw Unsupported.method("TtlDB.open(..., readOnly = true)");
        }
    }
}
