package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.CompactionFilter.Decision;
import dev.outcrop.rocksdb.engine.NativeCompactionFilter;
import dev.outcrop.rocksdb.engine.NativeFilterFactory;
import dev.outcrop.rocksdb.engine.NativeObject;
import dev.outcrop.rocksdb.engine.callbacks.AllocatedValue;
import dev.outcrop.rocksdb.engine.callbacks.Callback;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFallbacks;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;
import java.util.function.LongUnaryOperator;

/** The callbacks that give RocksDB a value, through a {@link ValueSink}: merge operators and compaction filters. */
final class ValueCallbacks {
    private ValueCallbacks() {
    }

    /** Calls Java merge operators for RocksDB, which copies each result and frees it, because it is given no other function for that. */
    static final class Merge implements Upcall {
        private static final MemorySegment FULL_MERGE = Callbacks.stub(MethodHandles.lookup(), "fullMerge", "fullMerge",
                CCallbacks.ROCKSDB_MERGEOPERATOR_CREATE_FULL_MERGE);
        private static final MemorySegment PARTIAL_MERGE = Callbacks.stub(MethodHandles.lookup(), "partialMerge",
                "partialMerge",
                CCallbacks.ROCKSDB_MERGEOPERATOR_CREATE_PARTIAL_MERGE);

        private Merge() {
        }

        /** Makes a {@code rocksdb_mergeoperator_t *}, which its receiver owns. */
        static long create(MergeFunction function) {
            String name = Callback.requireName("merge operator", function.name());
            return CApi.rocksdb_mergeoperator_create(Callbacks.register(function, CallbackKind.MERGE_OPERATOR, name),
                    Callbacks.DESTRUCTOR, FULL_MERGE, PARTIAL_MERGE, MemorySegment.NULL, Callbacks.NAME);
        }

        static long fullMerge(RunningCallbacks running, long id, long key, long keyLength, long existing,
                long existingLength, long operands,
                long lengths, int count, long success, long newLength) {
            AllocatedValue value = new AllocatedValue();
            try (Arena call = Arena.ofConfined()) {
                // First, so that RocksDB finds an answer there, whatever happens next.
                long _ = CallbackFallbacks.failMerge(success, newLength);
                try {
                    ValueSink sink = new ValueSink(value, call);
                    MemorySegment memory = NativeCalls.readOnlyMemory(call);
                    ((MergeFunction) Callbacks.of(id).target).fullMerge(memory.asSlice(key, keyLength),
                            existing == 0 ? null : memory.asSlice(existing, existingLength),
                            new Operands(memory, operands, lengths, count), sink);
                    if (!sink.isSet()) {
                        throw new IllegalStateException("The merge operator has returned without a new value");
                    }
                    long given = value.give(sink.size(), newLength);
                    NativeCalls.writeByte(success, (byte) 1);
                    return given;
                } catch (Throwable e) {
                    CallbackFailures.add(running, id, e);
                }
            } catch (Throwable e) {
                // Nothing else frees the value.
                value.drop();
                throw e;
            }
            return value.drop();
        }

        static long partialMerge(RunningCallbacks running, long id, long key, long keyLength, long operands,
                long lengths,
                int count,
                long success, long newLength) {
            AllocatedValue value = new AllocatedValue();
            try (Arena call = Arena.ofConfined()) {
                // First, so that RocksDB finds an answer there, whatever happens next.
                long _ = CallbackFallbacks.failMerge(success, newLength);
                try {
                    ValueSink sink = new ValueSink(value, call);
                    MemorySegment memory = NativeCalls.readOnlyMemory(call);
                    if (((MergeFunction) Callbacks.of(id).target).partialMerge(memory.asSlice(key, keyLength),
                            new Operands(memory, operands, lengths, count), sink)) {
                        if (!sink.isSet()) {
                            throw new IllegalStateException("The merge operator has combined operands into nothing");
                        }
                        long given = value.give(sink.size(), newLength);
                        NativeCalls.writeByte(success, (byte) 1);
                        return given;
                    }
                } catch (Throwable e) {
                    CallbackFailures.add(running, id, e);
                }
            } catch (Throwable e) {
                // Nothing else frees the value.
                value.drop();
                throw e;
            }
            return value.drop();
        }

        /** The operands of a call, as segments that are made when asked for. */
        private static final class Operands extends AbstractList<MemorySegment> implements RandomAccess {
            /** All memory, until the call ends. */
            private final MemorySegment memory;
            private final long addresses;
            private final long lengths;
            private final int count;

            Operands(MemorySegment memory, long addresses, long lengths, int count) {
                this.memory = memory;
                this.addresses = addresses;
                this.lengths = lengths;
                this.count = count;
            }

            @Override
            public MemorySegment get(int index) {
                Objects.checkIndex(index, count);
                long offset = (long) index * Long.BYTES;
                return memory.asSlice(memory.get(ValueLayout.JAVA_LONG, addresses + offset),
                        memory.get(ValueLayout.JAVA_LONG, lengths + offset));
            }

            @Override
            public int size() {
                return count;
            }
        }
    }

    /**
     * A Java compaction filter as a native object. RocksDB only points to a filter that is set in options: the caller that passes the
     * address to RocksDB must keep this object reachable as long as native code uses it. RocksDB owns the filters that a factory makes.
     */
    static final class Filter {
        /**
         * RocksDB copies a new value after the call has returned, at an unknown time, so the value stays in memory until the thread's next
         * value.
         */
        private static final ThreadLocal<NewValue> NEW_VALUE = ThreadLocal.withInitial(NewValue::new);

        private final NativeObject owned;

        Filter(CompactionFilter filter) {
            this.owned = new NativeObject(this, create(filter, filter), NativeCompactionFilter::destroy);
        }

        /** Valid while this object is reachable. */
        long address() {
            return owned.address();
        }

        private static long create(CompactionFilter filter, Object owner) {
            String name = Callback.requireName("compaction filter", filter.name());
            return NativeCompactionFilter.create((level, key, value, call, result) -> {
                ValueSink sink = new ValueSink(NEW_VALUE.get(), call);
                Decision decision = filter.filter(level, key, value, sink);
                if (Objects.requireNonNull(decision, "the compaction filter's decision") == Decision.CHANGE_VALUE) {
                    if (!sink.isSet()) {
                        throw new IllegalStateException(
                                "The compaction filter has changed a value without giving a new one");
                    }
                    result.set(sink.address(), sink.size());
                }
                return decision == Decision.REMOVE;
            }, owner, name);
        }

        /** Makes a {@code rocksdb_compactionfilterfactory_t *}, which its receiver owns. */
        static long createFactory(CompactionFilterFactory factory) {
            return NativeFilterFactory.create((isFull, isManual) -> {
                CompactionFilter filter = factory
                        .createCompactionFilter(new CompactionFilterFactory.Context(isFull, isManual));
                return filter == null ? 0 : create(filter, factory);
            }, factory, Callback.requireName("compaction filter factory", factory.name()));
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
}
