package dev.outcrop.rocksdbjni;

import static java.lang.invoke.MethodType.methodType;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.rocksdb.ColumnFamilyDescriptor;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.DBOptions;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** The private methods of {@code Transaction} that Zeebe looks up, with native handles. */
class TransactionHandlesTest extends DatabaseTest {
    private static final byte[] VALUE = "..value.".getBytes(UTF_8);
    private static final byte[] KEY = ".key.".getBytes(UTF_8);

    private final WriteOptions write = closeLater(new WriteOptions());

    private final MethodHandle put;
    private final MethodHandle get;
    private final MethodHandle delete;

    TransactionHandlesTest() throws ReflectiveOperationException {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(Transaction.class, MethodHandles.lookup());
        put = lookup.findStatic(Transaction.class, "put", methodType(void.class, long.class, byte[].class, int.class,
                int.class, byte[].class, int.class, int.class, long.class, boolean.class));
        get = lookup.findStatic(Transaction.class, "get", methodType(byte[].class, long.class, long.class,
                byte[].class, int.class, int.class, long.class));
        delete = lookup.findStatic(Transaction.class, "delete", methodType(void.class, long.class, byte[].class,
                int.class, long.class, boolean.class));
    }

    @Test
    void writeAndReadPartsOfArrays() throws Throwable {
        List<ColumnFamilyHandle> families = new ArrayList<>();
        DBOptions options = closeLater(new DBOptions().setCreateIfMissing(true).setCreateMissingColumnFamilies(true));
        OptimisticTransactionDB database = closeLater(OptimisticTransactionDB.open(options, directory.toString(),
                List.of(new ColumnFamilyDescriptor(RocksDB.DEFAULT_COLUMN_FAMILY),
                        new ColumnFamilyDescriptor("other".getBytes(UTF_8))),
                families));
        ReadOptions read = closeLater(new ReadOptions());
        long other = families.get(1).getNativeHandle();
        try (Transaction transaction = database.beginTransaction(write)) {
            long handle = transaction.getNativeHandle();
            put.invokeExact(handle, KEY, 1, 3, VALUE, 2, 5, other, false);
            assertThat((byte[]) get.invokeExact(handle, read.getNativeHandle(), KEY, 1, 3, other))
                    .isEqualTo("value".getBytes(UTF_8));
            assertThat((byte[]) get.invokeExact(handle, read.getNativeHandle(), KEY, 1, 3,
                    families.getFirst().getNativeHandle())).isNull();
            transaction.commit();
        }
        assertThat(database.get(families.get(1), "key".getBytes(UTF_8))).isEqualTo("value".getBytes(UTF_8));
        try (Transaction transaction = database.beginTransaction(write)) {
            byte[] longer = "key and more".getBytes(UTF_8);
            delete.invokeExact(transaction.getNativeHandle(), longer, 3, other, false);
            transaction.commit();
        }
        assertThat(database.get(families.get(1), "key".getBytes(UTF_8))).isNull();
        try (Transaction transaction = database.beginTransaction(write)) {
            long handle = transaction.getNativeHandle();
            assertThatThrownBy(() -> put.invoke(handle, KEY, 3, 3, VALUE, 0, 1, other, false))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> put.invoke(handle, KEY, 0, 3, VALUE, 0, 1, other, true))
                    .isInstanceOf(UnsupportedOperationException.class);
        }
        families.forEach(ColumnFamilyHandle::close);
    }

    @Test
    void failAsThePublicOnesDo() throws Throwable {
        Options options = closeLater(new Options().setCreateIfMissing(true));
        TransactionDBOptions locks = closeLater(new TransactionDBOptions().setTransactionLockTimeout(1));
        TransactionDB database = closeLater(TransactionDB.open(options, locks, directory.toString()));
        Transaction first = closeLater(database.beginTransaction(write));
        Transaction second = closeLater(database.beginTransaction(write));
        ColumnFamilyHandle family = closeLater(database.getDefaultColumnFamily());
        first.put(new byte[]{1}, new byte[]{1});
        byte[] key = {1};
        RocksDBException published = catchThrowableOfType(RocksDBException.class, () -> second.put(key, VALUE));
        assertThatThrownBy(() -> put.invoke(second.getNativeHandle(), key, 0, 1, VALUE, 0, 1,
                family.getNativeHandle(), false)).isInstanceOf(RocksDBException.class)
                .hasMessage(published.getMessage());
    }
}
