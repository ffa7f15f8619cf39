package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.NativeEventListener;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.BiConsumer;

/** Calls Java event listeners for RocksDB. */
final class EventCallbacks implements Upcall {
    private static final NativeEventListener LISTENER = new NativeEventListener(MethodHandles.lookup(), "flushBegin",
            "flushCompleted", "compactionBegin", "compactionCompleted", "subcompactionBegin", "subcompactionCompleted",
            "externalFileIngested", "backgroundError", "stallConditionsChanged", "memTableSealed");

    private EventCallbacks() {
    }

    /** Makes a {@code rocksdb_eventlistener_t *}, which its receiver owns. */
    static long create(EventListener listener) {
        long id = Callbacks.register(Objects.requireNonNull(listener, "listener"), CallbackKind.EVENT_LISTENER,
                listener.getClass().getName());
        return LISTENER.create(id);
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
                Status.of(error -> NativeEventListener.failure(status, error), scratch),
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
            try (Scratch scratch = ApiCall.scratchForCall()) {
                copy = reader.read(info, scratch);
            }
            event.accept((EventListener) Callbacks.of(id).target, copy);
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
        }
    }
}
