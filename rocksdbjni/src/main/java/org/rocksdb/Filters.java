package org.rocksdb;

import dev.outcrop.rocksdb.capi.CApi;
import dev.outcrop.rocksdbjni.Unsupported;

/** Makes native filters: each table format owns one of its own. */
final class Filters {

    private Filters() {
    }

    static long make(Filter filter) {
        if (filter instanceof BloomFilter bloom) {
            return CApi.rocksdb_filterpolicy_create_bloom_full(bloom.bitsPerKey());
        }
        throw Unsupported.method("BlockBasedTableConfig.setFilterPolicy(" + filter.getClass().getSimpleName() + ")");
    }
}
