package dev.outcrop.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/** An array of {@code rocksdb_dbpath_t *}, for the time of a call. */
final class NativePaths implements AutoCloseable {
    private final Scratch scratch = Native.scratch();
    private final List<Long> paths = new ArrayList<>();
    private final MemorySegment array;

    NativePaths(List<DbPath> paths) {
        try {
            this.array = scratch.allocate(ValueLayout.JAVA_LONG, Math.max(1, paths.size()));
            for (DbPath path : paths) {
                MemorySegment name = Native.in(scratch, OsPath.text(path.path().toAbsolutePath()));
                long made = CApi.rocksdb_dbpath_create(name, path.targetSize());
                array.setAtIndex(ValueLayout.JAVA_LONG, this.paths.size(), made);
                this.paths.add(made);
            }
        } catch (Throwable e) {
            close();
            throw e;
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
        scratch.close();
    }
}
