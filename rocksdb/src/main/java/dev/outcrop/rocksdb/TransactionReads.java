package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Reads of a column family within a transaction. */
final class TransactionReads extends PinningReads {
    private final Transaction transaction;
    /** Which of its beginnings these reads belong to; 0 for any. */
    private final long beginning;

    TransactionReads(Transaction transaction, Family family, ReadOptions options, long beginning) {
        super(family, options);
        this.transaction = transaction;
        this.beginning = beginning;
    }

    @Override
    public void begin() {
        transaction.enter(beginning);
    }

    @Override
    public void end() {
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
            begin();
        }

        @Override
        public void exit() {
            end();
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
    long lookUp(Family of, MemorySegment key, long keyLength, @Nullable LockMode mode, long error) {
        if (mode == null) {
            return CApi.rocksdb_transaction_get_pinned_cf(transaction.address(), readOptions, of.handle, key,
                    keyLength, error);
        }
        transaction.requireChangeable();
        return CApi.rocksdb_transaction_get_pinned_for_update_cf(transaction.address(), readOptions, of.handle, key,
                keyLength, (byte) (mode == LockMode.EXCLUSIVE ? 1 : 0), error);
    }
}
