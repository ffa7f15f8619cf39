package org.rocksdb;

/**
 * A Bloom filter: finds out without reading a table that a key is not in it. It holds only its setting; each table format makes its own.
 */
public class BloomFilter extends Filter {

    private static final double DEFAULT_BITS_PER_KEY = 10;

    private final double bitsPerKey;

    /** With 10 bits for each key: about 1 % of absent keys pass. */
    public BloomFilter() {
        this(DEFAULT_BITS_PER_KEY);
    }

    /**
     * With a size.
     *
     * @param bitsPerKey bits for each key
     */
    public BloomFilter(double bitsPerKey) {
        super(0);
        this.bitsPerKey = bitsPerKey;
    }

    /**
     * With a size.
     *
     * @param bitsPerKey                 bits for each key
     * @param IGNORED_useBlockBasedMode has no meaning any longer
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
}
