package org.rocksdb;

import dev.outcrop.memory.Headroom;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.NativeTransactionDatabase;
import dev.outcrop.rocksdb.engine.NativeWork;
import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.List;

/** Opens and closes databases. */
final class Databases {

    private Databases() {
    }

    static void loadLibrary() {
        NativeCall.requireLibrary();
    }

    static RocksDB open(String path) throws RocksDBException {
        try (Options options = new Options()) {
            return open(options.setCreateIfMissing(true), path);
        }
    }

    static RocksDB open(Options options, String path) throws RocksDBException {
        try (Scratch scratch = options.use();
                OpeningOptions opening = new OpeningOptions(options);
                Scratch _ = options.parts_.getEnv().use()) {
            opening.rehearse(scratch, path, options.parts_);
            long database = NativeOpening.open(opening.handle, Natives.text(scratch, path), Errors.place(scratch));
            Errors.check(scratch);
            RocksDB made = new RocksDB(database);
            if (opening.haveSkipLists() && !opening.limitMemory()) {
                made.parts_.useIteratorsAgain();
            }
            return opened(made, path, options.parts_, opening);
        }
    }

    static RocksDB openReadOnly(String path) throws RocksDBException {
        try (Options options = new Options()) {
            return openReadOnly(options, path, false);
        }
    }

    static RocksDB openReadOnly(Options options, String path, boolean errorIfWalFileExists) throws RocksDBException {
        try (Scratch scratch = options.use();
                OpeningOptions opening = OpeningOptions.forReading(options, path);
                Scratch _ = options.parts_.getEnv().use()) {
            long database = CApi.rocksdb_open_for_read_only(opening.handle, Natives.text(scratch, path),
                    Natives.flag(errorIfWalFileExists), Errors.place(scratch));
            Errors.check(scratch);
            return readOnly(opened(new RocksDB(database), path, options.parts_, opening));
        }
    }

    static RocksDB open(String path, List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        try (DBOptions options = new DBOptions()) {
            return open(options, path, families, handles);
        }
    }

