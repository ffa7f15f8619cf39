package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import dev.outcrop.rocksdb.engine.NativeMultiGet;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads of a column family within a transaction. */
sealed class TransactionFamilyReader extends PinningReader permits TransactionOperations {
    final Transaction transaction;
    /** Which of its beginnings these reads belong to; 0 for any. */
    private final long ofBeginning;

    TransactionFamilyReader(Transaction transaction, Family family, ReadOptions options, long beginning) {
        super(family, options);
        this.transaction = transaction;
        this.ofBeginning = beginning;
    }

    /** For a transaction itself, which cannot be an argument while it is made. */
    TransactionFamilyReader(Family family) {
        super(family, new ReadOptions());
        this.transaction = (Transaction) this;
        this.ofBeginning = Transaction.ANY_BEGINNING;
    }

    @Override
    void beginRead() {
        transaction.enter(ofBeginning);
    }

    @Override
    void endRead() {
        transaction.exit();
    }

    @Override
    Iterators.Source iteratorSource() {
        return new IteratorSource();
    }

    /** The transaction over its database. */
    private final class IteratorSource implements Iterators.Source, KeyValueIterator.Owner {
        @Override
        public long create(long nativeOptions) {
            return NativeTransaction.createIterator(transaction.address(), nativeOptions, family.handle);
        }

        @Override
        public KeyValueIterator.Owner owner() {
            return this;
        }

        @Override
        public void enter() {
            beginRead();
        }

        @Override
        public void exit() {
            endRead();
        }

        @Override
        public void opened(KeyValueIterator iterator) {
            transaction.iterators().add(iterator);
        }

        @Override
        public void closed(KeyValueIterator iterator) {
            transaction.iterators().remove(iterator);
        }
    }

    @Override
    long lookUp(FamilyHandle of, MemorySegment key, long keyLength, @Nullable LockMode mode, long error) {
        if (mode == null) {
            return NativeTransaction.pin(transaction.address(), readOptions, of.handle, key, keyLength, error);
        }
        transaction.requireChangeable();
        return NativeTransaction.pinForUpdate(transaction.address(), readOptions, of.handle, key, keyLength,
                mode == LockMode.EXCLUSIVE, error);
    }

    @Override
    RocksDBException failure(Status status, MemorySegment key) {
        return Conflicts.ofKey(status, family, key, transaction.starter.lockTimeout());
    }

    @Override
    public List<byte @Nullable []> multiGetForUpdate(List<byte[]> keys) {
        // The C API copies the values: a caller that reads to update wants to keep them anyway.
        Objects.requireNonNull(keys, "keys");
        int count = keys.size();
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        beginRead();
        try (Scratch scratch = family.enter();
                Scratch _ = enterSnapshot();
                NativeMultiGet found = new NativeMultiGet(scratch, count)) {
            transaction.requireChangeable();
            for (int i = 0; i < count; i++) {
                found.setKey(i, family.handle, keys.get(i));
            }
            NativeTransaction.multiGetForUpdate(found, transaction.address(), readOptions);
            Status status = Native.status(scratch);
            if (status != null) {
                // RocksDB reports for all keys what happened to one.
                throw Native.failure(Conflicts.ofKeys(status, family, keys, transaction.starter.lockTimeout()));
            }
            CallbackFailures.rethrow();
            List<byte @Nullable []> values = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                long value = found.address(i);
                values.add(value == 0 ? null : FamilyReader.array(NativeCalls.view(value, found.length(i))));
            }
            return values;
        } finally {
            endRead();
            SlowReadEvent.end(event, family, keys);
            Reference.reachabilityFence(options);
        }
    }
}
