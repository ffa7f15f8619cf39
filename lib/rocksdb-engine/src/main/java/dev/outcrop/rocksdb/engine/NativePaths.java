package dev.outcrop.rocksdb.engine;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** An array of {@code rocksdb_dbpath_t *} for a call. */
public final class NativePaths implements AutoCloseable {
    private final MemorySegment array;
    private final int count;

    /** Makes the array from paths, which are C strings, and the target size of each. */
    public NativePaths(Scratch scratch, List<MemorySegment> paths, long[] targetSizes) {
        this.count = paths.size();
        this.array = scratch.allocate(ValueLayout.JAVA_LONG, Math.max(1, count));
        for (int i = 0; i < count; i++) {
            array.setAtIndex(ValueLayout.JAVA_LONG, i, CApi.rocksdb_dbpath_create(paths.get(i), targetSizes[i]));
        }
    }

    public long address() {
        return array.address();
    }

    public long count() {
        return count;
    }

    @Override
    public void close() {
        for (int i = 0; i < count; i++) {
            CApi.rocksdb_dbpath_destroy(array.getAtIndex(ValueLayout.JAVA_LONG, i));
        }
    }
}
