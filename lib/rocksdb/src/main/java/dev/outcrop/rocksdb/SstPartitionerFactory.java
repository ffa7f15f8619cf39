package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;

/** Decides between which keys a compaction starts a new table file. There is nothing to close. Thread-safe. */
public final class SstPartitionerFactory extends SharedObject {
    private SstPartitionerFactory(int length) {
        super(() -> CApi.rocksdb_sst_partitioner_fixed_prefix_factory_create(length),
                CApi::rocksdb_sst_partitioner_factory_destroy);
    }

    /**
     * Returns a factory that starts a new file for each prefix.
     *
     * @param length how many of a key's first bytes are its prefix
     * @return the factory
     * @throws IllegalArgumentException if {@code length} is less than 1
     */
    public static SstPartitionerFactory fixedPrefix(int length) {
        OptionValues.inRange("The length of a prefix", length, 1, Integer.MAX_VALUE);
        return new SstPartitionerFactory(length);
    }
}
