package org.rocksdb;

/** Kinds of filters. */
public enum FilterPolicyType {

    /** None that is known. */
    kUnknownFilterPolicy((byte) 0),

    /** A Bloom filter. */
    kBloomFilterPolicy((byte) 1),

    /** A ribbon filter. */
    kRibbonFilterPolicy((byte) 2);

    private final byte value;

    FilterPolicyType(byte value) {
        this.value = value;
    }

    /**
     * Makes a filter of this kind.
     *
     * @param handle has no meaning: filters here hold only their setting
     * @param param  bits for each key
     * @return the filter; null for kinds other than Bloom filters
     */
    public Filter createFilter(long handle, double param) {
        return this == kBloomFilterPolicy ? new BloomFilter(param) : null;
    }

    /**
     * The number of the kind.
     *
     * @return a number
     */
    public byte getValue() {
        return value;
    }
}
