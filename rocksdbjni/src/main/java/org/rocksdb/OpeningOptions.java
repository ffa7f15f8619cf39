package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.OptionLimits;
import dev.outcrop.rocksdb.engine.callbacks.CheckedComparator;
import dev.outcrop.rocksdb.engine.callbacks.OrderFailure;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** A checked native copy of options for opening a database or family, which no other thread can change. */
final class OpeningOptions implements AutoCloseable {

    final long handle;
    private long familyOptions;
    private final PrefixUse prefixes;
    private final List<OpenListener> listeners = new ArrayList<>();
    /** The comparators in Java that were tried before the database was opened. */
    private List<CheckedComparator> comparators = List.of();
    private final WriteBufferManager writeBufferManager;
    private final boolean keepsManager;
    private final List<AbstractEventListener> toldOf;
    /** The number of comparisons that had failed before. */
    private int unanswered;
    /** Failures on RocksDB's threads before the database is open. */
    private final OrderFailure background = OrderFailure.ofOpening();

    /** For opening a database. */
    OpeningOptions(Options options) throws RocksDBException {
        this(options.parts_);
    }

    /** For opening a database. */
    OpeningOptions(DBOptions options) throws RocksDBException {
        this(options.parts_);
    }

    private OpeningOptions(OptionParts parts) throws RocksDBException {
        this(parts, true);
        try {
            if (writeBufferManager != null) {
                writeBufferManager.requireRoom();
            }
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
        toldOf.forEach(listener -> listeners.add(OpenListener.add(handle, listener)));
    }

    /** For opening a column family. */
    OpeningOptions(ColumnFamilyOptions options) throws RocksDBException {
        this(options.parts_, true);
    }

    private OpeningOptions(OptionParts parts, boolean isForKeys) throws RocksDBException {
        try (Scratch _ = parts.owner().use()) {
            synchronized (parts) {
                handle = NativeDbOptions.copy(parts.owner().nativeHandle_);
                // The lock makes them those of the copy.
                prefixes = parts.prefixes();
                writeBufferManager = parts.writeBufferManager;
                keepsManager = writeBufferManager != null && writeBufferManager.keep();
                toldOf = parts.listeners();
            }
        }
        try {
            Ranges.checkOptions(handle);
            if (isForKeys) {
                prefixes.makeSafe(handle);
            }
        } catch (RocksDBException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    /** Whether writes may wait for memory of memtables, which idle iterators must not hold then. */
    boolean limitMemory() {
        return writeBufferManager != null;
    }

    /** Returns the write buffer manager, or null. */
    WriteBufferManager writeBufferManager() {
        return writeBufferManager;
    }

    /** Whether memtables of a family with these options are skip lists. */
    boolean haveSkipLists() {
        return prefixes.hasSkipLists();
    }

    /** For calls that read only the names of files and column families. */
    static OpeningOptions forNames(Options options) throws RocksDBException {
        return new OpeningOptions(options.parts_, false);
    }

    /** For opening a database for reading. */
    static OpeningOptions forReading(Options options, String path) throws RocksDBException {
        return withoutLog(new OpeningOptions(options), path);
    }

    /** For opening a database for reading. */
    static OpeningOptions forReading(DBOptions options, String path) throws RocksDBException {
        return withoutLog(new OpeningOptions(options), path);
    }

    private static OpeningOptions withoutLog(OpeningOptions opening, String path) throws RocksDBException {
        try {
            DamagedLogs.require(path, opening.handle);
        } catch (RocksDBException | RuntimeException | Error e) {
            opening.close();
            throw e;
        }
        OptionLimits.forReading(opening.handle);
        return opening;
    }

    /**
     * Checks, before a database is opened for writing, that RocksDB can read its logs to the end, and that comparators in Java can compare
     * its keys. Families need not exist yet.
     */
    void rehearse(Scratch scratch, String path, OptionParts options, List<ColumnFamilyDescriptor> families,
            FamilyArguments arguments) throws RocksDBException {
        DamagedLogs.require(path, handle);
        List<Object> callbacks = new ArrayList<>(options.callbacks());
        families.forEach(family -> callbacks.addAll(family.getOptions().parts_.callbacks()));
        // A WAL filter would be shown each record twice.
        if (options.walFilter == null) {
            comparators = OrderWatch.comparators(callbacks);
        }
        if (!comparators.isEmpty()) {
            comparators.forEach(comparator -> comparator.addUser(background));
            unanswered = unanswered();
            arguments.rehearse(scratch, path, handle);
            requireRehearsed(path);
        }
    }

    /** Checks a database with the default family only. */
    void rehearse(Scratch scratch, String path, OptionParts options) throws RocksDBException {
        if (!OrderWatch.comparators(options.callbacks()).isEmpty()) {
            rehearse(scratch, path, options, List.of(), FamilyArguments.ofDefault(scratch, handle));
        } else {
            DamagedLogs.require(path, handle);
        }
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

    private void requireRehearsed(String path) throws RocksDBException {
        Throwable cause = background.cause() == null ? unansweredCause() : background.cause();
        if (cause != null) {
            throw OrderWatch.failure("The database " + path + " is not opened", cause,
                    "Nothing of it was changed; give it one that works");
        }
    }

    /** Called when the database is open. */
    void opened(RocksDB database) throws RocksDBException {
        Throwable cause = background.isContradiction() ? background.cause() : unansweredCause();
        String closed = "The database " + database.parts_.path + " is closed again";
        if (cause != null) {
            throw OrderWatch.failure(closed, cause,
                    "What RocksDB has written meanwhile may be in a wrong order: check it, or restore a backup");
        }
        if (background.cause() != null) {
            throw OrderWatch.failure(closed, background.cause(),
                    "Open it with one that works; what is in its log and its files is not lost");
        }
        listeners.forEach(listener -> listener.opened(database));
    }

    /** Returns the {@code ColumnFamilyOptions} of C++ for native methods, made when first needed. */
    long familyOptions() {
        if (familyOptions == 0) {
            familyOptions = Exports.COLUMN_FAMILY_OPTIONS_NEW_COLUMN_FAMILY_OPTIONS_FROM_OPTIONS.call(handle);
        }
        return familyOptions;
    }

    @Override
    public void close() {
        if (familyOptions != 0) {
            Exports.COLUMN_FAMILY_OPTIONS_DISPOSE_INTERNAL_JNI.call(familyOptions);
        }
        comparators.forEach(comparator -> comparator.removeUser(background));
        NativeDbOptions.destroy(handle);
        if (keepsManager) {
            writeBufferManager.letGo();
        }
    }
}
