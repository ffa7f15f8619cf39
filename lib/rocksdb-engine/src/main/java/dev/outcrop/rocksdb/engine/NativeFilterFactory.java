package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** Native factories of compaction filters, which call Java ones. */
public final class NativeFilterFactory implements Upcall {
    private static final MemorySegment CREATE = Callbacks.stub(MethodHandles.lookup(), "create",
            CCallbacks.ROCKSDB_COMPACTIONFILTERFACTORY_CREATE_CREATE_COMPACTION_FILTER);
    /** Keeps all entries. */
    private static final long NO_FILTER = 0;

    private NativeFilterFactory() {
    }

    /** Makes a filter for each compaction. */
    public interface Maker {
        /** Makes a {@code rocksdb_compactionfilter_t *}, which the compaction owns; 0 keeps all entries. */
        long make(boolean isFullCompaction, boolean isManualCompaction);
    }

    /** Makes a {@code rocksdb_compactionfilterfactory_t *}; its receiver owns it. The owner is the user's object. */
    public static long create(Maker maker, Object owner, String name) {
        return CApi.rocksdb_compactionfilterfactory_create(
                Callbacks.register(maker, owner, CallbackKind.COMPACTION_FILTER_FACTORY, name), Callbacks.DESTRUCTOR,
                CREATE, Callbacks.NAME);
    }

    static long create(RunningCallbacks running, long id, long context) {
        try {
            return ((Maker) Callbacks.of(id).target).make(
                    CApi.rocksdb_compactionfiltercontext_is_full_compaction(context) != 0,
                    CApi.rocksdb_compactionfiltercontext_is_manual_compaction(context) != 0);
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return NO_FILTER;
        }
    }
}
