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

/**
 * Writes of one key, of a range, and of batches. A family of null means the default family, and options of null mean the default options.
 */
final class Writes {

    private Writes() {
    }

    private static Scratch enter(RocksDB database) {
        CallbackRestrictions.requireMayWrite(database);
        return database.use();
    }

    private static long options(RocksDB database, WriteOptions options) {
        return options == null ? database.state_.writeOptions : options.nativeHandle_;
    }

    static void write(RocksDB database, OneArgument write, ColumnFamilyHandle family, WriteOptions options, byte[] key,
            int offset, int length) throws RocksDBException {
        requireWithin(key, offset, length);
        ColumnFamilyHandle in = family == null ? database.state_.defaultFamily() : family;
        try (Scratch scratch = enter(database);
                ComparatorMonitor _ = database.state_.change();
                Scratch _ = options == null ? null : options.use()) {
            PointWrites.write(scratch, write, database.nativeHandle_, options(database, options),
                    in.toWriteIn(database), key, offset, length);
            Errors.check(scratch);
        }
    }

    static void write(RocksDB database, TwoArguments write, ColumnFamilyHandle family, WriteOptions options,
            byte[] key, int offset, int length, byte[] value, int valueOffset, int valueLength)
            throws RocksDBException {
        ColumnFamilyHandle in = family == null ? database.state_.defaultFamily() : family;
        try (Scratch scratch = enter(database);
                ComparatorMonitor _ = database.state_.change();
                Scratch _ = options == null ? null : options.use()) {
            PointWrites.write(scratch, write, database.nativeHandle_, options(database, options),
                    in.toWriteIn(database), key, offset, length, value, valueOffset, valueLength);
            Errors.check(scratch);
        }
    }

    /** Writes a key with a value. Both buffers must be direct, or both must have arrays. Afterwards their positions are their limits. */
    static void write(RocksDB database, TwoArguments write, ColumnFamilyHandle family, WriteOptions options,
            ByteBuffer key, ByteBuffer value) throws RocksDBException {
        // As published, check this before anything else.
        if (key.isDirect() != value.isDirect()) {
            throw new RocksDBException("ByteBuffer parameters must all be direct, or must all be indirect");
        }
        assert key.isDirect() || (key.hasArray() && value.hasArray());
        requireNonNull(options, "writeOptions");
        if (key.isDirect()) {
            try (Scratch scratch = enter(database);
                    ComparatorMonitor _ = database.state_.change();
                    Scratch _ = options.use()) {
                PointWrites.write(scratch, write, database.nativeHandle_, options.nativeHandle_,
                        family.toWriteIn(database), MemorySegment.ofBuffer(key), MemorySegment.ofBuffer(value));
                Errors.check(scratch);
            }
        } else {
            write(database, write, requireNonNull(family, "columnFamilyHandle"), options, key.array(),
                    key.arrayOffset() + key.position(), key.remaining(), value.array(),
                    value.arrayOffset() + value.position(), value.remaining());
        }
        key.position(key.limit());
        value.position(value.limit());
    }

    /** Checks a part of an array. As published, deletions throw another exception than other writes. */
    private static void requireWithin(byte[] key, int offset, int length) {
        if (offset < 0 || length < 0 || length > key.length - offset) {
            throw new ArrayIndexOutOfBoundsException("Offset " + offset + " and length " + length
                    + " are not within a key of " + key.length + " bytes");
        }
    }

    static void delete(RocksDB database, ColumnFamilyHandle family, WriteOptions options, ByteBuffer key)
            throws RocksDBException {
        NativeValues.requireDirect(key, "key");
        try (Scratch scratch = enter(database);
                ComparatorMonitor _ = database.state_.change();
                Scratch _ = options.use()) {
            PointWrites.write(scratch, PointWrites.DELETE, database.nativeHandle_, options.nativeHandle_,
                    family.toWriteIn(database), MemorySegment.ofBuffer(key));
            Errors.check(scratch);
        }
        key.position(key.limit());
    }

    static void write(RocksDB database, WriteOptions options, WriteBatch batch) throws RocksDBException {
        try (Scratch scratch = enter(database);
                ComparatorMonitor _ = database.state_.change();
                Scratch _ = options.use()) {
            synchronized (batch) {
                batch.requireFor(database);
                long copy = batch.copy(scratch);
                try {
                    if (batch.mayDeleteRanges()) {
                        RangeChecks.requireOrder(scratch, database, copy);
                    }
                    NativeWriteBatch.write(database.nativeHandle_, options.nativeHandle_, copy, Errors.place(scratch));
                } finally {
                    NativeWriteBatch.destroy(copy);
                }
            }
            Errors.check(scratch);
        }
    }

    static void write(RocksDB database, WriteOptions options, WriteBatchWithIndex batch) throws RocksDBException {
        try (Scratch scratch = enter(database);
                ComparatorMonitor _ = database.state_.change();
                Scratch _ = options.use()) {
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

    static void deleteRange(RocksDB database, ColumnFamilyHandle family, WriteOptions options, byte[] begin,
            byte[] end) throws RocksDBException {
        ColumnFamilyHandle in = family == null ? database.state_.defaultFamily() : family;
        try (Scratch scratch = enter(database);
                ComparatorMonitor _ = database.state_.change();
                Scratch _ = options == null ? null : options.use()) {
            long handle = in.toWriteIn(database);
            MemorySegment first = NativeValues.copy(scratch, begin).asSlice(0, begin.length);
            MemorySegment last = NativeValues.copy(scratch, end).asSlice(0, end.length);
            RangeChecks.requireOrder(scratch, handle, first, last);
            OptionChanges.stopPurging(scratch, database, in);
            PointWrites.write(scratch, PointWrites.DELETE_RANGE, database.nativeHandle_, options(database, options),
                    handle, first, last);
            Errors.check(scratch);
        }
    }
}
