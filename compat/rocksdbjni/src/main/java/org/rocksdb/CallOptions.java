package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeBackgroundWork;
import dev.outcrop.rocksdb.engine.NativeCheckpoints;
import dev.outcrop.rocksdb.engine.NativeFiles;
import java.util.function.LongConsumer;

/**
 * A native copy of the options of one call, which no other thread can change. This is necessary because RocksDB reads options more than
 * once. For example, if only the second read of a flush says that it should wait, RocksDB releases a column family that it has never
 * acquired, and the family is freed while it is in use.
 */
final class CallOptions implements AutoCloseable {

    final long handle;
    private final LongConsumer destroy;

    /** Copies options from one native object to another. */
    private interface Replay {
        void run(Scratch scratch, long from, long to);
    }

    private CallOptions(RocksObject options, long made, Replay replay, LongConsumer destroy) {
        this.handle = made;
        this.destroy = destroy;
        try (Scratch scratch = options.use()) {
            replay.run(scratch, options.nativeHandle_, made);
        } catch (RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    static CallOptions of(FlushOptions options) {
        return new CallOptions(options, NativeBackgroundWork.newFlushOptions(), FlushOptions::replay,
                NativeBackgroundWork::destroyFlushOptions);
    }

    static CallOptions of(CompactionOptions options) {
        return new CallOptions(options, NativeBackgroundWork.newCompactionOptions(), CompactionOptions::replay,
                NativeBackgroundWork::destroyCompactionOptions);
    }

    static CallOptions of(ImportColumnFamilyOptions options) {
        return new CallOptions(options, NativeCheckpoints.newImportOptions(), ImportColumnFamilyOptions::replay,
                NativeCheckpoints::destroyImportOptions);
    }

    static CallOptions of(IngestExternalFileOptions options) {
        return new CallOptions(options, NativeFiles.newIngestOptions(), IngestExternalFileOptions::replay,
                NativeFiles::destroyIngestOptions);
    }

    @Override
    public void close() {
        destroy.accept(handle);
    }
}
