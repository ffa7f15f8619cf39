package org.rocksdb;

import static java.util.Objects.requireNonNull;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeWriteBatch;
import dev.outcrop.rocksdb.engine.PointWrites;
import dev.outcrop.rocksdb.engine.PointWrites.OneArgument;
import dev.outcrop.rocksdb.engine.PointWrites.TwoArguments;
import dev.outcrop.rocksdb.engine.batch.NativeWriteBatchWithIndex;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Writes of one key, in all forms, and of batches. A family or options of null are the default ones. */
final class Writes {

    private Writes() {
    }

    private static Scratch enter(RocksDB database) {
        InsideCallbacks.requireMayWrite(database);
        return database.use();
    }

    private static long options(RocksDB database, WriteOptions options) {
        return options == null ? database.parts_.writeOptions : options.nativeHandle_;
    }

    private static void key(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length, OneArgument write) throws RocksDBException {
        ColumnFamilyHandle in = family == null ? database.parts_.defaultFamily() : family;
        try (Scratch scratch = enter(database);
                OrderWatch _ = database.parts_.change();
                Scratch _ = options == null ? null : options.use()) {
            PointWrites.write(scratch, write, database.nativeHandle_, options(database, options),
                    in.toWriteIn(database), key, offset, length);
            Errors.check(scratch);
        }
    }

    private static void pair(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length, byte[] value, int valueOffset, int valueLength, TwoArguments write) throws RocksDBException {
        ColumnFamilyHandle in = family == null ? database.parts_.defaultFamily() : family;
        try (Scratch scratch = enter(database);
                OrderWatch _ = database.parts_.change();
                Scratch _ = options == null ? null : options.use()) {
            PointWrites.write(scratch, write, database.nativeHandle_, options(database, options),
                    in.toWriteIn(database), key, offset, length, value, valueOffset, valueLength);
            Errors.check(scratch);
        }
    }

    /** Checks that both buffers are direct, or both have arrays: as published, before anything else. */
    private static void requireAlike(ByteBuffer key, ByteBuffer value) throws RocksDBException {
        if (key.isDirect() != value.isDirect()) {
            throw new RocksDBException("ByteBuffer parameters must all be direct, or must all be indirect");
        }
        assert key.isDirect() || (key.hasArray() && value.hasArray());
    }

    /** Both buffers are direct, or both have arrays; afterwards their positions are their limits. */
    private static void buffers(RocksDB database, ColumnFamilyHandle family, WriteOptions options, ByteBuffer key,
            ByteBuffer value, TwoArguments write) throws RocksDBException {
        if (key.isDirect() && value.isDirect()) {
            ColumnFamilyHandle in = family == null ? database.parts_.defaultFamily() : family;
            try (Scratch scratch = enter(database);
                    OrderWatch _ = database.parts_.change();
                    Scratch _ = options.use()) {
                PointWrites.write(scratch, write, database.nativeHandle_, options.nativeHandle_,
                        in.toWriteIn(database), MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(value));
                Errors.check(scratch);
            }
        } else {
            pair(database, family, options, key.array(), key.arrayOffset() + key.position(), key.remaining(),
                    value.array(), value.arrayOffset() + value.position(), value.remaining(), write);
        }
        key.position(key.limit());
        value.position(value.limit());
    }

    /** As published, deletions throw another exception than all others. */
    private static void requireWithin(byte[] key, int offset, int length) {
        if (offset < 0 || length < 0 || length > key.length - offset) {
            throw new ArrayIndexOutOfBoundsException("Offset " + offset + " and length " + length
                    + " are not within a key of " + key.length + " bytes");
        }
    }

    static void put(RocksDB database, WriteOptions options, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        requireAlike(key, value);
        buffers(database, null, requireNonNull(options), key, value, PointWrites.PUT);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, WriteOptions options, ByteBuffer key,
            ByteBuffer value) throws RocksDBException {
        requireAlike(key, value);
        buffers(database, requireNonNull(family), requireNonNull(options), key, value, PointWrites.PUT);
    }

    static void merge(RocksDB database, WriteOptions options, ByteBuffer key, ByteBuffer value)
            throws RocksDBException {
        requireAlike(key, value);
        buffers(database, null, requireNonNull(options), key, value, PointWrites.MERGE);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, WriteOptions options, ByteBuffer key,
            ByteBuffer value) throws RocksDBException {
        requireAlike(key, value);
        buffers(database, requireNonNull(family), requireNonNull(options), key, value, PointWrites.MERGE);
    }

