package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.memory.Upcall;
import dev.outcrop.rocksdb.WalFilter.Decision;
import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdb.capi.CCallbacks;
import dev.outcrop.rocksdb.capi.CConstants;
import dev.outcrop.rocksdb.internal.NativeObject;
import dev.outcrop.rocksdb.internal.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.internal.callbacks.CallbackKind;
import dev.outcrop.rocksdb.internal.callbacks.CallbackNames;
import dev.outcrop.rocksdb.internal.callbacks.Callbacks;
import dev.outcrop.rocksdb.internal.callbacks.RunningCallbacks;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A Java filter of the write-ahead log as RocksDB's. RocksDB only points to it: the caller that gives its address to RocksDB keeps this object
 * reachable until nothing native uses it any more.
 */
final class NativeWalFilter implements Upcall {
    private static final MemorySegment FAMILIES = Callbacks.stub(MethodHandles.lookup(), "families",
            CCallbacks.ROCKSDB_WALFILTER_COLUMN_FAMILY_LOG_NUMBER_MAP_CB);
    private static final MemorySegment RECORD = Callbacks.stub(MethodHandles.lookup(), "record", "walRecord",
            CCallbacks.ROCKSDB_WALFILTER_LOG_RECORD_FOUND_CB);

    /** The number of operations in a batch, see BatchFormat. */
    private static final ValueLayout.OfInt COUNT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final long COUNT_OFFSET = 8;

    private final NativeObject owned;

    NativeWalFilter(WalFilter filter) {
        String name = CallbackNames.check("WAL filter", filter.name());
        this.owned = new NativeObject(this,
                CApi.rocksdb_walfilter_create(Callbacks.register(filter, CallbackKind.WAL_FILTER, name),
                        Callbacks.DESTRUCTOR,
                        FAMILIES, RECORD, Callbacks.NAME),
                CApi::rocksdb_walfilter_destroy);
    }

    /** Valid while this object is reachable. */
    long address() {
        return owned.address();
    }

    static void families(RunningCallbacks running, long id, long familyIds, long logNumbers, long count, long names,
            long nameLengths, long namedIds, long nameCount) {
        try {
            Map<Integer, Long> logs = new LinkedHashMap<>();
            for (long i = 0; i < count; i++) {
                logs.put(ints(familyIds, count).getAtIndex(ValueLayout.JAVA_INT, i),
                        longs(logNumbers, count).getAtIndex(ValueLayout.JAVA_LONG, i));
            }
            Map<String, Integer> ids = new LinkedHashMap<>();
            for (long i = 0; i < nameCount; i++) {
                ids.put(string(longs(names, nameCount).getAtIndex(ValueLayout.JAVA_LONG, i),
                        longs(nameLengths, nameCount).getAtIndex(ValueLayout.JAVA_LONG, i)),
                        ints(namedIds, nameCount).getAtIndex(ValueLayout.JAVA_INT, i));
            }
            ((WalFilter) Callbacks.of(id).target).columnFamilyLogNumbers(Collections.unmodifiableMap(logs),
                    Collections.unmodifiableMap(ids));
        } catch (Throwable e) {
            CallbackFailures.add(running, id, e);
        }
    }

    static int record(RunningCallbacks running, long id, long logNumber, long file, long fileLength, long batch,
            long newBatch, long changed) {
        try (Arena call = Arena.ofConfined(); Scratch scratch = Native.scratchForCall()) {
            try {
                long data = CApi.rocksdb_writebatch_data(batch, scratch.wordAddress(1));
                Decision decision = ((WalFilter) Callbacks.of(id).target).logRecordFound(logNumber,
                        string(file, fileLength), Callbacks.view(data, scratch.word(1), call),
                        new Replacement(newBatch, call));
                return switch (Objects.requireNonNull(decision, "the WAL filter's decision")) {
                    case KEEP -> CConstants.rocksdb_wal_filter_continue_processing;
                    case REPLACE -> {
                        NativeCalls.writeByte(changed, (byte) 1);
                        yield CConstants.rocksdb_wal_filter_continue_processing;
                    }
                    case IGNORE -> CConstants.rocksdb_wal_filter_ignore_current_record;
                    case STOP_REPLAY -> CConstants.rocksdb_wal_filter_stop_replay;
                    case CORRUPTED -> CConstants.rocksdb_wal_filter_corrupted_record;
                };
            } catch (Throwable e) {
                CallbackFailures.add(running, id, e);
                return fail(scratch, batch, newBatch, changed);
            }
        }
    }

    /**
     * Ends the opening. RocksDB may go on without a record that is damaged, and then delete it; but it gives up if a replacement claims to
     * have more operations than there were, and looks no further at such a one.
     */
    private static int fail(Scratch scratch, long batch, long newBatch, long changed) {
        int count = CApi.rocksdb_writebatch_count(batch);
        long data = CApi.rocksdb_writebatch_data(newBatch, scratch.wordAddress(1));
        NativeCalls.view(data, scratch.word(1)).set(COUNT, COUNT_OFFSET, count + 1);
        NativeCalls.writeByte(changed, (byte) 1);
        return CConstants.rocksdb_wal_filter_continue_processing;
    }

    private static MemorySegment ints(long address, long count) {
        return NativeCalls.view(address, count * Integer.BYTES);
    }

    private static MemorySegment longs(long address, long count) {
        return NativeCalls.view(address, count * Long.BYTES);
    }

    private static String string(long address, long length) {
        return new String(NativeCalls.view(address, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    /** Writes into a batch of RocksDB's that is there for the time of a call. */
    private record Replacement(long batch, Arena call) implements KeyValueWriter {
        @Override
        public void put(MemorySegment key, MemorySegment value) {
            withTwo(CApi::rocksdb_writebatch_put, key, value);
        }

        @Override
        public void merge(MemorySegment key, MemorySegment operand) {
            withTwo(CApi::rocksdb_writebatch_merge, key, operand);
        }

        @Override
        public void deleteRange(MemorySegment begin, MemorySegment end) {
            withTwo(CApi::rocksdb_writebatch_delete_range, begin, end);
        }

        @Override
        public void delete(MemorySegment key) {
            withOne(CApi::rocksdb_writebatch_delete, key);
        }

        @Override
        public void singleDelete(MemorySegment key) {
            withOne(CApi::rocksdb_writebatch_singledelete, key);
        }

        private interface WithTwo {
            void call(long batch, MemorySegment first, long firstLength, MemorySegment second, long secondLength);
        }

        private interface WithOne {
            void call(long batch, MemorySegment key, long keyLength);
        }

        private void withTwo(WithTwo function, MemorySegment first, MemorySegment second) {
            requireUsable();
            Native.requireSize(first.byteSize() + second.byteSize());
            try (Scratch scratch = Native.scratchForCall()) {
                function.call(batch, Native.in(scratch, first), first.byteSize(), Native.in(scratch, second),
                        second.byteSize());
            }
        }

        private void withOne(WithOne function, MemorySegment key) {
            requireUsable();
            Native.requireSize(key.byteSize());
            try (Scratch scratch = Native.scratchForCall()) {
                function.call(batch, Native.in(scratch, key), key.byteSize());
            }
        }

        private void requireUsable() {
            if (!call.scope().isAlive()) {
                throw new IllegalStateException("The WAL filter's call that this replacement belonged to has returned");
            }
            if (!NativeCalls.view(batch, 1, call).isAccessibleBy(Thread.currentThread())) {
                throw new WrongThreadException("A replacement belongs to the thread of the WAL filter's call");
            }
        }
    }
}
