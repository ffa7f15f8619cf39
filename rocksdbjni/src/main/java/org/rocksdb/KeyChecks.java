package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.PointReads;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;

/** Whether keys exist, or may exist. A family of null is the default one, options of null are those of the database. */
final class KeyChecks {

    private KeyChecks() {
    }

    static boolean keyExists(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key, int offset,
            int length) {
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            return exists(scratch, database, family, options, Natives.key(scratch, key, offset, length), length);
        }
    }

    static boolean keyExists(RocksDB database, ColumnFamilyHandle family, ReadOptions options, ByteBuffer key) {
        requireDirect(key);
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            return exists(scratch, database, family, options, Natives.key(scratch, key), key.remaining());
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

    /** The holder, if there is one, gets the value, or null if there is none in memory. */
    static boolean keyMayExist(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key,
            int offset, int length, Holder<byte[]> holder) {
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            MemorySegment nativeKey = Natives.key(scratch, key, offset, length);
            if (holder == null) {
                return mayExist(database, family, options, nativeKey, length);
            }
            boolean mayExist = find(scratch, database, family, options, nativeKey, length);
            try {
                holder.setValue(mayExist && PointReads.isFound(scratch)
                        ? Natives.bytes(PointReads.value(scratch), PointReads.length(scratch))
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
            boolean mayExist = mayExist(database, family, options, Natives.key(scratch, key), key.remaining());
            key.position(key.limit());
            return mayExist;
        }
    }

    /** The value goes where the buffer's position is, as much as there is room for; its limit is where that ends. */
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
            boolean mayExist = find(scratch, database, family, options, Natives.key(scratch, key), key.remaining());
            try {
                key.position(key.limit());
                boolean isFound = mayExist && PointReads.isFound(scratch);
                int size = Natives.copy(PointReads.value(scratch), isFound ? PointReads.length(scratch) : 0, value);
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

    /** What does the looking: databases of transactions say that every key may exist if C asks them. */
    private static long looking(RocksDB database) {
        return database instanceof TransactionDB || database instanceof OptimisticTransactionDB
                ? database.parts_.base().nativeHandle_
                : database.nativeHandle_;
    }

    private static boolean mayExist(RocksDB database, ColumnFamilyHandle family, ReadOptions options,
            MemorySegment key, long length) {
        return PointReads.mayExist(looking(database), Reads.options(database, options),
                Reads.family(database, family), key, length);
    }

    /** Leaves the value, if it is in memory, to the caller: RocksDB allocates it even for a key that does not exist. */
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
