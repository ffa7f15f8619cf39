package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.CompactionVeto;
import dev.outcrop.rocksdb.engine.MergeWidths;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.ComparatorFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A checked native copy of options for opening a database or family, which no other thread can change. */
final class CheckedOptions implements AutoCloseable {

    final long handle;
    private long familyOptions;
    private final PrefixSettings prefixes;
    private final MergeWidths widths;
    private final List<DatabaseListener> listeners = new ArrayList<>();
    /** The comparators in Java that were tried before the database was opened. */
    private List<CheckedComparator> comparators = List.of();
    private final WriteBufferManager writeBufferManager;
    private final boolean keepsManager;
    private final List<AbstractEventListener> toldOf;
    /** The number of comparisons that had failed before. */
    private int unanswered;
    private CompactionVeto veto;
    /** Failures on RocksDB's threads before the database is open. */
    private final ComparatorFailure background = ComparatorFailure.ofOpening();

    /** For opening a database. */
    CheckedOptions(Options options) throws RocksDBException {
        this(options.state_);
    }

    /** For opening a database. */
    CheckedOptions(DBOptions options) throws RocksDBException {
        this(options.state_);
    }

    private CheckedOptions(OptionsState state) throws RocksDBException {
        this(state, true);
        try {
            if (writeBufferManager != null) {
                writeBufferManager.requireRoom();
            }
            toldOf.forEach(listener -> listeners.add(DatabaseListener.add(handle, listener)));
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** For opening a column family. */
    CheckedOptions(ColumnFamilyOptions options) throws RocksDBException {
        this(options.state_, true);
    }

    private CheckedOptions(OptionsState state, boolean isForKeys) throws RocksDBException {
        // Closing the copy releases its share of the listeners, which calls Java.
        CallbackGuard.requireToWork();
        try (Scratch _ = state.owner().use()) {
            synchronized (state) {
                handle = NativeDbOptions.copy(state.owner().nativeHandle_);
                // Under the lock, these values are the values of the copy.
                prefixes = state.prefixes();
                widths = state.mergeWidths();
                writeBufferManager = state.writeBufferManager;
                keepsManager = writeBufferManager != null && writeBufferManager.keep();
                toldOf = state.listeners();
            }
        }
        try {
            state.correctRate(handle);
            OptionChecks.checkOptions(handle);
            if (isForKeys) {
                state.requireTables();
                prefixes.makeSafe(handle);
            }
        } catch (RocksDBException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** For a new column family of an open database: RocksDB checks tables only when it opens a database. */
    static CheckedOptions forNewFamily(ColumnFamilyOptions options) throws RocksDBException {
        CheckedOptions opening = withTables(new CheckedOptions(options));
        try {
            opening.requireMerges();
        } catch (RuntimeException | Error e) {
            opening.close();
            throw e;
        }
        return opening;
    }

    /** Checks that universal compaction can merge the files for which writes wait. For a family that is written to. */
    void requireMerges() {
        long opened = NativeDbOptions.copy(handle);
        try {
            OptionLimits.correctOpened(opened, false);
            String unmergeable = OptionLimits.unmergeable(opened, widths);
            if (unmergeable != null) {
                throw new IllegalArgumentException(unmergeable);
            }
        } finally {
            NativeDbOptions.destroy(opened);
        }
    }

    /** For a table file. */
    static CheckedOptions forFile(Options options) throws RocksDBException {
        return withTables(new CheckedOptions(options));
    }

    private static CheckedOptions withTables(CheckedOptions opening) throws RocksDBException {
        try {
            OptionChecks.checkTables(opening.handle);
        } catch (RocksDBException | RuntimeException | Error e) {
            opening.close();
            throw e;
        }
        return opening;
    }

    /** Returns whether writes may wait for memory of memtables. Then idle iterators must not hold such memory. */
    boolean limitMemory() {
        return writeBufferManager != null;
    }

    /** Returns the write buffer manager, or null. */
    WriteBufferManager writeBufferManager() {
        return writeBufferManager;
    }

    /** Returns whether memtables of a family with these options are skip lists. */
    boolean haveSkipLists() {
        return prefixes.hasSkipLists();
    }

    /** Returns options for calls that read only the names of files and column families. */
    static CheckedOptions forNames(Options options) throws RocksDBException {
        return new CheckedOptions(options.state_, false);
    }

    /** For opening a database for reading. */
    static CheckedOptions forReading(Options options, String path) throws RocksDBException {
        return withoutLog(new CheckedOptions(options), path);
    }

    /** For opening a database for reading. */
    static CheckedOptions forReading(DBOptions options, String path) throws RocksDBException {
        return withoutLog(new CheckedOptions(options), path);
    }

    private static CheckedOptions withoutLog(CheckedOptions opening, String path) throws RocksDBException {
        try {
            LogChecks.require(path, opening.handle);
        } catch (RocksDBException | RuntimeException | Error e) {
            opening.close();
            throw e;
        }
        OptionLimits.forReading(opening.handle);
        return opening;
    }

    /**
     * Checks, before a database is opened for writing, that RocksDB can read its logs to the end, and that comparators in Java can compare
     * its keys. The column families need not exist yet.
     */
    void checkBeforeOpening(Scratch scratch, String path, OptionsState options, List<ColumnFamilyDescriptor> families,
            ColumnFamilyArguments arguments) throws RocksDBException {
        arguments.requireMerges();
        LogChecks.require(path, handle);
        List<Object> callbacks = new ArrayList<>(options.callbacks());
        families.forEach(family -> callbacks.addAll(family.getOptions().state_.callbacks()));
        List<CheckedComparator> inJava = ComparatorMonitor.comparators(callbacks);
        if (!inJava.isEmpty()) {
            OptionLimits.forComparatorInJava(handle);
        }
        // A WAL filter would get each record twice.
        if (options.walFilter == null) {
            comparators = inJava;
        }
        if (!comparators.isEmpty()) {
            comparators.forEach(comparator -> comparator.addUser(background));
            unanswered = unanswered();
            arguments.dryRun(scratch, path, handle);
            requireNoFailure(path);
        }
    }

    /** Checks a database with the default family only. */
    void checkBeforeOpening(Scratch scratch, String path, OptionsState options) throws RocksDBException {
        requireMerges();
        if (!ComparatorMonitor.comparators(options.callbacks()).isEmpty()) {
            checkBeforeOpening(scratch, path, options, List.of(), ColumnFamilyArguments.ofDefault(scratch, handle));
        } else {
            LogChecks.require(path, handle);
        }
    }

    /** Adds a veto for compactions. Called before a database is opened for writing. */
    void addVeto(Scratch scratch, OptionsState options) {
        veto = options.compactionVeto(scratch);
        if (veto != null) {
            veto.addTo(handle, !comparators.isEmpty(), background);
        } else {
            background.vetoBy(null, false);
        }
    }

    /** Returns the veto, which the open database keeps from now on; null if there is none. */
    CompactionVeto takeVeto() {
        CompactionVeto taken = veto;
        veto = null;
        return taken;
    }

    private int unanswered() {
        return comparators.stream().mapToInt(CheckedComparator::unanswered).sum();
    }

    private Throwable unansweredCause() {
        return unanswered() == unanswered
                ? null
                : comparators.stream().map(CheckedComparator::lastUnanswered).filter(Objects::nonNull).findFirst()
                        .orElseThrow();
    }

    private void requireNoFailure(String path) throws RocksDBException {
        Throwable cause = background.cause() == null ? unansweredCause() : background.cause();
        if (cause != null) {
            throw ComparatorMonitor.failure("The database " + path + " is not opened", cause,
                    "Nothing of it was changed; give it one that works");
        }
    }

    /** Checks for failures during opening, and passes the database to its listeners. Called when the database is open. */
    void opened(RocksDB database) throws RocksDBException {
        Throwable cause = background.isContradiction() ? background.cause() : unansweredCause();
        String closed = "The database " + database.state_.path + " is closed again";
        if (cause != null) {
            throw ComparatorMonitor.failure(closed, cause,
                    "What RocksDB has written meanwhile may be in a wrong order: check it, or restore a backup");
        }
        if (background.cause() != null) {
            throw ComparatorMonitor.failure(closed, background.cause(),
                    "Open it with one that works; the data in its log and its files is not lost");
        }
        listeners.forEach(listener -> listener.opened(database));
    }

    /** Returns the {@code ColumnFamilyOptions} of C++ for native methods, made when first needed. */
    long familyOptions() {
        if (familyOptions == 0) {
            familyOptions = ColumnFamilyOptions.jniNewColumnFamilyOptionsFromOptions(handle);
        }
        return familyOptions;
    }

    @Override
    public void close() {
        if (familyOptions != 0) {
            ColumnFamilyOptions.jniDisposeInternalJni(familyOptions);
        }
        comparators.forEach(comparator -> comparator.removeUser(background));
        if (veto != null) {
            veto.close();
        }
        NativeDbOptions.destroy(handle);
        if (keepsManager) {
            writeBufferManager.letGo();
        }
    }
}
