package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.PointReads;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/** Checks whether keys exist or may exist. A family of null means the default family, and options of null mean the default options. */
final class KeyExistence {

    private KeyExistence() {
    }

    static boolean keyExists(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key, int offset,
            int length) {
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            return exists(scratch, database, family, options, NativeValues.key(scratch, key, offset, length), length);
        }
    }

    static boolean keyExists(RocksDB database, ColumnFamilyHandle family, ReadOptions options, ByteBuffer key) {
        requireDirect(key, "key");
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            return exists(scratch, database, family, options, NativeValues.key(scratch, key), key.remaining());
        }
    }

    private static boolean exists(Scratch scratch, RocksDB database, ColumnFamilyHandle family, ReadOptions options,
            MemorySegment key, long length) {
        try {
            return Reads.copy(scratch, database, family, options, key, length, MemorySegment.NULL,
                    0) != RocksDB.NOT_FOUND;
        } catch (RocksDBException e) {
            throw Errors.undeclared(e);
        }
    }

    /** Returns whether a key may exist. The holder, if any, gets the value, or null if no value is in memory. */
    static boolean keyMayExist(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key,
            int offset, int length, Holder<byte[]> holder) {
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            MemorySegment nativeKey = NativeValues.key(scratch, key, offset, length);
            if (holder == null) {
                return mayExist(database, family, options, nativeKey, length);
            }
            boolean mayExist = find(scratch, database, family, options, nativeKey, length);
            try {
                holder.setValue(mayExist && PointReads.isFound(scratch)
                        ? NativeValues.bytes(PointReads.value(scratch), PointReads.length(scratch))
                        : null);
            } finally {
                PointReads.freeValue(scratch);
            }
            return mayExist;
        }
    }

    static boolean keyMayExist(RocksDB database, ColumnFamilyHandle family, ReadOptions options, ByteBuffer key) {
        requireDirect(key, "key");
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            boolean mayExist = mayExist(database, family, options, NativeValues.key(scratch, key), key.remaining());
            key.position(key.limit());
            return mayExist;
        }
    }

    /**
     * Returns whether a key may exist. Copies as much of the value as fits, to the buffer's position, and sets the limit to the end of the
     * copy.
     */
    static KeyMayExist keyMayExist(RocksDB database, ColumnFamilyHandle family, ReadOptions options, ByteBuffer key,
            ByteBuffer value) {
        assert value != null : "Without a buffer for the value there is a method of its own";
        requireDirect(value, "value");
        requireDirect(key, "key");
        if (value.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            boolean mayExist = find(scratch, database, family, options, NativeValues.key(scratch, key),
                    key.remaining());
            try {
                key.position(key.limit());
                boolean isFound = mayExist && PointReads.isFound(scratch);
                int size = NativeValues.copy(PointReads.value(scratch), isFound ? PointReads.length(scratch) : 0,
                        value);
                return new KeyMayExist(isFound
                        ? KeyMayExist.KeyMayExistEnum.kExistsWithValue
                        : mayExist
                                ? KeyMayExist.KeyMayExistEnum.kExistsWithoutValue
                                : KeyMayExist.KeyMayExistEnum.kNotExist,
                        size);
            } finally {
                PointReads.freeValue(scratch);
            }
        }
    }

    /** Returns the database to ask. If C asks a database with transactions, it answers that every key may exist. */
    private static long looking(RocksDB database) {
        return database instanceof TransactionDB || database instanceof OptimisticTransactionDB
                ? database.state_.base().nativeHandle_
                : database.nativeHandle_;
    }

    private static boolean mayExist(RocksDB database, ColumnFamilyHandle family, ReadOptions options,
            MemorySegment key, long length) {
        return PointReads.mayExist(looking(database), Reads.options(database, options),
                Reads.family(database, family), key, length);
    }

    /** Looks a key up in memory. The caller must free the value. RocksDB allocates it even if the key does not exist. */
    private static boolean find(Scratch scratch, RocksDB database, ColumnFamilyHandle family, ReadOptions options,
            MemorySegment key, long length) {
        return PointReads.mayExist(scratch, looking(database), Reads.options(database, options),
                Reads.family(database, family), key, length);
    }

    private static void requireDirect(ByteBuffer buffer, String name) {
        assert buffer != null : "A buffer cannot be null";
        assert buffer.isDirect() : "A buffer must be direct";
        if (!buffer.isDirect()) {
            throw Errors.undeclared(new RocksDBException(
                    "Invalid " + name + " argument (argument is not a valid direct ByteBuffer)"));
        }
    }
}
