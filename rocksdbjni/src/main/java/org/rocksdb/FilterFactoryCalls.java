package org.rocksdb;

import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;

/** Has compaction filter factories in Java make filters. */
final class FilterFactoryCalls implements Upcall {

    private static final MemorySegment CREATE = Callbacks.stub(MethodHandles.lookup(), "create",
            CCallbacks.ROCKSDB_COMPACTIONFILTERFACTORY_CREATE_CREATE_COMPACTION_FILTER);
    /** All entries are kept. */
    private static final long NO_FILTER = 0;

    private FilterFactoryCalls() {
    }

    /** Makes a native factory, which the options own that it is given to. */
    static long make(AbstractCompactionFilterFactory<?> factory) {
        String name = Objects.requireNonNull(factory.name(), "The compaction filter factory has no name");
        long id = Callbacks.register(factory, CallbackKind.COMPACTION_FILTER_FACTORY, name);
        return CApi.rocksdb_compactionfilterfactory_create(id, Callbacks.DESTRUCTOR, CREATE, Callbacks.NAME);
    }

    @SuppressWarnings("unused") // through a function pointer
    static long create(RunningCallbacks running, long id, long context) {
        try {
            AbstractCompactionFilter<?> filter = ((AbstractCompactionFilterFactory<?>) Callbacks.of(id).target)
                    .createCompactionFilter(new AbstractCompactionFilter.Context(
                            CApi.rocksdb_compactionfiltercontext_is_full_compaction(context) != 0,
                            CApi.rocksdb_compactionfiltercontext_is_manual_compaction(context) != 0));
            return filter == null ? NO_FILTER : filter.giveToCompaction();
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return NO_FILTER;
        }
    }
}
