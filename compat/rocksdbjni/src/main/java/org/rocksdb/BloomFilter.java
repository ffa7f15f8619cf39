package org.rocksdb;

import dev.outcrop.rocksdbjni.NativeMethods;

/**
 * A Bloom filter, with which reads skip tables without a key. This object holds only the setting. Each table format makes its own native
 * filter.
 */
public class BloomFilter extends Filter {

    private static final double DEFAULT_BITS_PER_KEY = 10;

    private final double bitsPerKey;

    /** Makes a filter with 10 bits for each key: about 1 % of absent keys pass. */
    public BloomFilter() {
        this(DEFAULT_BITS_PER_KEY);
    }

    /**
     * Makes a filter with a size.
     *
     * @param bitsPerKey bits for each key
     */
    public BloomFilter(double bitsPerKey) {
        super(0);
        this.bitsPerKey = bitsPerKey;
    }

    /**
     * Makes a filter with a size.
     *
     * @param bitsPerKey                 bits for each key
     * @param IGNORED_useBlockBasedMode has no meaning
     */
    public BloomFilter(double bitsPerKey, boolean IGNORED_useBlockBasedMode) {
        this(bitsPerKey);
    }

    double bitsPerKey() {
        return bitsPerKey;
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof BloomFilter other && getClass() == other.getClass() && bitsPerKey == other.bitsPerKey;
    }

    @Override
    public int hashCode() {
        return Double.hashCode(bitsPerKey);
    }

    static long jniCreateNewBloomFilter(double bitsPerKey) {
        NativeMethods.require("Java_org_rocksdb_BloomFilter_createNewBloomFilter");
        return createNewBloomFilter(bitsPerKey);
    }

    private static native long createNewBloomFilter(double bitsPerKey);
}
