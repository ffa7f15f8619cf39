package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.NativeTableWriter;
import dev.outcrop.rocksdb.engine.capi.CApi;

/**
 * Options for reading and writing files outside of a database, for example by a writer of table files. Cannot be changed once in use. There
 * is nothing to close. Thread-safe.
 */
public final class EnvOptions extends EnvOptionsSetters {
    /** Makes RocksDB's default options. */
    public EnvOptions() {
        super(CApi::rocksdb_envoptions_create, NativeTableWriter::destroyEnvOptions);
    }

    /**
     * Limits the rate of writes.
     *
     * @param limiter the limiter; for any number of users
     * @return this object
     */
    public synchronized EnvOptions rateLimiter(RateLimiter limiter) {
        CApi.rocksdb_envoptions_set_rate_limiter(changing(), limiter.address());
        // The native options own their share of the limiter, but a caller that copies the options gets a plain pointer.
        owned.keep("rate_limiter", limiter);
        return this;
    }

    /**
     * Refuses memory mapped beyond the end of a file, which would end the process, and an empty buffer, with which writing would never end.
     */
    @Override
    synchronized long use() {
        if (useMmapWrites() && !allowFallocate()) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                    "use_mmap_writes needs allow_fallocate, which makes the files as long as their mapped part");
        }
        if (useDirectWrites() && writableFileMaxBufferSize() == 0) {
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT,
                    "use_direct_writes needs a writable_file_max_buffer_size of more than 0");
        }
        return super.use();
    }
}
