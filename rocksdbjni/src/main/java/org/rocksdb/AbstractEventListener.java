package org.rocksdb;

import java.util.EnumSet;
import java.util.Set;

/**
 * Is told what happens in databases. RocksDB calls it from its own threads and from those that write, several at once. What it throws is
 * logged, and does not reach RocksDB. Inside, a database can be read and asked; closing it, or waiting for flushes and compactions,
 * is refused.
 *
 * <p>The C API of RocksDB tells of flushes, compactions, ingested files, sealed memtables, stalls of writes and background errors. The
 * other methods are never called.
 *
 * <p>Closing it says that no more options will be given it. Open databases go on to tell it.
 */
public abstract class AbstractEventListener extends RocksCallbackObject implements EventListener {

    private final Set<EnabledEventCallback> enabled;

    /** A kind of event. */
    public enum EnabledEventCallback {
        /** {@code ON_FLUSH_COMPLETED}. */
        ON_FLUSH_COMPLETED((byte) 0),
        /** {@code ON_FLUSH_BEGIN}. */
        ON_FLUSH_BEGIN((byte) 1),
        /** {@code ON_TABLE_FILE_DELETED}. */
        ON_TABLE_FILE_DELETED((byte) 2),
        /** {@code ON_COMPACTION_BEGIN}. */
        ON_COMPACTION_BEGIN((byte) 3),
        /** {@code ON_COMPACTION_COMPLETED}. */
        ON_COMPACTION_COMPLETED((byte) 4),
        /** {@code ON_TABLE_FILE_CREATED}. */
        ON_TABLE_FILE_CREATED((byte) 5),
        /** {@code ON_TABLE_FILE_CREATION_STARTED}. */
        ON_TABLE_FILE_CREATION_STARTED((byte) 6),
        /** {@code ON_MEMTABLE_SEALED}. */
        ON_MEMTABLE_SEALED((byte) 7),
        /** {@code ON_COLUMN_FAMILY_HANDLE_DELETION_STARTED}. */
        ON_COLUMN_FAMILY_HANDLE_DELETION_STARTED((byte) 8),
        /** {@code ON_EXTERNAL_FILE_INGESTED}. */
        ON_EXTERNAL_FILE_INGESTED((byte) 9),
        /** {@code ON_BACKGROUND_ERROR}. */
        ON_BACKGROUND_ERROR((byte) 10),
        /** {@code ON_STALL_CONDITIONS_CHANGED}. */
        ON_STALL_CONDITIONS_CHANGED((byte) 11),
        /** {@code ON_FILE_READ_FINISH}. */
        ON_FILE_READ_FINISH((byte) 12),
        /** {@code ON_FILE_WRITE_FINISH}. */
        ON_FILE_WRITE_FINISH((byte) 13),
        /** {@code ON_FILE_FLUSH_FINISH}. */
        ON_FILE_FLUSH_FINISH((byte) 14),
        /** {@code ON_FILE_SYNC_FINISH}. */
        ON_FILE_SYNC_FINISH((byte) 15),
        /** {@code ON_FILE_RANGE_SYNC_FINISH}. */
        ON_FILE_RANGE_SYNC_FINISH((byte) 16),
        /** {@code ON_FILE_TRUNCATE_FINISH}. */
        ON_FILE_TRUNCATE_FINISH((byte) 17),
        /** {@code ON_FILE_CLOSE_FINISH}. */
        ON_FILE_CLOSE_FINISH((byte) 18),
        /** {@code SHOULD_BE_NOTIFIED_ON_FILE_IO}. */
        SHOULD_BE_NOTIFIED_ON_FILE_IO((byte) 19),
        /** {@code ON_ERROR_RECOVERY_BEGIN}. */
        ON_ERROR_RECOVERY_BEGIN((byte) 20),
        /** {@code ON_ERROR_RECOVERY_COMPLETED}. */
        ON_ERROR_RECOVERY_COMPLETED((byte) 21);

        private final byte value;

        EnabledEventCallback(byte value) {
            this.value = value;
        }

        byte getValue() {
            return value;
        }
    }

