package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.capi.CApi;

/** Computes a checksum of each table and blob file, which the manifest stores. There is nothing to close. Thread-safe. */
public final class FileChecksumGenFactory extends SharedObject {
    private FileChecksumGenFactory() {
        super(CApi::rocksdb_file_checksum_gen_crc32c_factory_create, CApi::rocksdb_file_checksum_gen_factory_destroy);
    }

    /**
     * Returns a factory of CRC32C checksums.
     *
     * @return the factory
     */
    public static FileChecksumGenFactory crc32c() {
        return new FileChecksumGenFactory();
    }
}
