package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeCall;
import dev.outcrop.rocksdb.engine.NativePins;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.PinLayout;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Reads of one key by a transaction. */
final class TransactionReads {

    /** The mode of a read. */
    enum Mode {
        READ,
        /** Locks the key against updates by other transactions, or tracks it. */
        SHARED,
        EXCLUSIVE,
        SHARED_UNVALIDATED,
        EXCLUSIVE_UNVALIDATED;

        static Mode of(boolean exclusive, boolean validate) {
            return validate
                    ? exclusive ? EXCLUSIVE : SHARED
                    : exclusive ? EXCLUSIVE_UNVALIDATED : SHARED_UNVALIDATED;
        }

        boolean isExclusive() {
            return this == EXCLUSIVE || this == EXCLUSIVE_UNVALIDATED;
        }

        boolean isUnvalidated() {
            return this == SHARED_UNVALIDATED || this == EXCLUSIVE_UNVALIDATED;
        }
    }

    private TransactionReads() {
    }

    static byte[] get(Transaction transaction, ColumnFamilyHandle family, ReadOptions options, byte[] key)
            throws RocksDBException {
        return get(transaction, Mode.READ, options, family, key);
    }

    static byte[] getForUpdate(Transaction transaction, ReadOptions options, ColumnFamilyHandle family, byte[] key,
            boolean exclusive, boolean validate) throws RocksDBException {
        return get(transaction, Mode.of(exclusive, validate), options, family, key);
    }

    static GetStatus getForUpdate(Transaction transaction, ReadOptions options, ColumnFamilyHandle family, byte[] key,
            byte[] value, boolean exclusive, boolean validate) throws RocksDBException {
        return get(transaction, Mode.of(exclusive, validate), options, family, key, value);
    }

    static GetStatus getForUpdate(Transaction transaction, ReadOptions options, ColumnFamilyHandle family,
            ByteBuffer key, ByteBuffer value, boolean exclusive, boolean validate) throws RocksDBException {
        return get(transaction, Mode.of(exclusive, validate), options, family, key, value);
    }

    static byte[] get(Transaction transaction, Mode mode, ReadOptions options, ColumnFamilyHandle family, byte[] key)
            throws RocksDBException {
        TransactionContext state = transaction.state_;
        try (Scratch scratch = state.database().use();
                Scratch _ = state.use();
                Scratch _ = options.use();
                Scratch _ = options.state_.useSnapshot(state.database())) {
            synchronized (state.owner().lock()) {
                long found = find(scratch, transaction, options, family, NativeCall.key(scratch, key), key.length,
                        mode);
                return taken(found);
            }
        }
    }

    /** Copies and unpins a value. Returns null if there is none. */
    static byte[] taken(long found) {
        if (found == 0) {
            return null;
        }
        try {
            long pin = found | PinLayout.OF_TRANSACTION;
            return NativeValues.bytes(PinLayout.address(pin), PinLayout.size(pin));
        } finally {
            NativePins.destroySlice(found);
        }
    }

    static GetStatus get(Transaction transaction, Mode mode, ReadOptions options, ColumnFamilyHandle family,
            byte[] key, byte[] to) throws RocksDBException {
        TransactionContext state = transaction.state_;
        try (Scratch scratch = state.database().use();
                Scratch _ = state.use();
                Scratch _ = options.use();
                Scratch _ = options.state_.useSnapshot(state.database())) {
            int size = value(scratch, transaction, options, family, NativeCall.key(scratch, key), key.length,
                    MemorySegment.ofArray(to), mode);
            return status(size);
        }
    }

    static GetStatus get(Transaction transaction, Mode mode, ReadOptions options, ColumnFamilyHandle family,
            ByteBuffer key, ByteBuffer to) throws RocksDBException {
        requireSameKind(key, to);
        TransactionContext state = transaction.state_;
        try (Scratch scratch = state.database().use();
                Scratch _ = state.use();
                Scratch _ = options.use();
                Scratch _ = options.state_.useSnapshot(state.database())) {
            int size = value(scratch, transaction, options, family,
                    NativeCall.key(scratch, MemorySegment.ofBuffer(key)), key.remaining(),
                    MemorySegment.ofBuffer(to), mode);
            key.position(key.limit());
            if (size >= 0) {
                to.position(to.position() + Math.min(to.remaining(), size));
            }
            return status(size);
        }
    }

    private static GetStatus status(int size) {
        return size < 0
                ? new GetStatus(new Status(Status.Code.NotFound, Status.SubCode.None, null), 0)
                : new GetStatus(new Status(Status.Code.Ok, Status.SubCode.None, null), size);
    }

    /** Copies as much of the value as fits. Returns its whole size, or -1 if there is no value. */
    private static int value(Scratch scratch, Transaction transaction, ReadOptions options, ColumnFamilyHandle family,
            MemorySegment key, long length, MemorySegment to, Mode mode) throws RocksDBException {
        synchronized (transaction.state_.owner().lock()) {
            long found = find(scratch, transaction, options, family, key, length, mode);
            if (found == 0) {
                return -1;
            }
            try {
                long pin = found | PinLayout.OF_TRANSACTION;
                long size = PinLayout.size(pin);
                long copied = Math.min(size, to.byteSize());
                if (copied > 0) {
                    NativeCalls.copy(PinLayout.address(pin), copied, to);
                }
                return NativeValues.size(size);
            } finally {
                NativePins.destroySlice(found);
            }
        }
    }

    /** Pins the value. The caller must unpin it. Returns 0 if there is no value. */
    private static long find(Scratch scratch, Transaction transaction, ReadOptions options, ColumnFamilyHandle family,
            MemorySegment key, long length, Mode mode) throws RocksDBException {
        long handle = transaction.nativeHandle_;
        TransactionContext state = transaction.state_;
        long in = family.in(state.database());
        state.database().state_.look();
        if (mode.isUnvalidated() && options.state_.snapshot() != null) {
            throw new RocksDBException(new Status(Status.Code.InvalidArgument, Status.SubCode.None,
                    "If do_validate is false then GetForUpdate with snapshot is not defined."));
        }
        // An untracked read of an optimistic transaction is a plain read.
        if (mode == Mode.READ || (mode.isUnvalidated() && state.isOptimistic())) {
            long found = NativeTransaction.pin(handle, options.nativeHandle_, in, key, length, Errors.place(scratch));
            Errors.check(scratch);
            return found;
        }
        state.requireUsable();
        long found = NativeTransaction.pinForUpdate(handle, options.nativeHandle_, in, key, length,
                mode.isExclusive(), Errors.place(scratch));
        if (mode.isUnvalidated()) {
            UntrackedWrites.check(scratch, handle);
        } else {
            Errors.check(scratch);
        }
        return found;
    }

    static void requireSameKind(ByteBuffer key, ByteBuffer value) throws RocksDBException {
        if (key.isDirect() != value.isDirect()) {
            throw new RocksDBException("ByteBuffer parameters must all be direct, or must all be indirect");
        }
    }
}