    /** Told of everything. */
    protected AbstractEventListener() {
        this(EnabledEventCallback.values());
    }

    /**
     * Told of some events.
     *
     * @param enabledEventCallbacks which
     */
    @SuppressWarnings("this-escape") // only to say that it is open
    protected AbstractEventListener(EnabledEventCallback... enabledEventCallbacks) {
        super(bits(enabledEventCallbacks));
        enabled = EnumSet.noneOf(EnabledEventCallback.class);
        enabled.addAll(Set.of(enabledEventCallbacks));
        keep(enabled);
    }

    private static long bits(EnabledEventCallback... events) {
        long bits = 0;
        for (EnabledEventCallback event : events) {
            bits |= 1L << event.getValue();
        }
        return bits;
    }

    /**
     * Makes no native object: each database that is opened gets one.
     *
     * @param nativeParameterHandles a bit for each kind of event
     * @return 0
     */
    @Override
    protected long initializeNative(long... nativeParameterHandles) {
        return 0;
    }

    final boolean isEnabled(EnabledEventCallback event) {
        return enabled.contains(event);
    }

    @Override
    protected void disposeInternal() {
        super.disposeInternal();
    }

    @Override
    public void onFlushCompleted(RocksDB db, FlushJobInfo flushJobInfo) {
        // Nothing to do.
    }

    @Override
    public void onFlushBegin(RocksDB db, FlushJobInfo flushJobInfo) {
        // Nothing to do.
    }

    @Override
    public void onTableFileDeleted(TableFileDeletionInfo tableFileDeletionInfo) {
        // Nothing to do.
    }

    @Override
    public void onCompactionBegin(RocksDB db, CompactionJobInfo compactionJobInfo) {
        // Nothing to do.
    }

    @Override
    public void onCompactionCompleted(RocksDB db, CompactionJobInfo compactionJobInfo) {
        // Nothing to do.
    }

    @Override
    public void onTableFileCreated(TableFileCreationInfo tableFileCreationInfo) {
        // Nothing to do.
    }

    @Override
    public void onTableFileCreationStarted(TableFileCreationBriefInfo tableFileCreationBriefInfo) {
        // Nothing to do.
    }

    @Override
    public void onMemTableSealed(MemTableInfo memTableInfo) {
        // Nothing to do.
    }

    @Override
    public void onColumnFamilyHandleDeletionStarted(ColumnFamilyHandle columnFamilyHandle) {
        // Nothing to do.
    }

    @Override
    public void onExternalFileIngested(RocksDB db, ExternalFileIngestionInfo externalFileIngestionInfo) {
        // Nothing to do.
    }

    @Override
    public void onBackgroundError(BackgroundErrorReason backgroundErrorReason, Status backgroundError) {
        // Nothing to do.
    }

    @Override
    public void onStallConditionsChanged(WriteStallInfo writeStallInfo) {
        // Nothing to do.
    }

    @Override
    public void onFileReadFinish(FileOperationInfo fileOperationInfo) {
        // Nothing to do.
    }

    @Override
    public void onFileWriteFinish(FileOperationInfo fileOperationInfo) {
        // Nothing to do.
    }

    @Override
    public void onFileFlushFinish(FileOperationInfo fileOperationInfo) {
        // Nothing to do.
    }

    @Override
    public void onFileSyncFinish(FileOperationInfo fileOperationInfo) {
        // Nothing to do.
    }

    @Override
    public void onFileRangeSyncFinish(FileOperationInfo fileOperationInfo) {
        // Nothing to do.
    }

    @Override
    public void onFileTruncateFinish(FileOperationInfo fileOperationInfo) {
        // Nothing to do.
    }

    @Override
    public void onFileCloseFinish(FileOperationInfo fileOperationInfo) {
        // Nothing to do.
    }

    @Override
    public boolean shouldBeNotifiedOnFileIO() {
        return false;
    }

    @Override
    public boolean onErrorRecoveryBegin(BackgroundErrorReason backgroundErrorReason, Status backgroundError) {
        return true;
    }

    @Override
    public void onErrorRecoveryCompleted(Status oldBackgroundError) {
        // Nothing to do.
    }
}
