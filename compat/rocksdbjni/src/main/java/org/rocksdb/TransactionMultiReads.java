package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeMultiGet;
import dev.outcrop.rocksdb.engine.NativeTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Reads of many keys by a transaction. */
final class TransactionMultiReads {

    private TransactionMultiReads() {
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

    /** Returns the values of keys, null for missing keys. If {@code families} is null, all keys are in the default family. */
    private static byte[][] values(Transaction transaction, ReadOptions options, List<ColumnFamilyHandle> families,
            List<byte[]> keys, boolean forUpdate) throws RocksDBException {
        int count = keys.size();
        if (families != null && families.size() != count) {
            throw new IllegalArgumentException("For each key there must be a ColumnFamilyHandle.");
        }
        if (count == 0) {
            return new byte[0][];
        }
        TransactionContext state = transaction.state_;
        try (Scratch scratch = state.database().use();
                Scratch _ = state.use();
                Scratch _ = options.use();
                Scratch _ = options.state_.useSnapshot(state.database());
                NativeMultiGet found = new NativeMultiGet(scratch, count)) {
            for (int i = 0; i < count; i++) {
                ColumnFamilyHandle family = families == null ? state.defaultFamily() : families.get(i);
                found.setKey(i, family.in(state.database()), keys.get(i));
            }
            state.database().state_.look();
            synchronized (state.owner().lock()) {
                if (forUpdate) {
                    state.requireUsable();
                    NativeTransaction.multiGetForUpdate(found, transaction.nativeHandle_, options.nativeHandle_);
                } else {
                    NativeTransaction.multiGet(found, transaction.nativeHandle_, options.nativeHandle_);
                }
            }
            Errors.check(scratch);
            byte[][] values = new byte[count][];
            for (int i = 0; i < count; i++) {
                long value = found.address(i);
                values[i] = value == 0 ? null : NativeValues.bytes(value, found.length(i));
            }
            return values;
        }
    }
}
