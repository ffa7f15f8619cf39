package org.rocksdb;

import dev.outcrop.memory.NativeLibraries;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.StackCheck;
import dev.outcrop.rocksdb.engine.DatabaseRegistry;
import dev.outcrop.rocksdb.engine.DirectoryUse;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.NativeOpening;
import dev.outcrop.rocksdb.engine.NativeTransactionDatabase;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import org.rocksdb.util.Environment;

/** Opens and closes databases. */
final class Databases {

    private static final String NO_DEFAULT = "The column families to open must include the default one";

    private Databases() {
    }

    static void loadLibrary() {
        NativeCall.requireLibrary();
    }

    /** Loads the library from the first directory that has it, unless it is loaded already. */
    static void loadLibrary(List<String> directories) {
        if (NativeLibraries.isRocksdbLoaded()) {
            return;
        }
        String name = Environment.getJniLibraryFileName("rocksdbjni");
        UnsatisfiedLinkError failure = null;
        for (String directory : directories) {
            try {
                NativeLibraries.loadRocksdb(Path.of(directory, name));
                return;
            } catch (UnsatisfiedLinkError e) {
                if (failure != null) {
                    e.addSuppressed(failure);
                }
                failure = e;
            }
        }
        if (failure == null) {
            // As published.
            throw new NullPointerException("There is no directory to load " + name + " from");
        }
        throw failure;
    }

    static RocksDB.Version rocksdbVersion() {
        int version = RocksDB.jniVersion();
        return new RocksDB.Version((byte) (version >> 16), (byte) (version >> 8), (byte) version);
    }

    /** Says whether a database is opened for writing or for reading. */
    enum Access {
        WRITE,
        READ
    }

    /** Opens a native database with options that were checked. */
    interface Opener {
        long open(Scratch scratch, long options) throws RocksDBException;
    }

    /** Opens a native database with families and options that were checked. */
    interface FamiliesOpener {
        long open(Scratch scratch, long options, ColumnFamilyArguments families) throws RocksDBException;
    }

    /**
     * Opens a native database with families by a native method. Returns the address of the database, followed by the addresses of the
     * families.
     */
    interface JniOpener {
        long[] open(long options, byte[][] names, long[] familyOptions) throws RocksDBException;
    }

    /** Opens a database that keeps a directory. */
    private interface Opening<D> {
        D open() throws RocksDBException;
    }

    /** Opens a database with the default family only. */
    static <D extends RocksDB> D open(Options options, String path, Access access, Opener opener, LongFunction<D> made)
            throws RocksDBException {
        CallbackGuard.requireToOpen();
        if (access == Access.WRITE) {
            return openIn(options.state_, path, () -> openDefault(options, path, access, opener, made));
        }
        return openDefault(options, path, access, opener, made);
    }

    private static <D extends RocksDB> D openDefault(Options options, String path, Access access, Opener opener,
            LongFunction<D> made) throws RocksDBException {
        try (Scratch scratch = options.use();
                CheckedOptions opening = access == Access.WRITE
                        ? new CheckedOptions(options)
                        : CheckedOptions.forReading(options, path);
                Scratch _ = options.state_.getEnv().use()) {
            if (access == Access.WRITE) {
                opening.checkBeforeOpening(scratch, path, options.state_);
                opening.addVeto(scratch, options.state_);
            }
            boolean purges = prepare(opening, OptionLimits.purges(opening.handle));
            // A native method does not change the word.
            long _ = Errors.place(scratch);
            long handle = opener.open(scratch, opening.handle);
            Errors.check(scratch);
            D database = made.apply(handle);
            prepare(database, access, opening, opening.haveSkipLists());
            database.state_.purgeIf(purges);
            return opened(database, path, options.state_, opening, List.of(), new ArrayList<>(), List.of());
        }
    }

