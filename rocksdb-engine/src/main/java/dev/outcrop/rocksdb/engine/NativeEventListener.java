package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** The function pointers of event listeners, to the methods of an API's class that have the names below. */
public final class NativeEventListener {
    private final MethodHandles.Lookup lookup;
    private final MemorySegment flushBegin;
    private final MemorySegment flushCompleted;
    private final MemorySegment compactionBegin;
    private final MemorySegment compactionCompleted;
    private final MemorySegment subcompactionBegin;
    private final MemorySegment subcompactionCompleted;
    private final MemorySegment externalFileIngested;
    private final MemorySegment backgroundError;
    private final MemorySegment stallConditionsChanged;
    private final MemorySegment memTableSealed;

    /** Makes the function pointers, which live as long as the process. */
    public NativeEventListener(MethodHandles.Lookup lookup) {
        this.lookup = lookup;
        this.flushBegin = stub("flushBegin", CCallbacks.ON_FLUSH_BEGIN_CB);
        this.flushCompleted = stub("flushCompleted", CCallbacks.ON_FLUSH_COMPLETED_CB);
        this.compactionBegin = stub("compactionBegin", CCallbacks.ON_COMPACTION_BEGIN_CB);
        this.compactionCompleted = stub("compactionCompleted", CCallbacks.ON_COMPACTION_COMPLETED_CB);
        this.subcompactionBegin = stub("subcompactionBegin", CCallbacks.ON_SUBCOMPACTION_BEGIN_CB);
        this.subcompactionCompleted = stub("subcompactionCompleted", CCallbacks.ON_SUBCOMPACTION_COMPLETED_CB);
        this.externalFileIngested = stub("externalFileIngested", CCallbacks.ON_EXTERNAL_FILE_INGESTED_CB);
        this.backgroundError = stub("backgroundError", CCallbacks.ON_BACKGROUND_ERROR_CB);
        this.stallConditionsChanged = stub("stallConditionsChanged", CCallbacks.ON_STALL_CONDITIONS_CHANGED_CB);
        this.memTableSealed = stub("memTableSealed", CCallbacks.ON_MEMTABLE_SEALED_CB);
    }

    private MemorySegment stub(String method, FunctionDescriptor descriptor) {
        return Callbacks.stub(lookup, method, descriptor);
    }

    /** Makes a {@code rocksdb_eventlistener_t *} for a registered object, which its receiver owns. */
    public long create(long id) {
        return CApi.rocksdb_eventlistener_create(id, Callbacks.DESTRUCTOR, flushBegin, flushCompleted,
                compactionBegin, compactionCompleted, subcompactionBegin, subcompactionCompleted,
                externalFileIngested, backgroundError, stallConditionsChanged, memTableSealed);
    }

    /** Copies the status of a background error to an error's word. */
    public static void failure(long status, long error) {
        CApi.rocksdb_status_ptr_get_error(status, error);
    }
}
