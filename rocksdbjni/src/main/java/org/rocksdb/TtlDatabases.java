package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdbjni.Unsupported;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** Opens databases whose entries end after a time, in seconds; 0 and less is never. */
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
        try (Scratch scratch = options.use();
                OpeningOptions opening = new OpeningOptions(options);
                Scratch _ = options.parts_.getEnv().use()) {
            opening.rehearse(scratch, path, options.parts_);
            long handle = CApi.rocksdb_open_with_ttl(opening.handle, Natives.text(scratch, path), ttl,
                    Errors.place(scratch));
            Errors.check(scratch);
            return Databases.opened(new TtlDB(handle), path, options.parts_, opening);
        }
    }

    static TtlDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles, List<Integer> ttls, boolean readOnly) throws RocksDBException {
        if (families.size() != ttls.size()) {
            throw new IllegalArgumentException("There must be a time to live for each column family");
        }
        refuseReadOnly(readOnly);
        try (Scratch scratch = options.use();
                OpeningOptions opening = new OpeningOptions(options);
                Scratch _ = options.parts_.getEnv().use();
                FamilyArguments arguments = new FamilyArguments(scratch, families)) {
            MemorySegment times = scratch.allocate(Integer.BYTES * (long) Math.max(1, ttls.size()), Integer.BYTES);
            for (int i = 0; i < ttls.size(); i++) {
                times.setAtIndex(ValueLayout.JAVA_INT, i, ttls.get(i));
            }
            opening.rehearse(scratch, path, options.parts_, families, arguments);
            long handle = arguments.open(scratch,
                    () -> NativeOpening.openWithTtl(opening.handle, Natives.text(scratch, path),
                            families.size(), arguments.names(), arguments.options(), arguments.handles(),
                            times.address(),
                            Errors.place(scratch)),
                    (names, of) -> TtlDB.jniOpenCF(opening.handle, JniLibrary.path(path), names, of,
                            ttls.stream().mapToInt(Integer::intValue).toArray(), false));
            return Databases.opened(new TtlDB(handle), path, options.parts_, opening, arguments.opened(), handles,
                    families);
        }
    }

    static ColumnFamilyHandle createColumnFamilyWithTtl(TtlDB database, ColumnFamilyDescriptor family, int ttl)
            throws RocksDBException {
        ColumnFamilyOptions options = family.getOptions();
        try (Scratch scratch = database.use();
                Scratch _ = options.use();
                OpeningOptions opening = new OpeningOptions(options)) {
            database.parts_.keep(options.parts_);
            database.parts_.limitPaths(options.parts_);
            try (OrderWatch _ = database.parts_.changeFiles()) {
                return database.parts_.family(Families.make(scratch, database, family.getName(),
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
