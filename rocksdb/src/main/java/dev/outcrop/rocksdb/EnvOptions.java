package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeTableWriter;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * How files are read and written outside of a database, for example by a writer of table files. Once in use it cannot be
 * changed any more. There is nothing to close. Thread-safe.
 */
public final class EnvOptions extends EnvOptionsSetters {
    /**
     * Makes RocksDB's default options.
     *
     * @throws IllegalStateException if the JVM was started without native access for Outcrop
     * @throws UnsatisfiedLinkError  if the native library cannot be found or loaded
     */
    public EnvOptions() {
        super(CApi::rocksdb_envoptions_create, NativeTableWriter::destroyEnvOptions);
    }

    /**
     * Slows writing down.
     *
     * @param limiter what limits the rate; for any number of users
     * @return this object
     * @throws IllegalStateException if this object is in use and can no longer change
     */
    public synchronized EnvOptions rateLimiter(RateLimiter limiter) {
        CApi.rocksdb_envoptions_set_rate_limiter(changing(), limiter.address());
        // The native options own their share of it, but a caller that copies them gets a plain pointer.
        owned.keep("rate_limiter", limiter);
        return this;
    }

    /** Refuses what would end the process, memory mapped beyond the end of a file, and what would never end, an empty buffer. */
    @Override
    synchronized long use() {
        if (useMmapWrites() && !allowFallocate()) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "use_mmap_writes needs allow_fallocate, which makes the files as long as what is mapped of them");
        }
        if (useDirectWrites() && writableFileMaxBufferSize() == 0) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "use_direct_writes needs a writable_file_max_buffer_size of more than 0");
        }
        return super.use();
    }
}
