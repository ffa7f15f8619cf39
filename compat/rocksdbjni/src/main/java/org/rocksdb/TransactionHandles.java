package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdbjni.Unsupported;
import java.lang.foreign.MemorySegment;

/**
 * The private methods of the published {@code Transaction} that take native handles. Zeebe calls them by reflection, because they take
 * parts of arrays. As in the published class, the handles must belong to open objects of one database, and only one thread at a time may
 * use a transaction. Nothing can be checked here.
 */
final class TransactionHandles {

    private TransactionHandles() {
    }

    static void put(long transaction, byte[] key, int keyOffset, int keyLength, byte[] value, int valueOffset,
            int valueLength, long family, boolean assumeTracked) throws RocksDBException {
        refuseAssumption(assumeTracked);
        try (Scratch scratch = Scratch.open()) {
            NativeTransaction.put(scratch, transaction, family,
                    MemorySegment.ofArray(key).asSlice(keyOffset, keyLength),
                    MemorySegment.ofArray(value).asSlice(valueOffset, valueLength));
            Errors.check(scratch);
        }
    }

    static byte[] get(long transaction, long readOptions, byte[] key, int keyOffset, int keyLength, long family)
            throws RocksDBException {
        try (Scratch scratch = Scratch.open()) {
            long found = NativeTransaction.pin(transaction, readOptions, family,
                    NativeValues.key(scratch, key, keyOffset, keyLength), keyLength, Errors.place(scratch));
            Errors.check(scratch);
            return TransactionReads.taken(found);
        }
    }

    static void delete(long transaction, byte[] key, int keyLength, long family, boolean assumeTracked)
            throws RocksDBException {
        refuseAssumption(assumeTracked);
        try (Scratch scratch = Scratch.open()) {
            NativeTransaction.delete(scratch, transaction, family, MemorySegment.ofArray(key).asSlice(0, keyLength));
            Errors.check(scratch);
        }
    }

    /**
     * Refuses {@code assumeTracked}. C has no such function, and a replacement would have to end the iterators of the transaction, which
     * are unknown here.
     */
    private static void refuseAssumption(boolean assumeTracked) {
        if (assumeTracked) {
            throw Unsupported.method("The private method of Transaction with assumeTracked");
        }
    }
}
