package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeTableWriter;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.ArrayList;
import java.util.List;

/** The state of {@code EnvOptions} in Java. Native options have a plain pointer to the rate limiter. */
final class EnvOptionsState {

    private final EnvOptions options;
    private RateLimiter limiter;
    /** Whether {@link #from} made the native options. C's options have one more field, which C would free. */
    private boolean copied;
    /** The owners of the limiters to which native code points. */
    private final List<RocksObject> leased = new ArrayList<>();

    EnvOptionsState(EnvOptions options) {
        this.options = options;
    }

    static long from(DBOptions database) {
        try (Scratch _ = database.use()) {
            synchronized (database.state_) {
                return EnvOptions.jniNewEnvOptions(database.nativeHandle_);
            }
        }
    }

    /** Also leases the limiter of the database's options. */
    void takeFrom(OptionsState database) {
        copied = true;
        try (Scratch entered = database.owner().use()) {
            lease(database.owner(), entered);
        }
    }

    /** Keeps the native options and their limiters. */
    NativeLease hold() {
        try (Scratch entered = options.use()) {
            return new NativeLease(options, entered);
        }
    }

    private void lease(RocksObject part, Scratch entered) {
        part.lease(entered);
        leased.add(part);
    }

    static void dispose(EnvOptions options, long handle) {
        if (options.state_.copied) {
            EnvOptions.jniDisposeInternalJni(handle);
        } else {
            NativeTableWriter.destroyEnvOptions(handle);
        }
        options.state_.leased.forEach(RocksObject::release);
    }

    void setRateLimiter(RateLimiter limiter) {
        try (Scratch _ = options.use(); Scratch entered = limiter.use()) {
            EnvOptions.jniSetRateLimiter(options.nativeHandle_, limiter.nativeHandle_);
            lease(limiter, entered);
        }
        this.limiter = limiter;
    }

    void setUseMmapWrites(boolean use) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_envoptions_set_use_mmap_writes(options.nativeHandle_, NativeValues.flag(use));
        }
    }

    void setUseDirectWrites(boolean use) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_envoptions_set_use_direct_writes(options.nativeHandle_, NativeValues.flag(use));
        }
    }

    void setWritableFileMaxBufferSize(long bytes) {
        try (Scratch _ = options.use()) {
            CApi.rocksdb_envoptions_set_writable_file_max_buffer_size(options.nativeHandle_, bytes);
        }
    }

    /**
     * Makes a writer of SST files. The owners of both options are in use. The lock makes sure that RocksDB copies the options that were
     * checked.
     */
    synchronized long makeWriter(long tableOptions) {
        if (options.useMmapWrites()) {
            // Another writer of the same file would truncate it.
            throw new IllegalArgumentException("useMmapWrites is not for files of an SstFileWriter: writing to a"
                    + " mapped file that somebody else cuts off ends the process; set it to false");
        }
        if (options.useDirectWrites() && options.writableFileMaxBufferSize() == 0) {
            throw new IllegalArgumentException("useDirectWrites needs a writableFileMaxBufferSize of more than 0:"
                    + " through an empty buffer nothing would ever be written");
        }
        return NativeTableWriter.create(options.nativeHandle_, tableOptions);
    }

    RateLimiter rateLimiter() {
        try (Scratch _ = options.use()) {
            return limiter;
        }
    }
}
