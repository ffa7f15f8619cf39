package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.WalFilter.Decision;
import dev.outcrop.rocksdb.engine.NativeWalFilter;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.callbacks.CallbackNames;
import dev.outcrop.rocksdb.engine.callbacks.Callbacks;
import dev.outcrop.rocksdb.engine.capi.CConstants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;

/** How RocksDB calls a Java filter of the write-ahead log. */
final class WalFilterCallback implements NativeWalFilter.Filter {
    private final WalFilter filter;

    private WalFilterCallback(WalFilter filter) {
        this.filter = filter;
    }

    /** Makes the native filter. */
    static NativeWalFilter create(WalFilter filter) {
        return new NativeWalFilter(new WalFilterCallback(filter), filter,
                CallbackNames.check("WAL filter", filter.name()));
    }

    @Override
    public void families(Map<Integer, Long> logNumbers, Map<String, Integer> ids) {
        filter.columnFamilyLogNumbers(Collections.unmodifiableMap(logNumbers), Collections.unmodifiableMap(ids));
    }

    @Override
    public int record(Scratch scratch, long logNumber, String file, long batch, long newBatch, long changed) {
        try (Arena call = Arena.ofConfined()) {
            long data = NativeWriteBatch.data(batch, scratch.wordAddress(1));
            Decision decision = filter.logRecordFound(logNumber, file, Callbacks.view(data, scratch.word(1), call),
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
        }
    }

    /** Writes into a batch of RocksDB's that is there for the time of a call. */
    private record Replacement(long batch, Arena call) implements KeyValueWriter {
        @Override
        public void put(MemorySegment key, MemorySegment value) {
            withTwo(NativeWriteBatch::put, key, value);
        }

        @Override
        public void merge(MemorySegment key, MemorySegment operand) {
            withTwo(NativeWriteBatch::merge, key, operand);
        }

        @Override
        public void deleteRange(MemorySegment begin, MemorySegment end) {
            withTwo(NativeWriteBatch::deleteRange, begin, end);
        }

        @Override
        public void delete(MemorySegment key) {
            withOne(NativeWriteBatch::delete, key);
        }

        @Override
        public void singleDelete(MemorySegment key) {
            withOne(NativeWriteBatch::singleDelete, key);
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
