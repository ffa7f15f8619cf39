package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A write batch that RocksDB builds itself, to compare ours with, and a database of column families for it. */
final class NativeBatch implements AutoCloseable {
    private final Arena arena = Arena.ofConfined();
    private final MemorySegment error = arena.allocate(ValueLayout.JAVA_LONG);
    private final long db;
    /** The handles of the column families, by id. */
    private final List<Long> families = new ArrayList<>();
    private final long batch = CApi.rocksdb_writebatch_create();

    /**
     * A database with column families of the ids 0 to {@code families - 1}; the last one has timestamps of 8 bytes.
     */
    NativeBatch(Path directory, int families) {
        long options = CApi.rocksdb_options_create();
        CApi.rocksdb_options_set_create_if_missing(options, (byte) 1);
        db = CApi.rocksdb_open(options, arena.allocateFrom(directory.toString()), error.address());
        this.families.add(CApi.rocksdb_get_default_column_family_handle(db));
        long stamped = CApi.rocksdb_options_create();
        CApi.rocksdb_get_options_from_string(options, arena.allocateFrom("comparator=leveldb.BytewiseComparator.u64ts"),
                stamped, error.address());
        for (int id = 1; id < families; id++) {
            this.families.add(CApi.rocksdb_create_column_family(db, id == families - 1 ? stamped : options,
                    arena.allocateFrom("family " + id), error.address()));
        }
        CApi.rocksdb_options_destroy(stamped);
        CApi.rocksdb_options_destroy(options);
        check();
    }

    void put(int family, byte[] key, byte[] value) {
        CApi.rocksdb_writebatch_put_cf(batch, families.get(family), in(key), key.length, in(value), value.length);
    }

    void delete(int family, byte[] key) {
        CApi.rocksdb_writebatch_delete_cf(batch, families.get(family), in(key), key.length);
    }

    void singleDelete(int family, byte[] key) {
        CApi.rocksdb_writebatch_singledelete_cf(batch, families.get(family), in(key), key.length);
    }

    void deleteRange(int family, byte[] begin, byte[] end) {
        CApi.rocksdb_writebatch_delete_range_cf(batch, families.get(family), in(begin), begin.length, in(end),
                end.length);
    }

    void merge(int family, byte[] key, byte[] operand) {
        CApi.rocksdb_writebatch_merge_cf(batch, families.get(family), in(key), key.length, in(operand), operand.length);
    }

    void putAt(int family, byte[] key, byte[] time, byte[] value) {
        CApi.rocksdb_writebatch_put_cf_with_ts(batch, families.get(family), in(key), key.length, in(time), time.length,
                in(value), value.length);
    }

    void deleteAt(int family, byte[] key, byte[] time) {
        CApi.rocksdb_writebatch_delete_cf_with_ts(batch, families.get(family), in(key), key.length, in(time),
                time.length);
    }

    void singleDeleteAt(int family, byte[] key, byte[] time) {
        CApi.rocksdb_writebatch_singledelete_cf_with_ts(batch, families.get(family), in(key), key.length, in(time),
                time.length);
    }

    void putLogData(byte[] data) {
        CApi.rocksdb_writebatch_put_log_data(batch, in(data), data.length);
    }

    void setSavePoint() {
        CApi.rocksdb_writebatch_set_save_point(batch);
    }

    void rollbackToSavePoint() {
        CApi.rocksdb_writebatch_rollback_to_save_point(batch, error.address());
        check();
    }

    void popSavePoint() {
        CApi.rocksdb_writebatch_pop_save_point(batch, error.address());
        check();
    }

    void clear() {
        CApi.rocksdb_writebatch_clear(batch);
    }

    int count() {
        return CApi.rocksdb_writebatch_count(batch);
    }

    byte[] data() {
        MemorySegment size = arena.allocate(ValueLayout.JAVA_LONG);
        long data = CApi.rocksdb_writebatch_data(batch, size.address());
        return NativeCalls.view(data, size.get(ValueLayout.JAVA_LONG, 0)).toArray(ValueLayout.JAVA_BYTE);
    }

    private MemorySegment in(byte[] bytes) {
        return arena.allocate(Math.max(1, bytes.length)).copyFrom(MemorySegment.ofArray(bytes));
    }

    private void check() {
        long message = error.get(ValueLayout.JAVA_LONG, 0);
        assertThat(message == 0 ? "" : NativeCalls.view(message, Long.MAX_VALUE).getString(0)).isEmpty();
    }

    @Override
    public void close() {
        CApi.rocksdb_writebatch_destroy(batch);
        families.forEach(CApi::rocksdb_column_family_handle_destroy);
        CApi.rocksdb_close(db);
        arena.close();
    }
}
