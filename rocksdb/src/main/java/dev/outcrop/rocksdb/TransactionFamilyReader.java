package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.FamilyHandle;
import dev.outcrop.rocksdb.engine.SlowReadEvent;
import dev.outcrop.rocksdb.engine.callbacks.CallbackFailures;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
            return CApi.rocksdb_transaction_create_iterator_cf(transaction.address(), nativeOptions, family.handle);
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
            return CApi.rocksdb_transaction_get_pinned_cf(transaction.address(), readOptions, of.handle, key,
                    keyLength, error);
        }
        transaction.requireChangeable();
        return CApi.rocksdb_transaction_get_pinned_for_update_cf(transaction.address(), readOptions, of.handle, key,
                keyLength, (byte) (mode == LockMode.EXCLUSIVE ? 1 : 0), error);
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
        long array = (long) Long.BYTES * count;
        SlowReadEvent event = SlowReadEvent.beginIfRecorded();
        beginRead();
        try (Scratch scratch = family.enter(); Scratch _ = enterSnapshot()) {
            transaction.requireChangeable();
            // Six arrays: families, keys, their lengths, values, their lengths, errors.
            MemorySegment words = scratch.allocate(Math.max(1, 6 * array), Long.BYTES).fill((byte) 0);
            for (int i = 0; i < count; i++) {
                byte[] key = keys.get(i);
                long at = (long) Long.BYTES * i;
                words.set(ValueLayout.JAVA_LONG, at, family.handle);
                words.set(ValueLayout.JAVA_LONG, at + array, Native.in(scratch, MemorySegment.ofArray(key)).address());
                words.set(ValueLayout.JAVA_LONG, at + 2 * array, key.length);
            }
            long address = words.address();
            CallbackFailures.forget();
            CApi.rocksdb_transaction_multi_get_for_update_cf(transaction.address(), readOptions, address, count,
                    address + array, address + 2 * array, address + 3 * array, address + 4 * array,
                    address + 5 * array);
            List<byte @Nullable []> values = take(words, keys);
            CallbackFailures.rethrow();
            return values;
        } finally {
            endRead();
            SlowReadEvent.end(event, family, keys);
            Reference.reachabilityFence(options);
        }
    }

    /** Copies values and frees them; throws the first error. */
    private List<byte @Nullable []> take(MemorySegment words, List<byte[]> keys) {
        int count = keys.size();
        List<byte @Nullable []> values = new ArrayList<>(count);
        try {
            for (int i = 0; i < count; i++) {
                long error = words.getAtIndex(ValueLayout.JAVA_LONG, 5L * count + i);
                if (error != 0) {
                    words.setAtIndex(ValueLayout.JAVA_LONG, 5L * count + i, 0);
                    // RocksDB reports for all keys what happened to one.
                    throw Conflicts.ofKeys(Status.parse(Native.takeString(error)), family, keys,
                            transaction.starter.lockTimeout());
                }
                long value = words.getAtIndex(ValueLayout.JAVA_LONG, 3L * count + i);
                long length = words.getAtIndex(ValueLayout.JAVA_LONG, 4L * count + i);
                values.add(value == 0 ? null : FamilyReader.array(NativeCalls.view(value, length)));
            }
            return values;
        } finally {
            for (int i = 0; i < count; i++) {
                CApi.rocksdb_free(words.getAtIndex(ValueLayout.JAVA_LONG, 3L * count + i));
                CApi.rocksdb_free(words.getAtIndex(ValueLayout.JAVA_LONG, 5L * count + i));
            }
        }
    }
}
