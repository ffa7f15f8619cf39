package org.rocksdb;

import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;

/** What a transaction does with a key: as RocksDB's transaction does it, and as an entry of its batch. */
enum TransactionWrite {
    PUT(0) {
        @Override
        void tracked(long transaction, long family, MemorySegment key, long length, MemorySegment value,
                long valueLength, long error) {
            CApi.rocksdb_transaction_put_cf(transaction, family, key, length, value, valueLength, error);
        }

        @Override
        void toBatch(long batch, long family, MemorySegment key, long length, MemorySegment value, long valueLength) {
            CApi.rocksdb_writebatch_wi_put_cf(batch, family, key, length, value, valueLength);
        }
    },
    MERGE(1) {
        @Override
        void tracked(long transaction, long family, MemorySegment key, long length, MemorySegment value,
                long valueLength, long error) {
            CApi.rocksdb_transaction_merge_cf(transaction, family, key, length, value, valueLength, error);
        }

        @Override
        void toBatch(long batch, long family, MemorySegment key, long length, MemorySegment value, long valueLength) {
            CApi.rocksdb_writebatch_wi_merge_cf(batch, family, key, length, value, valueLength);
        }
    },
    DELETE(2) {
        @Override
        void tracked(long transaction, long family, MemorySegment key, long length, MemorySegment value,
                long valueLength, long error) {
            CApi.rocksdb_transaction_delete_cf(transaction, family, key, length, error);
        }

        @Override
        void toBatch(long batch, long family, MemorySegment key, long length, MemorySegment value, long valueLength) {
            CApi.rocksdb_writebatch_wi_delete_cf(batch, family, key, length);
        }
    },
    SINGLE_DELETE(2) {
        // C has no such function, but a transaction takes whole batches, entry by entry.
        @Override
        void tracked(long transaction, long family, MemorySegment key, long length, MemorySegment value,
                long valueLength, long error) {
            long batch = NativeWriteBatch.create();
            try {
                NativeWriteBatch.singleDelete(batch, family, key, length);
                CApi.rocksdb_transaction_rebuild_from_writebatch(transaction, batch, error);
            } finally {
                NativeWriteBatch.destroy(batch);
            }
        }

        @Override
        void toBatch(long batch, long family, MemorySegment key, long length, MemorySegment value, long valueLength) {
            CApi.rocksdb_writebatch_wi_singledelete_cf(batch, family, key, length);
        }
    };

    /** Which counter it belongs to, see {@link TransactionParts#countWrite}. */
    final int counter;

    TransactionWrite(int counter) {
        this.counter = counter;
    }

    abstract void tracked(long transaction, long family, MemorySegment key, long length, MemorySegment value,
            long valueLength, long error);

    abstract void toBatch(long batch, long family, MemorySegment key, long length, MemorySegment value,
            long valueLength);
}
