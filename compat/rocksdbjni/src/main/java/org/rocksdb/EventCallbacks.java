package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.NativeEventListener;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import org.rocksdb.AbstractEventListener.EnabledEventCallback;

/** Passes events of native code to listeners. Exceptions of listeners are logged, and do not reach RocksDB. */
final class EventCallbacks implements Upcall {

    private static final NativeEventListener LISTENER = new NativeEventListener(MethodHandles.lookup(), "flushBegin",
            "flushCompleted", "compactionBegin", "compactionCompleted", "subcompaction", "subcompaction",
            "fileIngested", "backgroundError", "stallConditionsChanged", "memTableSealed");

    private EventCallbacks() {
    }

    /** Makes a native listener for an id of {@link Callbacks}; options own it. */
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

    /** Called while a listener is constructed, with the bits of its events; makes no native object. */
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
            open.listener.onBackgroundError(BackgroundErrorReason.fromNative(reason), copy);
        });
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
}
