package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.PointReads;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/** Checks whether keys exist or may exist. A family of null is the default one, and options of null are the defaults. */
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
        requireDirect(key);
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

    /** The holder, if any, gets the value, or null if none is in memory. */
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
        requireDirect(key);
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            boolean mayExist = mayExist(database, family, options, NativeValues.key(scratch, key), key.remaining());
            key.position(key.limit());
            return mayExist;
        }
    }

    /** Copies as much of the value as there is room for to the buffer's position, and sets the limit to its end. */
    static KeyMayExist keyMayExist(RocksDB database, ColumnFamilyHandle family, ReadOptions options, ByteBuffer key,
            ByteBuffer value) {
        requireDirect(key);
        assert value != null : "Without a buffer for the value there is a method of its own";
        requireDirect(value);
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

    /** Returns the database to ask: databases with transactions answer that every key may exist if C asks them. */
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

    /** Looks a key up in memory. The caller frees the value, which RocksDB allocates even if the key does not exist. */
    private static boolean find(Scratch scratch, RocksDB database, ColumnFamilyHandle family, ReadOptions options,
            MemorySegment key, long length) {
        return PointReads.mayExist(scratch, looking(database), Reads.options(database, options),
                Reads.family(database, family), key, length);
    }

    private static void requireDirect(ByteBuffer buffer) {
        assert buffer != null : "A buffer cannot be null";
        assert buffer.isDirect() : "A buffer must be direct";
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("A buffer must be direct: " + buffer);
        }
    }
}
