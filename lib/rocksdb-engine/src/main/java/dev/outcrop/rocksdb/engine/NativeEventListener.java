package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.List;

/** The function pointers of an API's event listeners. */
public final class NativeEventListener {
    private static final List<FunctionDescriptor> EVENTS = List.of(CCallbacks.ON_FLUSH_BEGIN_CB,
            CCallbacks.ON_FLUSH_COMPLETED_CB, CCallbacks.ON_COMPACTION_BEGIN_CB, CCallbacks.ON_COMPACTION_COMPLETED_CB,
            CCallbacks.ON_SUBCOMPACTION_BEGIN_CB, CCallbacks.ON_SUBCOMPACTION_COMPLETED_CB,
            CCallbacks.ON_EXTERNAL_FILE_INGESTED_CB, CCallbacks.ON_BACKGROUND_ERROR_CB,
            CCallbacks.ON_STALL_CONDITIONS_CHANGED_CB, CCallbacks.ON_MEMTABLE_SEALED_CB);

    private final MemorySegment[] stubs = new MemorySegment[EVENTS.size()];

    /**
     * Makes the function pointers, which live as long as the process.
     *
     * @param lookup  of the class with the methods
     * @param methods their names, in the order of {@code rocksdb_eventlistener_create}
     */
    public NativeEventListener(MethodHandles.Lookup lookup, String... methods) {
        for (int i = 0; i < stubs.length; i++) {
            stubs[i] = Callbacks.stub(lookup, methods[i], EVENTS.get(i));
        }
    }

    /** Makes a {@code rocksdb_eventlistener_t *} for a registered object; its receiver owns it. */
    public long create(long id) {
        return CApi.rocksdb_eventlistener_create(id, Callbacks.DESTRUCTOR, stubs[0], stubs[1], stubs[2], stubs[3],
                stubs[4], stubs[5], stubs[6], stubs[7], stubs[8], stubs[9]);
    }

    /** Copies the status of a background error to a word. */
    public static void failure(long status, long error) {
        CApi.rocksdb_status_ptr_get_error(status, error);
    }
}
