package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.BiConsumer;

/** How RocksDB calls Java event listeners. */
final class EventCallbacks implements Upcall {
    private static final MemorySegment FLUSH_BEGIN = stub("flushBegin", CCallbacks.ON_FLUSH_BEGIN_CB);
    private static final MemorySegment FLUSH_COMPLETED = stub("flushCompleted", CCallbacks.ON_FLUSH_COMPLETED_CB);
    private static final MemorySegment COMPACTION_BEGIN = stub("compactionBegin", CCallbacks.ON_COMPACTION_BEGIN_CB);
    private static final MemorySegment COMPACTION_COMPLETED = stub("compactionCompleted",
            CCallbacks.ON_COMPACTION_COMPLETED_CB);
    private static final MemorySegment SUBCOMPACTION_BEGIN = stub("subcompactionBegin",
            CCallbacks.ON_SUBCOMPACTION_BEGIN_CB);
    private static final MemorySegment SUBCOMPACTION_COMPLETED = stub("subcompactionCompleted",
            CCallbacks.ON_SUBCOMPACTION_COMPLETED_CB);
    private static final MemorySegment EXTERNAL_FILE_INGESTED = stub("externalFileIngested",
            CCallbacks.ON_EXTERNAL_FILE_INGESTED_CB);
    private static final MemorySegment BACKGROUND_ERROR = stub("backgroundError", CCallbacks.ON_BACKGROUND_ERROR_CB);
    private static final MemorySegment STALL_CONDITIONS_CHANGED = stub("stallConditionsChanged",
            CCallbacks.ON_STALL_CONDITIONS_CHANGED_CB);
    private static final MemorySegment MEMTABLE_SEALED = stub("memTableSealed", CCallbacks.ON_MEMTABLE_SEALED_CB);

    private EventCallbacks() {
    }

    /** Makes a {@code rocksdb_eventlistener_t *}, which its receiver owns. */
    static long create(EventListener listener) {
        long id = Callbacks.register(Objects.requireNonNull(listener, "listener"), CallbackKind.EVENT_LISTENER,
                listener.getClass().getName());
        return CApi.rocksdb_eventlistener_create(id, Callbacks.DESTRUCTOR, FLUSH_BEGIN, FLUSH_COMPLETED,
                COMPACTION_BEGIN, COMPACTION_COMPLETED, SUBCOMPACTION_BEGIN, SUBCOMPACTION_COMPLETED,
                EXTERNAL_FILE_INGESTED, BACKGROUND_ERROR, STALL_CONDITIONS_CHANGED, MEMTABLE_SEALED);
    }

    static void flushBegin(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, info, FlushJobInfo::of, EventListener::onFlushBegin);
    }

    static void flushCompleted(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, info, FlushJobInfo::of, EventListener::onFlushCompleted);
    }

    static void compactionBegin(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, info, CompactionJobInfo::of, EventListener::onCompactionBegin);
    }

    static void compactionCompleted(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, info, CompactionJobInfo::of, EventListener::onCompactionCompleted);
    }

    static void subcompactionBegin(RunningCallbacks running, long id, long info) {
        tell(running, id, info, SubcompactionJobInfo::of, EventListener::onSubcompactionBegin);
    }

    static void subcompactionCompleted(RunningCallbacks running, long id, long info) {
        tell(running, id, info, SubcompactionJobInfo::of, EventListener::onSubcompactionCompleted);
    }

    static void externalFileIngested(RunningCallbacks running, long id, long db, long info) {
        tell(running, id, info, ExternalFileIngestionInfo::of, EventListener::onExternalFileIngested);
    }

    static void stallConditionsChanged(RunningCallbacks running, long id, long info) {
        tell(running, id, info, WriteStallInfo::of, EventListener::onStallConditionsChanged);
    }

    static void memTableSealed(RunningCallbacks running, long id, long info) {
        tell(running, id, info, MemTableInfo::of, EventListener::onMemTableSealed);
    }

    static void backgroundError(RunningCallbacks running, long id, int reason, long status) {
        tell(running, id, status, EventCallbacks::failure, (listener, failure) -> {
            if (listener.onBackgroundError(BackgroundErrorReason.of(reason), failure)) {
                CApi.rocksdb_reset_status(status);
            }
        });
    }

    private static Status failure(long status, Scratch scratch) {
        return Objects.requireNonNullElse(
                InfoValues.status(error -> CApi.rocksdb_status_ptr_get_error(status, error), scratch),
                new Status(Status.Code.UNKNOWN, Status.SubCode.NONE, "OK"));
    }

    /** Copies a C object into a Java one. */
    private interface Reader<T> {
        T read(long info, Scratch scratch);
    }

    private static <T> void tell(RunningCallbacks running, long id, long info, Reader<T> reader,
            BiConsumer<EventListener, T> event) {
        try {
            T copy;
            try (Scratch scratch = Native.scratchForCall()) {
                copy = reader.read(info, scratch);
            }
            event.accept((EventListener) Callbacks.of(id).target, copy);
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
        }
    }

    private static MemorySegment stub(String method, FunctionDescriptor descriptor) {
        return Callbacks.stub(MethodHandles.lookup(), method, descriptor);
    }
}