    /** Opens a database with families, and adds their handles to a list. Without an opener, uses the native method. */
    static <D extends RocksDB> D open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles, Access access, FamiliesOpener opener, JniOpener jni,
            LongFunction<D> made) throws RocksDBException {
        if (!haveDefault(families)) {
            throw new IllegalArgumentException(NO_DEFAULT);
        }
        CallbackGuard.requireToOpen();
        if (access == Access.WRITE) {
            return openIn(options.state_, path,
                    () -> openAll(options, path, families, handles, access, opener, jni, made));
        }
        return openAll(options, path, families, handles, access, opener, jni, made);
    }

    private static <D extends RocksDB> D openAll(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles, Access access, FamiliesOpener opener, JniOpener jni,
            LongFunction<D> made) throws RocksDBException {
        try (Scratch scratch = options.use();
                CheckedOptions opening = access == Access.WRITE
                        ? new CheckedOptions(options)
                        : CheckedOptions.forReading(options, path);
                Scratch _ = options.state_.getEnv().use();
                ColumnFamilyArguments arguments = new ColumnFamilyArguments(scratch, families)) {
            if (access == Access.WRITE) {
                opening.checkBeforeOpening(scratch, path, options.state_, families, arguments);
                opening.addVeto(scratch, options.state_);
            }
            boolean purges = prepare(opening, arguments.purge());
            long handle = arguments.open(scratch,
                    opener == null ? null : () -> opener.open(scratch, opening.handle, arguments),
                    (names, of) -> jni.open(opening.handle, names, of));
            D database = made.apply(handle);
            prepare(database, access, opening, arguments.haveSkipLists());
            database.state_.purgeIf(purges);
            return opened(database, path, options.state_, opening, arguments.opened(), handles, families);
        }
    }

    /** Opens a database with an info log in a directory, and keeps the directory until the database is closed. */
    private static <D extends RocksDB> D openIn(OptionsState options, String directory, Opening<D> opening)
            throws RocksDBException {
        if (directory == null || options.getEnv() instanceof RocksMemEnv) {
            // Without a directory, this fails as published.
            return opening.open();
        }
        DirectoryUse use = DirectoryUse.begin(directory);
        if (use == null) {
            throw inUse("Cannot open a database in " + directory + ": another thread of this process is destroying one"
                    + " there");
        }
        boolean isOpen = false;
        try {
            D database = opening.open();
            database.state_.keepDirectory(use);
            isOpen = true;
            return database;
        } finally {
            if (!isOpen) {
                use.close();
            }
        }
    }

    private static RocksDBException inUse(String message) {
        return new RocksDBException(message, new Status(Status.Code.IOError, Status.SubCode.None, message));
    }

    private static boolean prepare(CheckedOptions opening, boolean purges) {
        Envs.needThreads();
        if (purges) {
            // A memtable of the log may hold only deletions of ranges: see stopPurging.
            CApi.rocksdb_options_set_avoid_flush_during_recovery(opening.handle, NativeValues.flag(false));
        }
        return purges;
    }

    private static boolean haveDefault(List<ColumnFamilyDescriptor> families) {
        return families.stream().anyMatch(family -> Arrays.equals(family.getName(), RocksDB.DEFAULT_COLUMN_FAMILY));
    }

    private static void prepare(RocksDB database, Access access, CheckedOptions opening, boolean haveSkipLists) {
        database.state_.isReadOnly = access == Access.READ;
        database.state_.keepVeto(opening.takeVeto());
        if (access == Access.WRITE && database.getClass() == RocksDB.class && haveSkipLists
                && !opening.limitMemory()) {
            database.state_.useIteratorsAgain();
        }
    }

    static RocksDB open(String path) throws RocksDBException {
        try (Options options = new Options()) {
            return open(options.setCreateIfMissing(true), path);
        }
    }

    static RocksDB open(Options options, String path) throws RocksDBException {
        return open(options, path, Access.WRITE,
                (scratch, handle) -> NativeOpening.open(handle, NativeValues.text(scratch, path),
                        Errors.place(scratch)),
                RocksDB::new);
    }

    static RocksDB open(String path, List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        try (DBOptions options = new DBOptions()) {
            return open(options, path, families, handles);
        }
    }

    static RocksDB open(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles) throws RocksDBException {
        return open(options, path, families, handles, Access.WRITE,
                (scratch, handle, all) -> NativeOpening.open(handle, NativeValues.text(scratch, path), families.size(),
                        all.names(), all.options(), all.handles(), Errors.place(scratch)),
                (handle, names, of) -> RocksDB.jniOpen(handle, JniPaths.path(path), names, of), RocksDB::new);
    }

    static RocksDB openReadOnly(String path) throws RocksDBException {
        try (Options options = new Options()) {
            return openReadOnly(options, path, false);
        }
    }

    static RocksDB openReadOnly(Options options, String path, boolean errorIfWalFileExists) throws RocksDBException {
        return open(options, path, Access.READ,
                (scratch, handle) -> CApi.rocksdb_open_for_read_only(handle, NativeValues.text(scratch, path),
                        NativeValues.flag(errorIfWalFileExists), Errors.place(scratch)),
                RocksDB::new);
    }

    static RocksDB openReadOnly(String path, List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles)
            throws RocksDBException {
        try (DBOptions options = new DBOptions()) {
            return openReadOnly(options, path, families, handles, false);
        }
    }

    static RocksDB openReadOnly(DBOptions options, String path, List<ColumnFamilyDescriptor> families,
            List<ColumnFamilyHandle> handles, boolean errorIfWalFileExists) throws RocksDBException {
        return open(options, path, families, handles, Access.READ,
                (scratch, handle, all) -> NativeOpening.openReadOnly(handle, NativeValues.text(scratch, path),
                        families.size(), all.names(), all.options(), all.handles(),
                        errorIfWalFileExists, Errors.place(scratch)),
                (handle, names, of) -> RocksDB.jniOpenROnly(handle, JniPaths.path(path), names, of,
                        errorIfWalFileExists),
                RocksDB::new);
    }

    static RocksDB openAsSecondary(Options options, String path, String secondaryPath) throws RocksDBException {
        return openIn(options.state_, secondaryPath, () -> open(options, path, Access.READ, (scratch, handle) -> {
            LogChecks.requireToFollow(path, LogChecks.directory(path, handle));
            return CApi.rocksdb_open_as_secondary(handle, NativeValues.text(scratch, path),
                    NativeValues.text(scratch, secondaryPath), Errors.place(scratch));
        }, RocksDB::new));
    }

    static RocksDB openAsSecondary(DBOptions options, String path, String secondaryPath,
            List<ColumnFamilyDescriptor> families, List<ColumnFamilyHandle> handles) throws RocksDBException {
        if (!haveDefault(families)) {
            throw new RocksDBException(
                    new Status(Status.Code.InvalidArgument, Status.SubCode.None, NO_DEFAULT));
        }
        return openIn(options.state_, secondaryPath,
                () -> open(options, path, families, handles, Access.READ, (scratch, handle, all) -> {
                    LogChecks.requireToFollow(path, LogChecks.directory(path, handle));
                    return NativeOpening.openSecondary(handle, NativeValues.text(scratch, path),
                            NativeValues.text(scratch, secondaryPath), families.size(), all.names(), all.options(),
                            all.handles(),
                            Errors.place(scratch));
                }, (handle, names, of) -> {
                    LogChecks.requireToFollow(path, LogChecks.directory(path, handle));
                    return RocksDB.jniOpenAsSecondary(handle, JniPaths.path(path), JniPaths.path(secondaryPath), names,
                            of);
                }, RocksDB::new));
    }

    static void tryCatchUpWithPrimary(RocksDB database) throws RocksDBException {
        try (Scratch scratch = database.use()) {
            LogChecks.requireToCatchUp(database);
            NativeOpening.catchUp(scratch, database.nativeHandle_);
            Errors.check(scratch);
        }
    }

    /**
     * Refuses changes of a database that was opened for reading. RocksDB would write to the directory of another process's database, drop
     * its families, and delete files that readers of this database use. Or it would do nothing and not report this.
     */
    static void requireWritable(Scratch scratch, RocksDB database, long family) throws RocksDBException {
        if (!database.state_.isReadOnly) {
            return;
        }
        // RocksDB refuses the flush with the same status as a write.
        long options = NativeBackgroundWork.newFlushOptions();
        try {
            NativeBackgroundWork.flush(database.nativeHandle_, options, family, Errors.place(scratch));
            Errors.check(scratch);
        } finally {
            NativeBackgroundWork.destroyFlushOptions(options);
        }
    }

    /** Completes a database that was just opened. Closes it if this fails, for example because the list of handles is null. */
    private static <D extends RocksDB> D opened(D database, String path, OptionsState options, CheckedOptions opening,
            List<Long> families, List<ColumnFamilyHandle> handles, List<ColumnFamilyDescriptor> descriptors)
            throws RocksDBException {
        boolean isComplete = false;
        try {
            List<ColumnFamilyHandle> made = families.stream().map(database.state_::family).toList();
            database.state_.waits().setManager(opening.writeBufferManager());
            database.state_.setPaths(options);
            for (ColumnFamilyDescriptor descriptor : descriptors) {
                database.state_.keep(descriptor.getOptions().state_);
                database.state_.limitPaths(descriptor.getOptions().state_);
            }
            database.state_.keep(options);
            database.state_.setEnv(options.getEnv());
            if (options.hasStatistics()) {
                database.state_.countReads();
            }
            database.state_.path = path;
            database.state_.logDirectory = LogChecks.directory(path, opening.handle);
            if (!options.listeners().isEmpty() || options.hasLoggerInJava()) {
                database.state_.setListeners();
            }
            handles.addAll(made);
            opening.opened(database);
            isComplete = true;
            DatabaseRegistry.add(database.state_);
            return database;
        } finally {
            if (!isComplete) {
                close(database);
            }
        }
    }

    /**
     * Lists the families. As published, a directory without a database has none: programs list the families before they create a database.
     */
    static List<byte[]> listColumnFamilies(Options options, String path) throws RocksDBException {
        LogChecks.requireManifest(path);
        try (Scratch scratch = options.use();
                CheckedOptions checked = CheckedOptions.forNames(options);
                Scratch _ = options.state_.getEnv().use()) {
            return listColumnFamilies(scratch, checked.handle, path);
        }
    }

    /** Lists families with native options, but not with C, which would cut names at a zero byte. */
    static List<byte[]> listColumnFamilies(Scratch scratch, long options, String path) throws RocksDBException {
        if (JniPaths.canCarry(path)) {
            return new ArrayList<>(List.of(RocksDB.jniListColumnFamilies(options, path)));
        }
        List<byte[]> names = NativeFamilies.names(scratch, options, NativeValues.text(scratch, path));
        Errors.forget(scratch);
        return names;
    }

    static void destroyDB(String path, Options options) throws RocksDBException {
        CallbackGuard.requireToWork();
        try (Scratch scratch = options.use();
                CheckedOptions checked = CheckedOptions.forNames(options);
                Scratch _ = options.state_.getEnv().use()) {
            if (options.state_.getEnv() instanceof RocksMemEnv) {
                destroy(scratch, path, checked);
                return;
            }
            try (DirectoryUse use = DirectoryUse.destroy(path)) {
                if (use == null) {
                    throw inUse("Cannot destroy the database " + path + ": this process has it open, is opening or"
                            + " destroying it, or a secondary instance has its info log there; close it first");
                }
                destroy(scratch, path, checked);
            }
        }
    }

    private static void destroy(Scratch scratch, String path, CheckedOptions checked) throws RocksDBException {
        NativeOpening.destroy(checked.handle, NativeValues.text(scratch, path), Errors.place(scratch));
        Errors.check(scratch);
    }

    /** Waits for running calls, ends remaining iterators and families, then closes the database. Its lock file is unlocked on return. */
    static void close(RocksDB database) {
        // Check this before anything is closed: nothing may be left half-closed.
        StackCheck.require(CallbackGuard.WORKING);
        if (database.owningHandle_.get()) {
            database.state_.requireOutside();
        }
        if (database.owningHandle_.compareAndSet(true, false)) {
            database.endWatch();
            database.end(database.state_::endWaits, database.state_::closeChildren);
            database.state_.forget();
            if (database.state_.hasListeners) {
                FileEvents.await();
            }
        }
    }

    /** Frees the native database. */
    static void dispose(RocksDB database, long handle) {
        if (!JniWrappers.closeDatabase(handle)) {
            switch (database) {
                case TransactionDB _ -> NativeTransactionDatabase.close(handle);
                case OptimisticTransactionDB _ -> NativeTransactionDatabase.closeOptimistic(handle);
                default -> NativeOpening.close(handle);
            }
        }
        database.state_.releaseDirectory();
    }

    static boolean isClosed(RocksDB database) {
        return !database.owningHandle_.get();
    }
}
