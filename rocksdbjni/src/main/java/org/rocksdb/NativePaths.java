package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Paths as an array of native ones, for one call. */
final class NativePaths implements AutoCloseable {

    private final List<Long> paths = new ArrayList<>();
    private final MemorySegment array;

    NativePaths(Scratch scratch, Collection<DbPath> given) {
        List<DbPath> all = List.copyOf(given);
        array = scratch.allocate(Long.BYTES * (long) Math.max(1, all.size()), Long.BYTES);
        for (int i = 0; i < all.size(); i++) {
            DbPath path = all.get(i);
            if (path.path == null) {
                throw new IllegalArgumentException("The path of number " + i + " is null");
            }
            long made = CApi.rocksdb_dbpath_create(Natives.text(scratch, path.path.toString()), path.targetSize);
            paths.add(made);
            array.setAtIndex(ValueLayout.JAVA_LONG, i, made);
        }
    }

    long address() {
        return array.address();
    }

    long count() {
        return paths.size();
    }

    @Override
    public void close() {
        paths.forEach(CApi::rocksdb_dbpath_destroy);
    }
}
