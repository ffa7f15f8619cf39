package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdbjni.NativeMethods;
import java.util.List;
import java.util.Objects;

/**
 * Reads a table file without a database. Calls from several threads run one after another, except calls of its iterators. Closing the
 * reader ends its iterators.
 */
public class SstFileReader extends RocksObject {

    /** A property of each plain table. */
    private static final String PLAIN = "rocksdb.plain.table.encoding.type";

    /** Native code has plain pointers to these. */
    private final List<Object> callbacks_;
    private final OpenIterators iterators_ = new OpenIterators();
    private final boolean merges_;
    private boolean hasFile_;
    /** Whether the file has merges but there is no merge operator. */
    private volatile boolean lacksOperator_;
    private volatile boolean isPlain_;

    /** A native reader, with the objects to which it has pointers, and whether it has a merge operator and calls Java. */
    private record Made(long handle, List<Object> callbacks, boolean merges, boolean callsJava) {
    }

    /**
     * Makes a reader without a file.
     *
     * @param options the options with the comparator and the format of the file; they are copied
     */
    @SuppressWarnings("this-escape") // sets a field
    public SstFileReader(Options options) {
        this(make(options));
    }

    private SstFileReader(Made made) {
        super(made.handle);
        callbacks_ = made.callbacks;
        merges_ = made.merges;
        if (made.callsJava) {
            callsJava();
        }
    }

    private static Made make(Options options) {
        NativeMethods.require("Java_org_rocksdb_SstFileReader_newSstFileReader");
        try (Scratch _ = options.use()) {
            // Under the lock, these are the callbacks of the copy.
            synchronized (options.state_) {
                try (CheckedOptions checked = new CheckedOptions(options)) {
                    return new Made(newSstFileReader(checked.handle), options.state_.callbacks(),
                            options.state_.mergeOperatorIsSet(), options.state_.callsJava());
                }
            }
        } catch (RocksDBException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /**
     * Opens a file in place of the previous file. The previous file is closed even if this fails.
     *
     * @param filePath its path
     * @throws RocksDBException      if the file cannot be read, or is not a table file
     * @throws IllegalStateException if iterators over the previous file are open
     */
    public synchronized void open(String filePath) throws RocksDBException {
        Objects.requireNonNull(filePath, "filePath");
        try (Scratch scratch = use()) {
            // This refuses a text that the library would cut.
            NativeValues.text(scratch, filePath);
            if (!iterators_.isEmpty()) {
                throw new IllegalStateException("Iterators over the file before are open: close them before "
                        + filePath + " is opened, or use another reader");
            }
            String path = JniPaths.path(filePath);
            // Even if opening fails, RocksDB has closed the previous file.
            hasFile_ = false;
            open(nativeHandle_, path);
            hasFile_ = true;
            TableProperties properties = getTableProperties(nativeHandle_);
            lacksOperator_ = !merges_ && properties.getNumMergeOperands() > 0;
            isPlain_ = properties.getUserCollectedProperties().containsKey(PLAIN);
        }
    }

    /**
     * Makes an iterator over the entries of the file.
     *
     * @param readOptions the options, with bounds, and with a snapshot to leave out later entries
     * @return an iterator to be closed by the caller
     * @throws IllegalStateException    if no file is open
     * @throws IllegalArgumentException if the options have timestamps, and the comparator has none
     */
    public synchronized SstFileReaderIterator newIterator(ReadOptions readOptions) {
        try (Scratch used = readOptions.use(); Scratch _ = use(); Scratch _ = readOptions.state_.useSnapshot()) {
            requireFile();
            // The lock keeps the options unchanged.
            synchronized (readOptions.state_) {
                NativeSlice[] held = readOptions.state_.hold();
                try {
                    requireNoTimestamps(held);
                    SstFileReaderIterator made = new SstFileReaderIterator(this,
                            JniWrappers.wrap(newIterator(nativeHandle_, readOptions.nativeHandle_)));
                    readOptions.lease(used);
                    made.guard.keep(readOptions, held);
                    iterators_.add(made);
                    held = null;
                    return made;
                } finally {
                    if (held != null) {
                        ReadOptionsState.release(held);
                    }
                }
            }
        }
    }

    /** Refuses timestamps if the comparator has none: RocksDB would take timestamps from the ends of keys without timestamps. */
    private void requireNoTimestamps(NativeSlice[] held) {
        if ((held[ReadOptionsState.TIMESTAMP] != null || held[ReadOptionsState.START_TIMESTAMP] != null)
                && callbacks_.stream().noneMatch(NativeComparatorWrapper.class::isInstance)) {
            throw new IllegalArgumentException("The read options have a timestamp, but the comparator of the reader has"
                    + " none: set no timestamp");
        }
    }

    /** Removes an iterator. Called when it is closed. */
    final synchronized void remove(SstFileReaderIterator iterator) {
        iterators_.remove(iterator);
    }

    /** Returns the monitor of the comparator; null if the comparator cannot fail. */
    final ComparatorMonitor order() {
        return ComparatorMonitor.comparators(callbacks_).isEmpty() ? null : ComparatorMonitor.ofFile();
    }

    /**
     * Checks the checksums of all blocks.
     *
     * @throws RocksDBException      if a checksum is wrong, or the file cannot be read
     * @throws IllegalStateException if no file is open
     */
    public synchronized void verifyChecksum() throws RocksDBException {
        try (Scratch _ = use()) {
            requireFile();
            verifyChecksum(nativeHandle_);
        }
    }

    /**
     * Reads the properties of the file.
     *
     * @return a copy
     * @throws RocksDBException      as published
     * @throws IllegalStateException if no file is open
     */
    public synchronized TableProperties getTableProperties() throws RocksDBException {
        try (Scratch _ = use()) {
            requireFile();
            return getTableProperties(nativeHandle_);
        }
    }

    /** Checks that the file can be read backward: RocksDB ends the process when it reaches a merge in that direction. */
    final void requireBackward() {
        if (lacksOperator_) {
            throw new IllegalStateException("The file has merges, and cannot be read backward without their operator:"
                    + " set it in the options of the reader");
        }
    }

    /** Checks that an iterator can take a step back: in a plain table, RocksDB would loop until the process ends. */
    final void requireStepBack() {
        requireBackward();
        if (isPlain_) {
            throw new IllegalStateException("The file is a plain table, in which RocksDB cannot go back: seek an entry,"
                    + " and go forward from there");
        }
    }

    /** Throws if no file is open. RocksDB itself does not check this, and ends the process. */
    private void requireFile() {
        if (!hasFile_) {
            throw new IllegalStateException("The reader has no file: call open first");
        }
    }

    @Override
    void dispose() {
        end(this::endIterators);
    }

    private synchronized void endIterators() {
        iterators_.end();
    }

    @Override
    protected final void disposeInternal(long handle) {
        disposeInternalJni(handle);
    }

    private static native long newSstFileReader(long options);

    private static native void open(long reader, String path) throws RocksDBException;

    private static native long newIterator(long reader, long readOptions);

    private static native void verifyChecksum(long reader) throws RocksDBException;

    private static native TableProperties getTableProperties(long reader) throws RocksDBException;

    private static native void disposeInternalJni(long reader);
}