    static void delete(RocksDB database, WriteOptions options, ByteBuffer key) throws RocksDBException {
        delete(database, database.getDefaultColumnFamily(), options, key);
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, WriteOptions options, ByteBuffer key)
            throws RocksDBException {
        Natives.requireDirect(key, "key");
        try (Scratch scratch = enter(database); OrderWatch _ = database.parts_.change(); Scratch _ = options.use()) {
            PointWrites.write(scratch, PointWrites.DELETE, database.nativeHandle_, options.nativeHandle_,
                    family.toWriteIn(database), MemorySegment.ofBuffer(key));
            Errors.check(scratch);
        }
        key.position(key.limit());
    }

    static void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException {
        try (Scratch scratch = enter(database); OrderWatch _ = database.parts_.change(); Scratch _ = options.use()) {
            synchronized (batch) {
                batch.requireFor(database);
                long copy = batch.copy(scratch);
                try {
                    if (batch.mayDeleteRanges()) {
                        RangeDeletions.requireOrder(scratch, database, copy);
                    }
                    NativeWriteBatch.write(database.nativeHandle_, options.nativeHandle_, copy, Errors.place(scratch));
                } finally {
                    batch.giveBack(scratch, copy);
                }
            }
            Errors.check(scratch);
        }
    }

    static void write(RocksDB database, WriteOptions options, WriteBatchWithIndex batch) throws RocksDBException {
        try (Scratch scratch = enter(database); OrderWatch _ = database.parts_.change(); Scratch _ = options.use()) {
            synchronized (batch) {
                batch.requireFor(database);
                try (Scratch _ = batch.use()) {
                    NativeWriteBatchWithIndex.write(scratch, database.nativeHandle_, options.nativeHandle_,
                            batch.nativeHandle_);
                }
            }
            Errors.check(scratch);
        }
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key)
            throws RocksDBException {
        key(database, requireNonNull(family), requireNonNull(options), key, 0, key.length, PointWrites.DELETE);
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length) throws RocksDBException {
        requireWithin(key, offset, length);
        key(database, requireNonNull(family), requireNonNull(options), key, offset, length, PointWrites.DELETE);
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        key(database, requireNonNull(family), null, key, 0, key.length, PointWrites.DELETE);
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, byte[] key, int offset, int length)
            throws RocksDBException {
        requireWithin(key, offset, length);
        key(database, requireNonNull(family), null, key, offset, length, PointWrites.DELETE);
    }

    static void delete(RocksDB database, WriteOptions options, byte[] key) throws RocksDBException {
        key(database, null, requireNonNull(options), key, 0, key.length, PointWrites.DELETE);
    }

    static void delete(RocksDB database, WriteOptions options, byte[] key, int offset, int length)
            throws RocksDBException {
        requireWithin(key, offset, length);
        key(database, null, requireNonNull(options), key, offset, length, PointWrites.DELETE);
    }

    static void delete(RocksDB database, byte[] key) throws RocksDBException {
        key(database, null, null, key, 0, key.length, PointWrites.DELETE);
    }

    static void delete(RocksDB database, byte[] key, int offset, int length) throws RocksDBException {
        requireWithin(key, offset, length);
        key(database, null, null, key, offset, length, PointWrites.DELETE);
    }

