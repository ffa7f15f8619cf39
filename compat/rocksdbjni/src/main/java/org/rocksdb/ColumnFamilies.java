package org.rocksdb;

import static java.util.Objects.requireNonNull;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.OptionLimits;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.ToLongFunction;

/** Creates and drops column families, and changes options of open ones. */
final class ColumnFamilies {

    private ColumnFamilies() {
    }

    static ColumnFamilyHandle createColumnFamily(RocksDB database, ColumnFamilyDescriptor descriptor)
            throws RocksDBException {
        return create(database, descriptor.getOptions(), descriptor.getName());
    }

    private static ColumnFamilyHandle create(RocksDB database, ColumnFamilyOptions options, byte[] name)
            throws RocksDBException {
        try (Scratch scratch = database.use();
                Scratch _ = options.use();
                CheckedOptions opening = CheckedOptions.forNewFamily(options)) {
            // Keep them before the creation: if it fails, it may have created the family.
            database.state_.keep(options.state_);
            database.state_.limitPaths(options.state_);
            database.state_.limitIterators(opening);
            database.state_.purgeIf(OptionLimits.purges(opening.handle));
            try (ComparatorMonitor _ = database.state_.changeFiles()) {
                return database.state_.family(make(scratch, database, name,
                        text -> NativeFamilies.create(database.nativeHandle_, opening.handle, text,
                                Errors.place(scratch)),
                        (object, bytes) -> RocksDB.jniCreateColumnFamily(object, bytes, bytes.length,
                                opening.familyOptions())));
            }
        }
    }

    /** Creates a column family with a native method. */
    interface JniMaking {
        long make(long database, byte[] name) throws RocksDBException;
    }

    /**
     * Creates a family with C, or with a native method if the name has a zero byte, because C would cut the name there. Returns C's
     * structure.
     */
    static long make(Scratch scratch, RocksDB database, byte[] name, ToLongFunction<MemorySegment> making,
            JniMaking jni)
            throws RocksDBException {
        byte[] bytes = name.clone();
        if (ColumnFamilyArguments.hasZero(bytes)) {
            // Check the path, because otherwise the family could not be opened again.
            String _ = JniPaths.path(database.state_.path);
            return make(database, bytes, jni);
        }
        long family = making.applyAsLong(NativeValues.name(scratch, bytes));
        Errors.check(scratch);
        return family;
    }

    /** Creates families. As published, families before a failing one are created. */
    static List<ColumnFamilyHandle> createColumnFamilies(RocksDB database, ColumnFamilyOptions options,
            List<byte[]> names) throws RocksDBException {
        requireNonNull(options, "columnFamilyOptions");
        List<ColumnFamilyHandle> made = new ArrayList<>();
        for (byte[] name : names) {
            made.add(create(database, options, name));
        }
        return made;
    }

    static List<ColumnFamilyHandle> createColumnFamilies(RocksDB database, List<ColumnFamilyDescriptor> descriptors)
            throws RocksDBException {
        List<ColumnFamilyHandle> made = new ArrayList<>();
        for (ColumnFamilyDescriptor descriptor : descriptors) {
            made.add(createColumnFamily(database, descriptor));
        }
        return made;
    }

    private static long make(RocksDB database, byte[] name, JniMaking jni) throws RocksDBException {
        try {
            return JniWrappers.wrap(jni.make(JniWrappers.object(database.nativeHandle_), name));
        } catch (RocksDBException e) {
            throw ComparatorMonitor.explained(e);
        }
    }

    static ColumnFamilyHandle createColumnFamilyWithImport(RocksDB database, ColumnFamilyDescriptor descriptor,
            ImportColumnFamilyOptions importOptions, ExportImportFilesMetaData files) throws RocksDBException {
        return createColumnFamilyWithImport(database, descriptor, importOptions, List.of(files));
    }

