package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.CompactionFilter.Decision;
import dev.outcrop.rocksdb.engine.NativeFilterFactory;
import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.CallbackNames;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.LongUnaryOperator;

/**
 * A Java compaction filter as RocksDB's. RocksDB only points to one that is set in options: the caller that gives its address to RocksDB
 * keeps this object reachable until nothing native uses it any more. It owns those that a factory makes.
 */
final class NativeCompactionFilter implements Upcall {
    private static final MemorySegment FILTER = Callbacks.stub(MethodHandles.lookup(), "filter",
            CCallbacks.ROCKSDB_COMPACTIONFILTER_CREATE_FILTER);
    private static final byte KEPT = 0;
    private static final byte REMOVED = 1;
    /** RocksDB copies a new value when the call has returned, and does not say when; so it lies where the thread's next one will. */
    private static final ThreadLocal<NewValue> NEW_VALUE = ThreadLocal.withInitial(NewValue::new);

    private final NativeObject owned;

    NativeCompactionFilter(CompactionFilter filter) {
        this.owned = new NativeObject(this, create(filter, filter), CApi::rocksdb_compactionfilter_destroy);
    }

    /** Valid while this object is reachable. */
    long address() {
        return owned.address();
    }

    private static long create(CompactionFilter filter, Object owner) {
        String name = CallbackNames.check("compaction filter", filter.name());
        return CApi.rocksdb_compactionfilter_create(
                Callbacks.register(filter, owner, CallbackKind.COMPACTION_FILTER, name),
                Callbacks.DESTRUCTOR, FILTER, Callbacks.NAME);
    }

    /** Makes a {@code rocksdb_compactionfilterfactory_t *}, which its receiver owns. */
    static long createFactory(CompactionFilterFactory factory) {
        return NativeFilterFactory.create((isFull, isManual) -> {
            CompactionFilter filter = factory
                    .createCompactionFilter(new CompactionFilterFactory.Context(isFull, isManual));
            return filter == null ? 0 : create(filter, factory);
        }, factory, CallbackNames.check("compaction filter factory", factory.name()));
    }

    static byte filter(RunningCallbacks running, long id, int level, long key, long keyLength, long value,
            long valueLength, long newValue, long newValueLength, long changed) {
        try (Arena call = Arena.ofConfined()) {
            ValueSink sink = new ValueSink(NEW_VALUE.get(), call);
            Decision decision = ((CompactionFilter) Callbacks.of(id).target).filter(level,
                    Callbacks.view(key, keyLength, call), Callbacks.view(value, valueLength, call), sink);
            if (Objects.requireNonNull(decision, "the compaction filter's decision") != Decision.CHANGE_VALUE) {
                return decision == Decision.REMOVE ? REMOVED : KEPT;
            }
            if (!sink.isSet()) {
                throw new IllegalStateException("The compaction filter has changed a value without giving a new one");
            }
            NativeCalls.writeLong(newValue, sink.address());
            NativeCalls.writeLong(newValueLength, sink.size());
            NativeCalls.writeByte(changed, (byte) 1);
            return KEPT;
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return KEPT;
        }
    }

    /** A thread's memory for new values. */
    private static final class NewValue implements LongUnaryOperator {
        private static final long FIRST = 4096;
        /** More than that is given back when a smaller value comes. */
        private static final long LARGE = 1L << 20;

        private MemorySegment memory = Arena.ofAuto().allocate(FIRST);

        @Override
        public long applyAsLong(long size) {
            if (size > memory.byteSize() || (size < LARGE && memory.byteSize() > LARGE)) {
                memory = Arena.ofAuto().allocate(Math.max(FIRST, Long.highestOneBit(size) << 1));
            }
            return memory.address();
        }
    }
}
