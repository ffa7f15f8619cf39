package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import dev.outcrop.rocksdbjni.Unsupported;
import java.lang.foreign.MemorySegment;

/**
 * What the published {@code Transaction} has as private methods that take native handles. Zeebe looks them up by reflection, because they
 * let it give parts of arrays. As there, the handles must be those of open objects of one database, and one thread at a time uses a
 * transaction: an address tells nothing else.
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
                    Natives.key(scratch, key, keyOffset, keyLength), keyLength, Errors.place(scratch));
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

    /** C has no such function, and what stands in for it ends the iterators of the transaction, which an address does not tell. */
    private static void refuseAssumption(boolean assumeTracked) {
        if (assumeTracked) {
            throw Unsupported.method("The private method of Transaction with assumeTracked");
        }
    }
}