    /** Imports several exports with a native method, because C takes only one. */
    static ColumnFamilyHandle createColumnFamilyWithImport(RocksDB database, ColumnFamilyDescriptor descriptor,
            ImportColumnFamilyOptions importOptions, List<ExportImportFilesMetaData> given) throws RocksDBException {
        ColumnFamilyOptions options = descriptor.getOptions();
        List<ExportImportFilesMetaData> exports = List.copyOf(given);
        List<Scratch> uses = new ArrayList<>();
        try (Scratch scratch = database.use();
                Scratch _ = options.use();
                CheckedOptions opening = CheckedOptions.forNewFamily(options);
                CallOptions call = CallOptions.of(importOptions)) {
            exports.forEach(files -> uses.add(files.use()));
            database.state_.keep(options.state_);
            database.state_.limitPaths(options.state_);
            database.state_.limitIterators(opening);
            database.state_.purgeIf(OptionLimits.purges(opening.handle));
            long[] objects = exports.stream().mapToLong(files -> JniWrappers.object(files.nativeHandle_)).toArray();
            JniMaking jni = (object, name) -> RocksDB.jniCreateColumnFamilyWithImport(object, name, name.length,
                    opening.familyOptions(), call.handle, objects);
            try (ComparatorMonitor _ = database.state_.changeFiles()) {
                return database.state_.family(exports.size() == 1
                        ? make(scratch, database, descriptor.getName(),
                                name -> NativeCheckpoints.createFamily(scratch, database.nativeHandle_,
                                        opening.handle, name, call.handle, exports.getFirst().nativeHandle_),
                                jni)
                        : make(database, descriptor.getName().clone(), jni));
            }
        } finally {
            uses.forEach(Scratch::close);
        }
    }

    static void dropColumnFamily(RocksDB database, ColumnFamilyHandle family) throws RocksDBException {
        try (Scratch scratch = database.use(); ComparatorMonitor _ = database.state_.changeFiles()) {
            long in = family.in(database);
            Databases.requireWritable(scratch, database, in);
            NativeFamilies.drop(scratch, database.nativeHandle_, in);
            Errors.check(scratch);
            family.setDropped();
        }
    }

    static void dropColumnFamilies(RocksDB database, List<ColumnFamilyHandle> families) throws RocksDBException {
        try (Scratch _ = database.use()) {
            // Drop nothing if a family belongs to another database.
            families.forEach(family -> family.in(database));
            for (ColumnFamilyHandle family : families) {
                dropColumnFamily(database, family);
            }
        }
    }

    static void destroyColumnFamilyHandle(RocksDB database, ColumnFamilyHandle family) {
        try (Scratch _ = database.use()) {
            long _ = family.in(database);
        }
        family.close();
    }

    static void setOptions(RocksDB database, ColumnFamilyHandle family, MutableColumnFamilyOptions options)
            throws RocksDBException {
        setOptions(database, family, options.keys, options.values);
    }

    private static void setOptions(RocksDB database, ColumnFamilyHandle family, String[] keys, String[] values)
            throws RocksDBException {
        try (Scratch scratch = database.use(); ComparatorMonitor _ = database.state_.changeFiles()) {
            long in = family.in(database);
            Databases.requireWritable(scratch, database, in);
            // Each check sees the changes of earlier calls.
            synchronized (database.state_.whole().changing) {
                List<String> names = Arrays.asList(keys);
                List<String> corrected = OptionChanges.corrected(database, names, Arrays.asList(values));
                OptionChanges.check(family, names, corrected);
                NativeFamilies.setOptions(scratch, database.nativeHandle_, in, keys.length,
                        NativeValues.texts(scratch, names), NativeValues.texts(scratch, corrected));
                Errors.check(scratch);
            }
        }
    }

    static void setDBOptions(RocksDB database, MutableDBOptions options) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            Databases.requireWritable(scratch, database, database.getDefaultColumnFamily().in(database));
            List<String> names = Arrays.asList(options.keys);
            List<String> corrected = OptionChanges.corrected(database, names, Arrays.asList(options.values));
            OptionChanges.check(names, corrected);
            NativeFamilies.setDatabaseOptions(scratch, database.nativeHandle_, options.keys.length,
                    NativeValues.texts(scratch, names), NativeValues.texts(scratch, corrected));
            Errors.check(scratch);
        }
    }

    /** As published, null is an empty list. */
    static void enableAutoCompaction(RocksDB database, List<ColumnFamilyHandle> families) throws RocksDBException {
        for (ColumnFamilyHandle family : families == null ? List.<ColumnFamilyHandle>of() : families) {
            setOptions(database, family, new String[]{"disable_auto_compactions"}, new String[]{"false"});
        }
    }
}
