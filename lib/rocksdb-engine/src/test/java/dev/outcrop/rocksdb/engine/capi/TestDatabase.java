package dev.outcrop.rocksdb.engine.capi;

import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.NativeCalls;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/** A database that is used through nothing but {@link CApi}. */
final class TestDatabase implements AutoCloseable {
    private final long options = CApi.rocksdb_options_create();
    private final long readOptions = CApi.rocksdb_readoptions_create();
    private final long writeOptions = CApi.rocksdb_writeoptions_create();
    private final MemorySegment error;
    private final Arena arena;
    private final long address;

    TestDatabase(Path directory, Arena arena) {
        this.arena = arena;
        this.error = arena.allocate(JAVA_LONG);
        CApi.rocksdb_options_set_create_if_missing(options, (byte) 1);
        this.address = CApi.rocksdb_open(options, arena.allocateFrom(directory.toString()), error.address());
        check();
    }

    long address() {
        return address;
    }

    long readOptions() {
        return readOptions;
    }

    long defaultColumnFamily() {
        return CApi.rocksdb_get_default_column_family_handle(address);
    }

    void put(String key, String value) {
        MemorySegment keyBytes = arena.allocateFrom(key);
        MemorySegment valueBytes = arena.allocateFrom(value);
        CApi.rocksdb_put(address, writeOptions, keyBytes, keyBytes.byteSize() - 1, valueBytes,
                valueBytes.byteSize() - 1, error.address());
        check();
    }

    void flush() {
        long flushOptions = CApi.rocksdb_flushoptions_create();
        CApi.rocksdb_flush(address, flushOptions, error.address());
        CApi.rocksdb_flushoptions_destroy(flushOptions);
        check();
    }

    /** A new iterator, at the first entry. */
    long firstEntry() {
        long iterator = CApi.rocksdb_create_iterator(address, readOptions);
        CApi.rocksdb_iter_seek_to_first(iterator);
        assertThat(CApi.rocksdb_iter_valid(iterator)).isEqualTo((byte) 1);
        return iterator;
    }

    private void check() {
        long message = error.get(JAVA_LONG, 0);
        assertThat(message == 0 ? "" : NativeCalls.view(message, Long.MAX_VALUE).getString(0)).isEmpty();
    }

    @Override
    public void close() {
        CApi.rocksdb_close(address);
        CApi.rocksdb_writeoptions_destroy(writeOptions);
        CApi.rocksdb_readoptions_destroy(readOptions);
        CApi.rocksdb_options_destroy(options);
    }
}
