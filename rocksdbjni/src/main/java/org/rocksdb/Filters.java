package org.rocksdb;

import dev.outcrop.rocksdbjni.Unsupported;

/** Makes native filters: each table format has one of its own. */
final class Filters {

    private Filters() {
    }

    /** A {@code shared_ptr}, which the caller owns. */
    static long make(Filter filter) {
        if (filter instanceof BloomFilter bloom) {
            return Exports.BLOOM_FILTER_CREATE_NEW_BLOOM_FILTER.call(Double.doubleToRawLongBits(bloom.bitsPerKey()));
        }
        throw Unsupported.method("BlockBasedTableConfig.setFilterPolicy(" + filter.getClass().getSimpleName() + ")");
    }
}
