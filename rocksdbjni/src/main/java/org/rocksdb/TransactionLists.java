package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeMultiGet;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Reads of several keys by transactions, in all forms. */
final class TransactionLists {

    private TransactionLists() {
    }

    static byte[][] multiGet(Transaction transaction, ReadOptions options, byte[][] keys) throws RocksDBException {
        return values(transaction, options, null, List.of(keys), false);
    }

    static byte[][] multiGet(Transaction transaction, ReadOptions options, List<ColumnFamilyHandle> families,
            byte[][] keys) throws RocksDBException {
        return values(transaction, options, Objects.requireNonNull(families, "columnFamilyHandles"), List.of(keys),
                false);
    }

    static List<byte[]> multiGetAsList(Transaction transaction, ReadOptions options, List<byte[]> keys)
            throws RocksDBException {
        return list(values(transaction, options, null, keys, false));
    }

    static List<byte[]> multiGetAsList(Transaction transaction, ReadOptions options, ColumnFamilyHandle family,
            List<byte[]> keys) throws RocksDBException {
        return list(values(transaction, options, Collections.nCopies(keys.size(), family), keys, false));
    }

    static List<byte[]> multiGetAsList(Transaction transaction, ReadOptions options,
            List<ColumnFamilyHandle> families, List<byte[]> keys) throws RocksDBException {
        return list(values(transaction, options, Objects.requireNonNull(families, "columnFamilyHandles"), keys, false));
    }

    static byte[][] multiGetForUpdate(Transaction transaction, ReadOptions options, byte[][] keys)
            throws RocksDBException {
        return values(transaction, options, null, List.of(keys), true);
    }

    static byte[][] multiGetForUpdate(Transaction transaction, ReadOptions options, List<ColumnFamilyHandle> families,
            byte[][] keys) throws RocksDBException {
        return values(transaction, options, Objects.requireNonNull(families, "columnFamilyHandles"), List.of(keys),
                true);
    }

    static List<byte[]> multiGetForUpdateAsList(Transaction transaction, ReadOptions options, List<byte[]> keys)
            throws RocksDBException {
        return list(values(transaction, options, null, keys, true));
    }

    static List<byte[]> multiGetForUpdateAsList(Transaction transaction, ReadOptions options,
            List<ColumnFamilyHandle> families, List<byte[]> keys) throws RocksDBException {
        return list(values(transaction, options, Objects.requireNonNull(families, "columnFamilyHandles"), keys, true));
    }

    private static List<byte[]> list(byte[][] values) {
        List<byte[]> list = new ArrayList<>(values.length);
        Collections.addAll(list, values);
        return list;
    }

    /** The values of keys, null for each that is not there. Families of null are the default one. */
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
