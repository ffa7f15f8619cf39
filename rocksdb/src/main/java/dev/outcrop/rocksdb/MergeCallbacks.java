package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.CallbackNames;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.GivenValue;
import dev.outcrop.rocksdb.engine.callbacks.LostAnswers;
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

/** How RocksDB calls Java merge operators. It copies each result and then frees it, because no function for that is given to it. */
final class MergeCallbacks implements Upcall {
    private static final MemorySegment FULL_MERGE = Callbacks.stub(MethodHandles.lookup(), "fullMerge", "fullMerge",
            CCallbacks.ROCKSDB_MERGEOPERATOR_CREATE_FULL_MERGE);
    private static final MemorySegment PARTIAL_MERGE = Callbacks.stub(MethodHandles.lookup(), "partialMerge",
            "partialMerge",
            CCallbacks.ROCKSDB_MERGEOPERATOR_CREATE_PARTIAL_MERGE);

    private MergeCallbacks() {
    }

    /** Makes a {@code rocksdb_mergeoperator_t *}, which its receiver owns. */
    static long create(MergeFunction function) {
        String name = CallbackNames.check("merge operator", function.name());
        return CApi.rocksdb_mergeoperator_create(Callbacks.register(function, CallbackKind.MERGE_OPERATOR, name),
                Callbacks.DESTRUCTOR, FULL_MERGE, PARTIAL_MERGE, MemorySegment.NULL, Callbacks.NAME);
    }

    static long fullMerge(RunningCallbacks running, long id, long key, long keyLength, long existing,
            long existingLength, long operands,
            long lengths, int count, long success, long newLength) {
        GivenValue value = new GivenValue();
        try (Arena call = Arena.ofConfined()) {
            // At once, so that whatever happens now, RocksDB finds an answer there.
            long _ = LostAnswers.failMerge(success, newLength);
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
            // Nobody else knows of the value.
            value.drop();
            throw e;
        }
        return value.drop();
    }

    static long partialMerge(RunningCallbacks running, long id, long key, long keyLength, long operands, long lengths,
            int count,
            long success, long newLength) {
        GivenValue value = new GivenValue();
        try (Arena call = Arena.ofConfined()) {
            // At once, so that whatever happens now, RocksDB finds an answer there.
            long _ = LostAnswers.failMerge(success, newLength);
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
            // Nobody else knows of the value.
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
