package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.NativeEventListener;
import dev.outcrop.rocksdb.engine.NativeFamilies;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.function.BiConsumer;
import org.rocksdb.AbstractEventListener.EnabledEventCallback;

/** Passes events of native code to listeners. Exceptions of listeners are logged, and do not reach RocksDB. */
final class EventCallbacks implements Upcall {

    private static final NativeEventListener LISTENER = new NativeEventListener(MethodHandles.lookup(), "flushBegin",
            "flushCompleted", "compactionBegin", "compactionCompleted", "subcompaction", "subcompaction",
            "fileIngested", "backgroundError", "stallConditionsChanged", "memTableSealed");

    private static final int FLUSH_WITHOUT_LOG = 5;

    private EventCallbacks() {
    }

    /** Makes a native listener for an id of {@link Callbacks}. Options own it. */
    static long create(long id) {
        return LISTENER.create(id);
    }

    /** Returns a bit for each kind of event. */
    static long bits(EnabledEventCallback... events) {
        long bits = 0;
        for (EnabledEventCallback event : events) {
            bits |= bit(event);
        }
        return bits;
    }

    private static long bit(EnabledEventCallback event) {
        return 1L << event.toNative();
    }

    /** Keeps the bits of a listener's events. Called while the listener is constructed. Makes no native object. */
    static long enable(AbstractEventListener listener, long... parameters) {
        listener.enabledEvents_ = parameters[0];
        listener.keep(listener);
        return 0;
    }

    /** An event for a listener. */
    private interface Event {
        void tell(DatabaseListener open, Scratch scratch);
    }

    private static void tell(RunningCallbacks running, long id, EnabledEventCallback event, Event told) {
        try {
            DatabaseListener open = (DatabaseListener) Callbacks.of(id).target;
            if ((open.listener.enabledEvents_ & bit(event)) != 0) {
                try (Scratch scratch = Scratch.open()) {
                    told.tell(open, scratch);
                }
            }
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
        }
    }

