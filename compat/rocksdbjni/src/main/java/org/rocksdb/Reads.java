package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.PointReads;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.util.Objects;

/** Reads of one key. A family of null means the default family, and options of null mean the default options. */
/*
 * A small value takes one call, which looks the key up and copies the value to scratch memory. A large value is pinned, and copied from the
 * pinned memory. An unexpected large value is looked up twice. With statistics, look-ups are counted, so every value is pinned.
 */
final class Reads {

    /** The size of the largest value that is copied through scratch memory. For this size, the copy takes as long as two short calls. */
    private static final int COPIED_BYTES = 768;
    private static final String MIXED = "ByteBuffer parameters must all be direct, or must all be indirect";

    private Reads() {
    }

    /** Returns the native options of a read that has begun. */
    static long options(RocksDB database, ReadOptions options) {
        return options == null ? database.state_.readOptions : options.nativeHandle_;
    }

    /** Returns the native family of a read that has begun. */
    static long family(RocksDB database, ColumnFamilyHandle family) {
        return (family == null ? database.state_.defaultFamily() : family).in(database);
    }

    static Scratch use(ReadOptions options) {
        return options == null ? null : options.use();
    }

    static Scratch useSnapshot(RocksDB database, ReadOptions options) {
        return options == null ? null : options.state_.useSnapshot(database);
    }

    static byte[] get(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key,
            int offset, int length) throws RocksDBException {
        try (Scratch scratch = database.use();
                Scratch _ = use(options);
                Scratch _ = useSnapshot(database, options)) {
            MemorySegment nativeKey = NativeValues.key(scratch, key, offset, length);
            if (!database.state_.readsByPin(scratch)) {
                MemorySegment room = scratch.secondArea();
                long size = copy(scratch, database, family, options, nativeKey, length, room, COPIED_BYTES);
                if (size == RocksDB.NOT_FOUND) {
                    return null;
                }
                if (size <= COPIED_BYTES) {
                    return NativeValues.bytes(room.address(), size);
                }
            }
            long pin = pin(scratch, database, family, options, nativeKey, length);
            if (pin == 0) {
                return null;
            }
            try {
                return NativeValues.bytes(PinLayout.address(pin), PinLayout.size(pin));
            } finally {
                PointReads.unpin(pin);
            }
        }
    }

    /** Copies as much of the value as fits, and returns its whole size. */
    static int get(RocksDB database, ColumnFamilyHandle family, ReadOptions options, byte[] key, int offset,
            int length, byte[] to, int toOffset, int toLength) throws RocksDBException {
        Objects.checkFromIndexSize(toOffset, toLength, to.length);
        try (Scratch scratch = database.use();
                Scratch _ = use(options);
                Scratch _ = useSnapshot(database, options)) {
            MemorySegment nativeKey = NativeValues.key(scratch, key, offset, length);
            if (!database.state_.readsByPin(scratch)) {
                MemorySegment room = scratch.secondArea();
                long size = copy(scratch, database, family, options, nativeKey, length, room, COPIED_BYTES);
                if (size == RocksDB.NOT_FOUND) {
                    return RocksDB.NOT_FOUND;
                }
                if (size <= COPIED_BYTES) {
                    return NativeValues.copy(room.address(), size, to, toOffset, toLength);
                }
            }
            long pin = pin(scratch, database, family, options, nativeKey, length);
            if (pin == 0) {
                return RocksDB.NOT_FOUND;
            }
            try {
                return NativeValues.copy(PinLayout.address(pin), PinLayout.size(pin), to, toOffset, toLength);
            } finally {
                PointReads.unpin(pin);
            }
        }
    }

    /** Copies a value if all of it fits. Returns its size, or {@link RocksDB#NOT_FOUND}. */
    static long copy(Scratch scratch, RocksDB database, ColumnFamilyHandle family, ReadOptions options,
            MemorySegment key, long keyLength, MemorySegment to, long room) throws RocksDBException {
        long size = PointReads.copy(scratch, database.nativeHandle_, options(database, options),
                family(database, family), key, keyLength, to, room);
        Errors.check(scratch);
        return size;
    }

    /** Pins the value; returns 0 if there is none. */
    private static long pin(Scratch scratch, RocksDB database, ColumnFamilyHandle family, ReadOptions options,
            MemorySegment key, long keyLength) throws RocksDBException {
        database.state_.look();
        long pin = PointReads.pin(scratch, database.nativeHandle_, options(database, options),
                family(database, family), key, keyLength);
        Errors.check(scratch);
        if (pin != 0) {
            database.state_.sizes.seen(scratch, PinLayout.size(pin) > COPIED_BYTES);
        }
        return pin;
    }

    static int get(RocksDB database, ColumnFamilyHandle family, ReadOptions options, ByteBuffer key,
            ByteBuffer value) throws RocksDBException {
        if (key.isDirect() != value.isDirect()) {
            throw new RocksDBException(MIXED);
        }
        int size = value.isDirect()
                ? direct(database, family, options, key, value)
                : get(database, family, options, key.array(), key.arrayOffset() + key.position(), key.remaining(),
                        value.array(), value.arrayOffset() + value.position(), value.remaining());
        if (size != RocksDB.NOT_FOUND) {
            value.limit(value.position() + Math.min(size, value.remaining()));
        }
        key.position(key.limit());
        return size;
    }

    private static int direct(RocksDB database, ColumnFamilyHandle family, ReadOptions options, ByteBuffer key,
            ByteBuffer value) throws RocksDBException {
        if (value.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        try (Scratch scratch = database.use();
                Scratch _ = use(options);
                Scratch _ = useSnapshot(database, options)) {
            MemorySegment nativeKey = NativeValues.key(scratch, key);
            if (!database.state_.countsReads) {
                MemorySegment room = MemorySegment.ofBuffer(value);
                long size = copy(scratch, database, family, options, nativeKey, key.remaining(), room,
                        room.byteSize());
                if (size <= room.byteSize()) {
                    return (int) size;
                }
            }
            long pin = pin(scratch, database, family, options, nativeKey, key.remaining());
            if (pin == 0) {
                return RocksDB.NOT_FOUND;
            }
            try {
                return NativeValues.copy(PinLayout.address(pin), PinLayout.size(pin), value);
            } finally {
                PointReads.unpin(pin);
            }
        }
    }
}
