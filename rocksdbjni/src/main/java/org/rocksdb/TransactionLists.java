package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeMultiGet;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Reads of many keys by a transaction. */
final class TransactionLists {

    private TransactionLists() {
    }

    static byte[][] multiGet(Transaction transaction, boolean forUpdate, ReadOptions options,
            List<ColumnFamilyHandle> families, byte[][] keys) throws RocksDBException {
        return values(transaction, options, families, List.of(keys), forUpdate);
    }

    static List<byte[]> multiGet(Transaction transaction, boolean forUpdate, ReadOptions options,
            List<ColumnFamilyHandle> families, List<byte[]> keys) throws RocksDBException {
        return new ArrayList<>(Arrays.asList(values(transaction, options, families, keys, forUpdate)));
    }

    static List<byte[]> multiGet(Transaction transaction, ReadOptions options, ColumnFamilyHandle family,
            List<byte[]> keys) throws RocksDBException {
        return multiGet(transaction, false, options, Collections.nCopies(keys.size(), family), keys);
    }

    /** Returns the values of keys, null for missing keys. Families of null mean the default one for each key. */
    private static byte[][] values(Transaction transaction, ReadOptions options, List<ColumnFamilyHandle> families,
            List<byte[]> keys, boolean forUpdate) throws RocksDBException {
        int count = keys.size();
        if (families != null && families.size() != count) {
            throw new IllegalArgumentException("For each key there must be a ColumnFamilyHandle.");
        }
        if (count == 0) {
            return new byte[0][];
        }
        TransactionParts parts = transaction.parts_;
        try (Scratch scratch = parts.database().use();
                Scratch _ = parts.use();
                Scratch _ = options.use();
                Scratch _ = options.parts_.useSnapshot(parts.database());
                NativeMultiGet found = new NativeMultiGet(scratch, count)) {
            for (int i = 0; i < count; i++) {
                ColumnFamilyHandle family = families == null ? parts.defaultFamily() : families.get(i);
                found.setKey(i, family.in(parts.database()), keys.get(i));
            }
            synchronized (parts.owner().lock()) {
                if (forUpdate) {
                    parts.requireUsable();
                    NativeTransaction.multiGetForUpdate(found, transaction.nativeHandle_, options.nativeHandle_);
                } else {
                    NativeTransaction.multiGet(found, transaction.nativeHandle_, options.nativeHandle_);
                }
            }
            Errors.check(scratch);
            byte[][] values = new byte[count][];
            for (int i = 0; i < count; i++) {
                long value = found.address(i);
                values[i] = value == 0 ? null : Natives.bytes(value, found.length(i));
            }
            return values;
        }
    }
}
