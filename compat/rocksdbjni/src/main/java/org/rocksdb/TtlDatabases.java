package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Calls of {@code TtlDB}. Entries expire after a time in seconds; 0 or less means never. */
final class TtlDatabases {

    private TtlDatabases() {
    }

    static TtlDB open(Options options, String path) throws RocksDBException {
        return open(options, path, 0, false);
    }

    /** Opens a database. Uses a native method for reading, because C cannot open a database with TTL for reading. */
    static TtlDB open(Options options, String path, int ttl, boolean readOnly) throws RocksDBException {
        return Databases.open(options, path, access(readOnly),
                (scratch, handle) -> readOnly
                        ? JniWrappers.wrap(TtlDB.jniOpen(handle, readable(path), ttl, true))
                        : CApi.rocksdb_open_with_ttl(handle, NativeValues.text(scratch, path), ttl,
                                Errors.place(scratch)),
                handle -> new TtlDB(handle));
    }

    private static Databases.Access access(boolean readOnly) {
        return readOnly ? Databases.Access.READ : Databases.Access.WRITE;
    }

    private static String readable(String path) throws RocksDBException {
        return JniPaths.path(path, "open a TtlDB for reading");
    }

    static TtlDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles, List<Integer> ttls, boolean readOnly) throws RocksDBException {
        if (families.size() != ttls.size()) {
            throw new IllegalArgumentException("There must be a time to live for each column family");
        }
        int[] seconds = ttls.stream().mapToInt(Integer::intValue).toArray();
        Databases.JniOpener jni = (handle, names, of) -> TtlDB.jniOpenCF(handle,
                readOnly ? readable(path) : JniPaths.path(path), names, of, seconds, readOnly);
        return Databases.open(options, path, families, handles, access(readOnly),
                readOnly
                        ? null
                        : (scratch, handle, all) -> NativeOpening.openWithTtl(handle, NativeValues.text(scratch, path),
                                families.size(), all.names(), all.options(), all.handles(),
                                scratch.allocateFrom(ValueLayout.JAVA_INT, seconds).address(), Errors.place(scratch)),
                jni, handle -> new TtlDB(handle));
    }

    static ColumnFamilyHandle createColumnFamilyWithTtl(TtlDB database, ColumnFamilyDescriptor family, int ttl)
            throws RocksDBException {
        ColumnFamilyOptions options = family.getOptions();
        try (Scratch scratch = database.use();
                Scratch _ = options.use();
                CheckedOptions opening = CheckedOptions.forNewFamily(options)) {
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
}
