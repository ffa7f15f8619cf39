package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTableWriter;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/** Calls of {@code SstFileWriter}. A lock on the writer serializes threads. */
final class SstWriters {

    private static final byte[] NO_VALUE = {};

    private SstWriters() {
    }

    static long make(EnvOptions environment, Options options) {
        try (Scratch _ = environment.use();
                Scratch _ = options.use();
                CheckedOptions opening = CheckedOptions.forFile(options)) {
            return environment.state_.makeWriter(opening.handle);
        } catch (RocksDBException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    static void open(SstFileWriter writer, String path) throws RocksDBException {
        synchronized (writer) {
            try (Scratch scratch = writer.use()) {
                NativeTableWriter.open(writer.nativeHandle_, NativeValues.text(scratch, path),
                        Errors.place(scratch));
                Errors.check(scratch);
            }
        }
    }

    /** A C function that adds an entry. */
    private interface Entry {
        void add(long writer, MemorySegment key, long keyLength, MemorySegment value, long valueLength, long error);
    }

    private static void add(SstFileWriter writer, Entry entry, byte[] key, byte[] value) throws RocksDBException {
        synchronized (writer) {
            try (Scratch scratch = writer.use(); SstWriterState _ = writer.state_.begin()) {
                entry.add(writer.nativeHandle_, NativeValues.copy(scratch, key), key.length,
                        NativeValues.copy(scratch, value),
                        value.length, Errors.place(scratch));
                Errors.check(scratch);
            }
        }
    }

    static void put(SstFileWriter writer, byte[] key, byte[] value) throws RocksDBException {
        add(writer, NativeTableWriter::put, key, value);
    }

    /** Adds an entry. As published, only direct buffers are accepted. Afterwards their positions are their limits. */
    static void put(SstFileWriter writer, ByteBuffer key, ByteBuffer value) throws RocksDBException {
        NativeValues.requireDirect(key, "key");
        NativeValues.requireDirect(value, "value");
        synchronized (writer) {
            try (Scratch scratch = writer.use(); SstWriterState _ = writer.state_.begin()) {
                NativeTableWriter.put(writer.nativeHandle_, MemorySegment.ofBuffer(key), key.remaining(),
                        MemorySegment.ofBuffer(value), value.remaining(), Errors.place(scratch));
                Errors.check(scratch);
            }
        }
        key.position(key.limit());
        value.position(value.limit());
    }

    static void put(SstFileWriter writer, Slice key, Slice value) throws RocksDBException {
        put(writer, key.data(), value.data());
    }

    static void put(SstFileWriter writer, DirectSlice key, DirectSlice value) throws RocksDBException {
        put(writer, key.data(), value.data());
    }

    static void merge(SstFileWriter writer, byte[] key, byte[] value) throws RocksDBException {
        add(writer, NativeTableWriter::merge, key, value);
    }

    static void merge(SstFileWriter writer, Slice key, Slice value) throws RocksDBException {
        merge(writer, key.data(), value.data());
    }

    static void merge(SstFileWriter writer, DirectSlice key, DirectSlice value) throws RocksDBException {
        merge(writer, bytes(key), bytes(value));
    }

    static void delete(SstFileWriter writer, byte[] key) throws RocksDBException {
        add(writer, (handle, address, length, _, _, error) -> NativeTableWriter.delete(handle, address, length, error),
                key, NO_VALUE);
    }

    static void delete(SstFileWriter writer, Slice key) throws RocksDBException {
        delete(writer, key.data());
    }

    static void delete(SstFileWriter writer, DirectSlice key) throws RocksDBException {
        delete(writer, bytes(key));
    }

    static void finish(SstFileWriter writer) throws RocksDBException {
        synchronized (writer) {
            try (Scratch scratch = writer.use(); SstWriterState _ = writer.state_.begin()) {
                NativeTableWriter.finish(writer.nativeHandle_, Errors.place(scratch));
                Errors.check(scratch);
            }
        }
    }

    static long fileSize(SstFileWriter writer) {
        synchronized (writer) {
            try (Scratch scratch = writer.use()) {
                NativeTableWriter.fileSize(writer.nativeHandle_, scratch.wordAddress(0));
                return scratch.word(0);
            }
        }
    }

    private static byte[] bytes(DirectSlice slice) {
        ByteBuffer data = slice.data();
        byte[] bytes = new byte[data.remaining()];
        data.get(bytes);
        return bytes;
    }
}