    static RocksDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        try (Scratch scratch = options.use();
                OpeningOptions opening = new OpeningOptions(options);
                Scratch _ = options.parts_.getEnv().use();
                FamilyArguments arguments = new FamilyArguments(scratch, families)) {
            opening.rehearse(scratch, path, options.parts_, families, arguments);
            long database = arguments.open(scratch,
                    () -> NativeOpening.open(opening.handle, Natives.text(scratch, path),
                            families.size(),
                            arguments.names(), arguments.options(), arguments.handles(), Errors.place(scratch)),
                    (names, of) -> RocksDB.jniOpen(opening.handle, JniLibrary.path(path), names, of));
            RocksDB made = new RocksDB(database);
            if (arguments.haveSkipLists() && !opening.limitMemory()) {
                made.parts_.useIteratorsAgain();
            }
            return opened(made, path, options.parts_, opening, arguments.opened(), handles, families);
        }
    }

    static RocksDB openReadOnly(String path, List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        try (DBOptions options = new DBOptions()) {
            return openReadOnly(options, path, families, handles, false);
        }
    }

    static RocksDB openReadOnly(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles, boolean errorIfWalFileExists) throws RocksDBException {
        try (Scratch scratch = options.use();
                OpeningOptions opening = OpeningOptions.forReading(options, path);
                Scratch _ = options.parts_.getEnv().use();
                FamilyArguments arguments = new FamilyArguments(scratch, families)) {
            long database = arguments.open(scratch,
                    () -> NativeOpening.openReadOnly(opening.handle, Natives.text(scratch, path),
                            families.size(), arguments.names(), arguments.options(), arguments.handles(),
                            errorIfWalFileExists, Errors.place(scratch)),
                    (names, of) -> RocksDB.jniOpenROnly(opening.handle, JniLibrary.path(path), names, of,
                            errorIfWalFileExists));
            return readOnly(
                    opened(new RocksDB(database), path, options.parts_, opening, arguments.opened(), handles,
                            families));
        }
    }

    static RocksDB openAsSecondary(Options options, String path, String secondaryPath) throws RocksDBException {
        try (Scratch scratch = options.use();
                OpeningOptions opening = OpeningOptions.forReading(options, path);
                Scratch _ = options.parts_.getEnv().use()) {
            DamagedLogs.requireToFollow(path, DamagedLogs.directory(path, opening.handle));
            long database = CApi.rocksdb_open_as_secondary(opening.handle, Natives.text(scratch, path),
                    Natives.text(scratch, secondaryPath), Errors.place(scratch));
            Errors.check(scratch);
            return readOnly(opened(new RocksDB(database), path, options.parts_, opening));
        }
    }

    static RocksDB openAsSecondary(DBOptions options, String path, String secondaryPath,
            List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles) throws RocksDBException {
        try (Scratch scratch = options.use();
                OpeningOptions opening = OpeningOptions.forReading(options, path);
                Scratch _ = options.parts_.getEnv().use();
                FamilyArguments arguments = new FamilyArguments(scratch, families)) {
            DamagedLogs.requireToFollow(path, DamagedLogs.directory(path, opening.handle));
            long database = arguments.open(scratch,
                    () -> NativeOpening.openSecondary(opening.handle, Natives.text(scratch, path),
                            Natives.text(scratch, secondaryPath), families.size(), arguments.names(),
                            arguments.options(),
                            arguments.handles(), Errors.place(scratch)),
                    (names, of) -> RocksDB.jniOpenAsSecondary(opening.handle, JniLibrary.path(path),
                            JniLibrary.path(secondaryPath), names, of));
            return readOnly(
                    opened(new RocksDB(database), path, options.parts_, opening, arguments.opened(), handles,
                            families));
        }
    }

    static void tryCatchUpWithPrimary(RocksDB database) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            DamagedLogs.requireToCatchUp(database);
            NativeOpening.catchUp(scratch, database.nativeHandle_);
            Errors.check(scratch);
        }
    }

    private static RocksDB readOnly(RocksDB database) {
        database.parts_.isReadOnly = true;
        return database;
    }

    /**
     * Refuses what RocksDB would do to a database that was opened for reading, or not say that it did not. It would write to the directory
     * of another process's database, drop its families, and free what a reader of this one uses, who takes no reference of it.
     */
    static void requireWritable(Scratch scratch, RocksDB database, long family) throws RocksDBException {
        if (!database.parts_.isReadOnly) {
            return;
        }
        // It refuses to flush, with the words and the code with which it refuses to be written to.
        long options = NativeWork.newFlushOptions();
        try {
            NativeWork.flush(database.nativeHandle_, options, family, Errors.place(scratch));
            Errors.check(scratch);
        } finally {
            NativeWork.destroyFlushOptions(options);
        }
    }

    static <D extends RocksDB> D opened(D database, String path, OptionParts options,
            OpeningOptions opening, List<Long> families,
            List<ColumnFamilyHandle> handles, List<ColumnFamilyDescriptor> descriptors) throws RocksDBException {
        return opened(database, path, options, opening, families, handles, () -> {
            for (ColumnFamilyDescriptor descriptor : descriptors) {
                database.parts_.keep(descriptor.getOptions().parts_);
                database.parts_.limitPaths(descriptor.getOptions().parts_);
            }
        });
    }

    static <D extends RocksDB> D opened(D database, String path, OptionParts options, OpeningOptions opening)
            throws RocksDBException {
        return opened(database, path, options, opening, List.of(), new java.util.ArrayList<>(), () -> {
        });
    }

    /** Fills in what a database has that was just opened; closes it if it is not to be had, such as with no list for the handles. */
    private static <D extends RocksDB> D opened(D database, String path, OptionParts options, OpeningOptions opening,
            List<Long> families, List<ColumnFamilyHandle> handles, Runnable keepFamilies) throws RocksDBException {
        boolean isComplete = false;
        try {
            List<ColumnFamilyHandle> made = families.stream().map(database.parts_::family).toList();
            database.parts_.waits().setManager(opening.writeBufferManager());
            database.parts_.setPaths(options);
            keepFamilies.run();
            database.parts_.keep(options);
            database.parts_.setEnv(options.getEnv());
            database.parts_.hasStatistics = options.hasStatistics();
            if (database.parts_.hasStatistics) {
                // Reads will pin, and the first pin of all looks at a database of its own: not while a program counts what its thread does.
                boolean _ = PinLayout.isConfirmed();
            }
            database.parts_.path = path;
            database.parts_.logDirectory = DamagedLogs.directory(path, opening.handle);
            database.parts_.hasListeners = !options.listeners().isEmpty();
            handles.addAll(made);
            opening.opened(database);
            isComplete = true;
            return database;
        } finally {
            if (!isComplete) {
                close(database);
            }
        }
    }

    /** A directory that cannot be read as a database's has no families, as in the published jar: programs list before they create. */
    static List<byte[]> listColumnFamilies(Options options, String path) throws RocksDBException {
        DamagedLogs.requireManifest(path);
        try (Scratch scratch = options.use();
                OpeningOptions checked = OpeningOptions.forNames(options);
                Scratch _ = options.parts_.getEnv().use()) {
            return listColumnFamilies(scratch, checked.handle, path);
        }
    }

    /** As {@link #listColumnFamilies(Options, String)}, with native options. C would end each name at a zero byte. */
    static List<byte[]> listColumnFamilies(Scratch scratch, long options, String path) throws RocksDBException {
        if (JniLibrary.canCarry(path)) {
            return new java.util.ArrayList<>(List.of(RocksDB.jniListColumnFamilies(options, path)));
        }
        List<byte[]> names = NativeFamilies.names(scratch, options, Natives.text(scratch, path));
        Errors.forget(scratch);
        return names;
    }

    static void destroyDB(String path, Options options) throws RocksDBException {
        try (Scratch scratch = options.use();
                OpeningOptions checked = OpeningOptions.forNames(options);
                Scratch _ = options.parts_.getEnv().use()) {
            NativeOpening.destroy(checked.handle, Natives.text(scratch, path), Errors.place(scratch));
            Errors.check(scratch);
        }
    }

    /** Waits for running calls, ends iterators and families that are still there, then closes: the lock is free on return. */
    static void close(RocksDB database) {
        // For the parts, too: none may be left half-way.
        Headroom.require(CallbackGuard.WORKING);
        if (database.owningHandle_.get()) {
            database.parts_.requireOutside();
        }
        if (database.owningHandle_.compareAndSet(true, false)) {
            database.end(database.parts_::endWaits, database.parts_::closeChildren);
            database.parts_.forget();
        }
    }

    /** Frees the native database. */
    static void dispose(RocksDB database, long handle) {
        if (JniObjects.closeDatabase(handle)) {
            return;
        }
        switch (database) {
            case TransactionDB _ -> NativeTransactionDatabase.close(handle);
            case OptimisticTransactionDB _ -> NativeTransactionDatabase.closeOptimistic(handle);
            default -> NativeOpening.close(handle);
        }
    }

    static boolean isClosed(RocksDB database) {
        return !database.owningHandle_.get();
    }
}