    private static void range(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] begin,
            byte[] end) throws RocksDBException {
        ColumnFamilyHandle in = family == null ? database.parts_.defaultFamily() : family;
        try (Scratch scratch = enter(database);
                OrderWatch _ = database.parts_.change();
                Scratch _ = options == null ? null : options.use()) {
            long handle = in.toWriteIn(database);
            MemorySegment first = Natives.copy(scratch, begin).asSlice(0, begin.length);
            MemorySegment last = Natives.copy(scratch, end).asSlice(0, end.length);
            RangeDeletions.requireOrder(scratch, handle, first, last);
            PointWrites.write(scratch, PointWrites.DELETE_RANGE, database.nativeHandle_, options(database, options),
                    handle, first, last);
            Errors.check(scratch);
        }
    }

    static void deleteRange(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, byte[] end)
            throws RocksDBException {
        range(database, requireNonNull(family), requireNonNull(options), key, end);
    }

    static void deleteRange(RocksDB database, ColumnFamilyHandle family, byte[] key, byte[] end)
            throws RocksDBException {
        range(database, requireNonNull(family), null, key, end);
    }

    static void deleteRange(RocksDB database, WriteOptions options, byte[] key, byte[] end) throws RocksDBException {
        range(database, null, requireNonNull(options), key, end);
    }

    static void deleteRange(RocksDB database, byte[] key, byte[] end) throws RocksDBException {
        range(database, null, null, key, end);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length, byte[] value, int valueOffset, int valueLength) throws RocksDBException {
        pair(database, requireNonNull(family), requireNonNull(options), key, offset, length, value, valueOffset,
                valueLength, PointWrites.MERGE);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, byte[] value)
            throws RocksDBException {
        pair(database, requireNonNull(family), requireNonNull(options), key, 0, key.length, value, 0, value.length,
                PointWrites.MERGE);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, byte[] key, int offset, int length, byte[] value,
            int valueOffset, int valueLength) throws RocksDBException {
        pair(database, requireNonNull(family), null, key, offset, length, value, valueOffset, valueLength,
                PointWrites.MERGE);
    }

    static void merge(RocksDB database, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        pair(database, requireNonNull(family), null, key, 0, key.length, value, 0, value.length,
                PointWrites.MERGE);
    }

    static void merge(RocksDB database, WriteOptions options, byte[] key, int offset, int length, byte[] value,
            int valueOffset, int valueLength) throws RocksDBException {
        pair(database, null, requireNonNull(options), key, offset, length, value, valueOffset, valueLength,
                PointWrites.MERGE);
    }

    static void merge(RocksDB database, WriteOptions options, byte[] key, byte[] value) throws RocksDBException {
        pair(database, null, requireNonNull(options), key, 0, key.length, value, 0, value.length,
                PointWrites.MERGE);
    }

    static void merge(RocksDB database, byte[] key, int offset, int length, byte[] value, int valueOffset,
            int valueLength) throws RocksDBException {
        pair(database, null, null, key, offset, length, value, valueOffset, valueLength, PointWrites.MERGE);
    }

    static void merge(RocksDB database, byte[] key, byte[] value) throws RocksDBException {
        pair(database, null, null, key, 0, key.length, value, 0, value.length, PointWrites.MERGE);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, int offset,
            int length, byte[] value, int valueOffset, int valueLength) throws RocksDBException {
        pair(database, requireNonNull(family), requireNonNull(options), key, offset, length, value, valueOffset,
                valueLength, PointWrites.PUT);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key, byte[] value)
            throws RocksDBException {
        pair(database, requireNonNull(family), requireNonNull(options), key, 0, key.length, value, 0, value.length,
                PointWrites.PUT);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, byte[] key, int offset, int length, byte[] value,
            int valueOffset, int valueLength) throws RocksDBException {
        pair(database, requireNonNull(family), null, key, offset, length, value, valueOffset, valueLength,
                PointWrites.PUT);
    }

    static void put(RocksDB database, ColumnFamilyHandle family, byte[] key, byte[] value) throws RocksDBException {
        pair(database, requireNonNull(family), null, key, 0, key.length, value, 0, value.length, PointWrites.PUT);
    }

    static void put(RocksDB database, WriteOptions options, byte[] key, int offset, int length, byte[] value,
            int valueOffset, int valueLength) throws RocksDBException {
        pair(database, null, requireNonNull(options), key, offset, length, value, valueOffset, valueLength,
                PointWrites.PUT);
    }

    static void put(RocksDB database, WriteOptions options, byte[] key, byte[] value) throws RocksDBException {
        pair(database, null, requireNonNull(options), key, 0, key.length, value, 0, value.length, PointWrites.PUT);
    }

    static void put(RocksDB database, byte[] key, int offset, int length, byte[] value, int valueOffset,
            int valueLength) throws RocksDBException {
        pair(database, null, null, key, offset, length, value, valueOffset, valueLength, PointWrites.PUT);
    }

    static void put(RocksDB database, byte[] key, byte[] value) throws RocksDBException {
        pair(database, null, null, key, 0, key.length, value, 0, value.length, PointWrites.PUT);
    }

    static void singleDelete(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] key)
            throws RocksDBException {
        key(database, requireNonNull(family), requireNonNull(options), key, 0, key.length,
                PointWrites.SINGLE_DELETE);
    }

    static void singleDelete(RocksDB database, ColumnFamilyHandle family, byte[] key) throws RocksDBException {
        key(database, requireNonNull(family), null, key, 0, key.length, PointWrites.SINGLE_DELETE);
    }

    static void singleDelete(RocksDB database, WriteOptions options, byte[] key) throws RocksDBException {
        key(database, null, requireNonNull(options), key, 0, key.length, PointWrites.SINGLE_DELETE);
    }

    static void singleDelete(RocksDB database, byte[] key) throws RocksDBException {
        key(database, null, null, key, 0, key.length, PointWrites.SINGLE_DELETE);
    }
}
