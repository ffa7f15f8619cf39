package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.callbacks.CallbackKind;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.callbacks.RunningCallbacks;
import dev.outcrop.rocksdb.engine.capi.CApi;
import dev.outcrop.rocksdb.engine.capi.CCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;

/** Native compaction filters, which call Java filters. If a filter throws, the entry stays unchanged. */
public final class NativeCompactionFilter implements Upcall {
    private static final MemorySegment FILTER = Callbacks.stub(MethodHandles.lookup(), "filter",
            CCallbacks.ROCKSDB_COMPACTIONFILTER_CREATE_FILTER);
    private static final byte KEPT = 0;
    private static final byte REMOVED = 1;

    private NativeCompactionFilter() {
    }

    /** Decides about the entries of a compaction. */
    @FunctionalInterface
    public interface Filter {
        /**
         * Decides about an entry. RocksDB never shows merge operands.
         *
         * @param call   is closed when the call returns, and with it the key and the value
         * @param result receives a new value
         * @return whether the entry is removed
         */
        boolean removes(int level, MemorySegment key, MemorySegment value, Arena call, Result result);
    }

    /** Receives the new value of an entry. RocksDB copies the value after the call has returned. */
    public static final class Result {
        private final long value;
        private final long length;
        private final long changed;

        private Result(long value, long length, long changed) {
            this.value = value;
            this.length = length;
            this.changed = changed;
        }

        /** Gives the entry a new value, which may be a part of the old one. */
        public void set(long address, long size) {
            NativeCalls.writeLong(value, address);
            NativeCalls.writeLong(length, size);
            NativeCalls.writeByte(changed, (byte) 1);
        }
    }

    /** Makes a {@code rocksdb_compactionfilter_t *}. The owner is the user's object. */
    public static long create(Filter filter, Object owner, String name) {
        return CApi.rocksdb_compactionfilter_create(
                Callbacks.register(filter, owner, CallbackKind.COMPACTION_FILTER, name), Callbacks.DESTRUCTOR, FILTER,
                Callbacks.NAME);
    }

    static byte filter(RunningCallbacks running, long id, int level, long key, long keyLength, long value,
            long valueLength, long newValue, long newValueLength, long changed) {
        try (Arena call = Arena.ofConfined()) {
            return ((Filter) Callbacks.of(id).target).removes(level, Callbacks.view(key, keyLength, call),
                    Callbacks.view(value, valueLength, call), call, new Result(newValue, newValueLength, changed))
                            ? REMOVED
                            : KEPT;
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
            return KEPT;
        }
    }

    /** Frees a compaction filter of any class. */
    public static void destroy(long filter) {
        CApi.rocksdb_compactionfilter_destroy(filter);
    }
}
