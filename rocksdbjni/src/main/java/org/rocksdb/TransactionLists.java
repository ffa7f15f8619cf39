package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
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
                Scratch _ = options.parts_.useSnapshot(parts.database())) {
            // Families, keys, their lengths; and of the values: addresses, lengths, errors.
            MemorySegment[] columns = new MemorySegment[6];
            for (int i = 0; i < columns.length; i++) {
                columns[i] = scratch.allocate(Long.BYTES * (long) count, Long.BYTES);
            }
            for (int i = 0; i < count; i++) {
                ColumnFamilyHandle family = families == null ? parts.defaultFamily() : families.get(i);
                byte[] key = keys.get(i);
                columns[0].setAtIndex(ValueLayout.JAVA_LONG, i, family.in(parts.database()));
                columns[1].setAtIndex(ValueLayout.JAVA_LONG, i, Natives.copy(scratch, key).address());
                columns[2].setAtIndex(ValueLayout.JAVA_LONG, i, key.length);
            }
            synchronized (parts.owner().lock()) {
                if (forUpdate) {
                    parts.requireUsable();
                    CApi.rocksdb_transaction_multi_get_for_update_cf(transaction.nativeHandle_, options.nativeHandle_,
                            columns[0].address(), count, columns[1].address(), columns[2].address(),
                            columns[3].address(), columns[4].address(), columns[5].address());
                } else {
                    CApi.rocksdb_transaction_multi_get_cf(transaction.nativeHandle_, options.nativeHandle_,
                            columns[0].address(), count, columns[1].address(), columns[2].address(),
                            columns[3].address(), columns[4].address(), columns[5].address());
                }
            }
            return taken(scratch, count, columns[3], columns[4], columns[5]);
        }
    }

    /** Copies and frees what RocksDB has found; throws the first error. */
    private static byte[][] taken(Scratch scratch, int count, MemorySegment found, MemorySegment lengths,
            MemorySegment errors) throws RocksDBException {
        byte[][] values = new byte[count][];
        RocksDBException failure = null;
        int done = 0;
        try {
            for (; done < count; done++) {
                scratch.setWord(0, errors.getAtIndex(ValueLayout.JAVA_LONG, done));
                try {
                    Errors.check(scratch);
                    long value = found.getAtIndex(ValueLayout.JAVA_LONG, done);
                    if (value != 0) {
                        values[done] = Natives.bytes(value, lengths.getAtIndex(ValueLayout.JAVA_LONG, done));
                    }
                } catch (RocksDBException e) {
                    failure = failure == null ? e : failure;
                }
            }
        } finally {
            for (int i = 0; i < count; i++) {
                CApi.rocksdb_free(found.getAtIndex(ValueLayout.JAVA_LONG, i));
                if (i > done) {
                    CApi.rocksdb_free(errors.getAtIndex(ValueLayout.JAVA_LONG, i));
                }
            }
        }
        if (failure != null) {
            throw failure;
        }
        return values;
    }
}
