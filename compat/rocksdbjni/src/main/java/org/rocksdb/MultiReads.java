package org.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativePins;
import dev.outcrop.rocksdb.engine.PinLayout;
import dev.outcrop.rocksdb.engine.PointReads;
import dev.outcrop.rocksdb.engine.callbacks.NativeHeap;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Reads many keys in one call. */
/*
 * Keys of one family are looked up together, and their values are pinned. Keys of several families need a consistent view of all families.
 * The C function for this copies every value.
 */
final class MultiReads {

    private MultiReads() {
    }

    /** Receives the result for a key. */
    private interface Taker {
        /**
         * Copies the value.
         *
         * @param index   which key
         * @param address where the value is; 0 if there is none
         * @param size    its size
         * @param error   the error, or null
         */
        void take(int index, long address, long size, String error) throws RocksDBException;
    }

    static List<byte[]> multiGetAsList(RocksDB database, ReadOptions options, List<ColumnFamilyHandle> families,
            List<byte[]> keys) throws RocksDBException {
        assert !keys.isEmpty() : "There are no keys";
        if (families != null && families.size() != keys.size()) {
            throw new IllegalArgumentException("For each key there must be a ColumnFamilyHandle: " + keys.size()
                    + " keys, " + families.size() + " families");
        }
        byte[][] values = new byte[keys.size()][];
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            int count = keys.size();
            MemorySegment slices = NativeValues.words(scratch, 2 * count);
            long total = 0;
            for (byte[] key : keys) {
                total += key.length;
            }
            MemorySegment bytes = scratch.allocate(Math.max(1, total), 1);
            long at = 0;
            for (int i = 0; i < count; i++) {
                byte[] key = keys.get(i);
                MemorySegment.copy(key, 0, bytes, ValueLayout.JAVA_BYTE, at, key.length);
                set(slices, i, bytes.address() + at, key.length);
                at += key.length;
            }
            find(scratch, database, families, options, slices, count, (index, address, size, error) -> {
                if (error != null) {
                    requireLimit(Errors.exception(error));
                }
                values[index] = address == 0 ? null : NativeValues.bytes(address, size);
            });
        }
        return Arrays.asList(values);
    }

    /** Throws a failure, unless the earlier values have reached {@code valueSizeSoftLimit}. As published, there is no value then. */
    private static void requireLimit(RocksDBException failure) throws RocksDBException {
        if (failure.getStatus().getCode() != Status.Code.Aborted) {
            throw failure;
        }
    }

    /** Checks the arguments. As published, this comes before anything else. */
    private static void require(List<ColumnFamilyHandle> families, List<ByteBuffer> keys, List<ByteBuffer> values) {
        assert !keys.isEmpty() : "There are no keys";
        int count = keys.size();
        if (families.size() > 1 && families.size() != count) {
            throw new IllegalArgumentException("Wrong number of ColumnFamilyHandles: " + families.size()
                    + "; give none, one, or one for each of the " + count + " keys");
        }
        if (values.size() != count) {
            throw new IllegalArgumentException("For each key there must be a buffer for the value: " + count
                    + " keys, " + values.size() + " buffers");
        }
        for (ByteBuffer key : keys) {
            requireDirect(key);
        }
        for (ByteBuffer value : values) {
            requireDirect(value);
            if (value.isReadOnly()) {
                throw new IllegalArgumentException("A buffer for a value is read-only: " + value);
            }
        }
    }

    /** Reads keys into buffers. There is one family for each key, one family for all keys, or no family for the default family. */
    static List<ByteBufferGetStatus> multiGetByteBuffers(RocksDB database, ReadOptions options,
            List<ColumnFamilyHandle> families, List<ByteBuffer> keys, List<ByteBuffer> values)
            throws RocksDBException {
        require(families, keys, values);
        int count = keys.size();
        ByteBufferGetStatus[] found = new ByteBufferGetStatus[count];
        List<ColumnFamilyHandle> each = families.isEmpty()
                ? null
                : families.size() == 1 ? Collections.nCopies(count, families.getFirst()) : families;
        try (Scratch scratch = database.use();
                Scratch _ = Reads.use(options);
                Scratch _ = Reads.useSnapshot(database, options)) {
            MemorySegment slices = NativeValues.words(scratch, 2 * count);
            for (int i = 0; i < count; i++) {
                ByteBuffer key = keys.get(i);
                MemorySegment copy = scratch.allocate(Math.max(1, key.remaining()), 1);
                MemorySegment.copy(MemorySegment.ofBuffer(key), 0, copy, 0, key.remaining());
                set(slices, i, copy.address(), key.remaining());
            }
            find(scratch, database, each, options, slices, count,
                    (index, address, size, error) -> found[index] = error != null
                            ? new ByteBufferGetStatus(Errors.exception(error).getStatus())
                            : address == 0
                                    ? new ByteBufferGetStatus(
                                            new Status(Status.Code.NotFound, Status.SubCode.None, null))
                                    : into(values.get(index), address, size));
        }
        for (ByteBufferGetStatus one : found) {
            if (one.value != null) {
                end(one.value, one.requiredSize);
            }
        }
        return new ArrayList<>(Arrays.asList(found));
    }

    /** Copies a value to the whole buffer, regardless of its position and limit. */
    private static ByteBufferGetStatus into(ByteBuffer value, long address, long size) {
        int whole = NativeValues.copy(address, size, value.duplicate().clear());
        return new ByteBufferGetStatus(new Status(Status.Code.Ok, Status.SubCode.None, null), whole, value);
    }

    /** Sets position and limit. As published, a limit before the end of the copied bytes is refused. */
    private static void end(ByteBuffer value, int size) {
        int copied = Math.min(size, value.capacity());
        if (copied > value.limit()) {
            throw new IllegalArgumentException("A value has " + size + " bytes, more than the limit of its buffer"
                    + " allows: " + value + "; clear buffers before the call");
        }
        value.position(0).limit(copied);
    }

    private static void requireDirect(ByteBuffer buffer) {
        if (!buffer.isDirect()) {
            throw new IllegalArgumentException("All buffers must be direct, unlike " + buffer);
        }
    }

    private static void set(MemorySegment slices, int index, long address, long length) {
        slices.setAtIndex(ValueLayout.JAVA_LONG, 2L * index, address);
        slices.setAtIndex(ValueLayout.JAVA_LONG, 2L * index + 1, length);
    }

    /** Looks keys up in the families at the same index, or all in the default family. */
    private static void find(Scratch scratch, RocksDB database, List<ColumnFamilyHandle> families,
            ReadOptions options, MemorySegment slices, int count, Taker taker) throws RocksDBException {
        if (count == 0) {
            return;
        }
        database.state_.look();
        MemorySegment handles = NativeValues.words(scratch, count);
        boolean isOneFamily = families == null
                ? setAll(handles, Reads.family(database, null))
                : setEach(handles, database, families);
        MemorySegment errors = NativeValues.words(scratch, count).fill((byte) 0);
        MemorySegment values = NativeValues.words(scratch, count).fill((byte) 0);
        if (isOneFamily) {
            PointReads.pinAll(database.nativeHandle_, Reads.options(database, options),
                    handles.getAtIndex(ValueLayout.JAVA_LONG, 0), count, slices.address(), values.address(),
                    errors.address(), false);
            takePins(values, errors, count, taker);
        } else {
            MemorySegment sizes = NativeValues.words(scratch, count).fill((byte) 0);
            MemorySegment keys = NativeValues.words(scratch, count);
            MemorySegment lengths = NativeValues.words(scratch, count);
            for (int i = 0; i < count; i++) {
                keys.setAtIndex(ValueLayout.JAVA_LONG, i, slices.getAtIndex(ValueLayout.JAVA_LONG, 2L * i));
                lengths.setAtIndex(ValueLayout.JAVA_LONG, i, slices.getAtIndex(ValueLayout.JAVA_LONG, 2L * i + 1));
            }
            CApi.rocksdb_multi_get_cf(database.nativeHandle_, Reads.options(database, options), handles.address(),
                    count, keys.address(), lengths.address(), values.address(), sizes.address(), errors.address());
            takeCopies(values, sizes, errors, count, taker);
        }
    }

    private static boolean setAll(MemorySegment handles, long handle) {
        for (long i = 0; i < handles.byteSize() / Long.BYTES; i++) {
            handles.setAtIndex(ValueLayout.JAVA_LONG, i, handle);
        }
        return true;
    }

    /**
     * Sets the handle of each key's family. Always sets the same handle for a family: RocksDB would treat two handles as two families,
     * acquire the thread's state of the family twice, and end the process.
     *
     * @return whether all keys belong to one family
     */
    private static boolean setEach(MemorySegment handles, RocksDB database, List<ColumnFamilyHandle> families) {
        ColumnFamilyHandle first = Objects.requireNonNull(families.getFirst(), "columnFamilyHandle");
        Map<Integer, Long> byNumber = null;
        for (int i = 0; i < families.size(); i++) {
            ColumnFamilyHandle family = Objects.requireNonNull(families.get(i), "columnFamilyHandle");
            long handle = Reads.family(database, family);
            if (byNumber == null && handle != first.nativeHandle_) {
                byNumber = new HashMap<>();
                byNumber.put(first.id(), first.nativeHandle_);
            }
            handles.setAtIndex(ValueLayout.JAVA_LONG, i,
                    byNumber == null ? handle : byNumber.computeIfAbsent(family.id(), _ -> handle));
        }
        return byNumber == null || byNumber.size() == 1;
    }

    private static void takePins(MemorySegment values, MemorySegment errors, int count, Taker taker)
            throws RocksDBException {
        try {
            for (int i = 0; i < count; i++) {
                long pin = values.getAtIndex(ValueLayout.JAVA_LONG, i);
                long of = pin | PinLayout.OF_TRANSACTION;
                taker.take(i, pin == 0 ? 0 : Math.max(1, PinLayout.address(of)), pin == 0 ? 0 : PinLayout.size(of),
                        error(errors, i));
            }
        } finally {
            for (int i = 0; i < count; i++) {
                long pin = values.getAtIndex(ValueLayout.JAVA_LONG, i);
                if (pin != 0) {
                    NativePins.destroySlice(pin);
                }
                free(errors, i);
            }
        }
    }

    private static void takeCopies(MemorySegment values, MemorySegment sizes, MemorySegment errors, int count,
            Taker taker) throws RocksDBException {
        try {
            for (int i = 0; i < count; i++) {
                taker.take(i, values.getAtIndex(ValueLayout.JAVA_LONG, i), sizes.getAtIndex(ValueLayout.JAVA_LONG, i),
                        error(errors, i));
            }
        } finally {
            for (int i = 0; i < count; i++) {
                NativeHeap.free(values.getAtIndex(ValueLayout.JAVA_LONG, i));
                free(errors, i);
            }
        }
    }

    /** Frees an error, if there is one. */
    private static void free(MemorySegment errors, int index) {
        long error = errors.getAtIndex(ValueLayout.JAVA_LONG, index);
        if (error != 0) {
            NativeHeap.free(error);
        }
    }

    private static String error(MemorySegment errors, int index) {
        long error = errors.getAtIndex(ValueLayout.JAVA_LONG, index);
        return error == 0 ? null : NativeCalls.view(error, Long.MAX_VALUE).getString(0);
    }
}