    static void flushBegin(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, EnabledEventCallback.ON_FLUSH_BEGIN, (open, scratch) -> {
            FlushJobInfo copy = EventData.flush(info, scratch);
            open.show(db, database -> open.listener.onFlushBegin(database, copy));
        });
    }

    static void flushCompleted(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, EnabledEventCallback.ON_FLUSH_COMPLETED, (open, scratch) -> {
            FlushJobInfo copy = EventData.flush(info, scratch);
            open.show(db, database -> open.listener.onFlushCompleted(database, copy));
        });
    }

    static void compactionBegin(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, EnabledEventCallback.ON_COMPACTION_BEGIN, (open, scratch) -> {
            CompactionJobInfo copy = CompactionJobState.of(CompactionValues.of(info, scratch));
            open.show(db, database -> open.listener.onCompactionBegin(database, copy));
        });
    }

    static void compactionCompleted(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, EnabledEventCallback.ON_COMPACTION_COMPLETED, (open, scratch) -> {
            CompactionJobInfo copy = CompactionJobState.of(CompactionValues.of(info, scratch));
            open.show(db, database -> open.listener.onCompactionCompleted(database, copy));
        });
    }

    /** Does nothing: {@code org.rocksdb} has no such event. */
    static void subcompaction(RunningCallbacks running, long id, long info) {
        // There is no such event.
    }

    static void fileIngested(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, EnabledEventCallback.ON_EXTERNAL_FILE_INGESTED, (open, scratch) -> {
            ExternalFileIngestionInfo copy = EventData.ingestion(info, scratch);
            open.show(db, database -> open.listener.onExternalFileIngested(database, copy));
        });
    }

    static void backgroundError(RunningCallbacks running, long id, int reason, long status) {
        tell(running, id, EnabledEventCallback.ON_BACKGROUND_ERROR, (open, scratch) -> {
            NativeEventListener.failure(status, Errors.place(scratch));
            Status copy = EventData.status(scratch);
            open.listener.onBackgroundError(reason(reason), copy);
        });
    }

    /**
     * Returns the constant for a reason. RocksDB has a separate number for flushes of data that the log lacks, but there is no constant for
     * it.
     */
    private static BackgroundErrorReason reason(int reason) {
        return reason == FLUSH_WITHOUT_LOG ? BackgroundErrorReason.FLUSH : BackgroundErrorReason.fromNative(reason);
    }

    static void stallConditionsChanged(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_STALL_CONDITIONS_CHANGED, (open, scratch) -> {
            byte current = (byte) condition(CApi.rocksdb_writestallinfo_cur(info));
            byte previous = (byte) condition(CApi.rocksdb_writestallinfo_prev(info));
            open.listener.onStallConditionsChanged(new WriteStallInfo(
                    EventData.text(scratch, CApi.rocksdb_writestallinfo_cf_name(info, scratch.wordAddress(1))),
                    current, previous));
        });
    }

    private static int condition(long address) {
        return NativeCalls.view(address, Integer.BYTES).get(ValueLayout.JAVA_INT, 0);
    }

    static void memTableSealed(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_MEMTABLE_SEALED, (open, scratch) -> open.listener
                .onMemTableSealed(new MemTableInfo(
                        EventData.text(scratch, CApi.rocksdb_memtableinfo_cf_name(info, scratch.wordAddress(1))),
                        CApi.rocksdb_memtableinfo_first_seqno(info), CApi.rocksdb_memtableinfo_earliest_seqno(info),
                        CApi.rocksdb_memtableinfo_num_entries(info), CApi.rocksdb_memtableinfo_num_deletes(info))));
    }

    static void tableFileDeleted(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_TABLE_FILE_DELETED, (open, scratch) -> open.listener
                .onTableFileDeleted(VirtualEvents.fields().deletion(info, scratch)));
    }

    static void tableFileCreated(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_TABLE_FILE_CREATED, (open, scratch) -> open.listener
                .onTableFileCreated(VirtualEvents.fields().creation(info, scratch)));
    }

    static void tableFileCreationStarted(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_TABLE_FILE_CREATION_STARTED, (open, scratch) -> open.listener
                .onTableFileCreationStarted(VirtualEvents.fields().creationStart(info, scratch)));
    }

    static void familyDeletionStarted(RunningCallbacks running, long id, long family) {
        tell(running, id, EnabledEventCallback.ON_COLUMN_FAMILY_HANDLE_DELETION_STARTED, (open, scratch) -> {
            EndingFamily ending = new EndingFamily(family, scratch);
            try {
                open.listener.onColumnFamilyHandleDeletionStarted(ending);
            } finally {
                ending.close();
            }
        });
    }

    /** A family handle that RocksDB is about to free. It has its name and its id, and during the event also its descriptor. */
    private static final class EndingFamily extends ColumnFamilyHandle {
        private final byte[] name;
        private final int id;
        private final long object;

        EndingFamily(long object, Scratch scratch) {
            super(null, object);
            this.object = object;
            disOwnNativeHandle();
            // C's structure for a family begins with the address of the object.
            scratch.setWord(2, object);
            id = NativeFamilies.id(scratch.wordAddress(2));
            name = name(scratch.wordAddress(2), scratch);
        }

        @Override
        public byte[] getName() {
            return name.clone();
        }

        @Override
        public int getID() {
            return id;
        }

        @Override
        public ColumnFamilyDescriptor getDescriptor() throws RocksDBException {
            if (isClosed()) {
                throw refusal("The column family is closed");
            }
            return descriptor(object);
        }

        @Override
        protected boolean isDefaultColumnFamily() {
            return id == 0;
        }
    }

    static void fileRead(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_FILE_READ_FINISH, info, EventListener::onFileReadFinish);
    }

    static void fileWritten(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_FILE_WRITE_FINISH, info, EventListener::onFileWriteFinish);
    }

    static void fileFlushed(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_FILE_FLUSH_FINISH, info, EventListener::onFileFlushFinish);
    }

    static void fileSynced(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_FILE_SYNC_FINISH, info, EventListener::onFileSyncFinish);
    }

    static void fileRangeSynced(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_FILE_RANGE_SYNC_FINISH, info, EventListener::onFileRangeSyncFinish);
    }

    static void fileTruncated(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_FILE_TRUNCATE_FINISH, info, EventListener::onFileTruncateFinish);
    }

    static void fileClosed(RunningCallbacks running, long id, long info) {
        tell(running, id, EnabledEventCallback.ON_FILE_CLOSE_FINISH, info, EventListener::onFileCloseFinish);
    }

    private static void tell(RunningCallbacks running, long id, EnabledEventCallback event, long info,
            BiConsumer<EventListener, FileOperationInfo> told) {
        tell(running, id, event, (open, scratch) -> FileEvents.tell(open, told,
                VirtualEvents.fields().operation(info, scratch)));
    }

    /** Returns whether a listener wants file events. Called when a file is opened. The listener was asked when the database was opened. */
    static byte shouldBeNotifiedOnFileIo(RunningCallbacks running, long id) {
        return (byte) (((DatabaseListener) Callbacks.of(id).target).isToldOfFiles ? 1 : 0);
    }

    static void errorRecoveryBegin(RunningCallbacks running, long id, int reason, long error, long recovers) {
        tell(running, id, EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN, (open, scratch) -> {
            Status copy = EventFields.status(error, scratch);
            boolean goesOn = open.listener.onErrorRecoveryBegin(reason(reason), copy);
            NativeCalls.writeByte(recovers, (byte) (goesOn ? 1 : 0));
        });
    }

    static void errorRecoveryCompleted(RunningCallbacks running, long id, long error) {
        tell(running, id, EnabledEventCallback.ON_ERROR_RECOVERY_COMPLETED, (open, scratch) -> open.listener
                .onErrorRecoveryCompleted(EventFields.status(error, scratch)));
    }
}
