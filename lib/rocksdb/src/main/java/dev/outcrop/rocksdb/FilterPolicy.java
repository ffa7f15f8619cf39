package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OptionValues;
import dev.outcrop.rocksdb.engine.capi.CApi;
import java.util.function.LongSupplier;

/** The filters of table files, by which a look-up skips files without the key. Any number of options may use one. Immutable. */
public final class FilterPolicy {
    /** More than a database can have. */
    private static final int MOST_LEVELS = 1000;

    private final LongSupplier create;
    private final String description;

    private FilterPolicy(String description, LongSupplier create) {
        this.description = description;
        this.create = create;
    }

    /**
     * Makes a policy for Bloom filters.
     *
     * @param bitsPerKey how much memory a key takes; with 10, one look-up in 100 goes wrong; less than 0.5 makes no filter
     * @return the policy
     * @throws IllegalArgumentException if {@code bitsPerKey} is not from 0 to 100
     */
    public static FilterPolicy bloom(double bitsPerKey) {
        requireBits(bitsPerKey);
        return new FilterPolicy("bloomfilter:" + text(bitsPerKey),
                () -> CApi.rocksdb_filterpolicy_create_bloom_full(bitsPerKey));
    }

    /**
     * Makes a policy for Ribbon filters, which take a third less memory than equally good Bloom filters, and more time to build.
     *
     * @param bloomEquivalentBitsPerKey how good it is, as the bits of an equally good Bloom filter
     * @return the policy
     * @throws IllegalArgumentException if {@code bloomEquivalentBitsPerKey} is not from 0 to 100
     */
    public static FilterPolicy ribbon(double bloomEquivalentBitsPerKey) {
        requireBits(bloomEquivalentBitsPerKey);
        return new FilterPolicy("ribbonfilter:" + text(bloomEquivalentBitsPerKey),
                () -> CApi.rocksdb_filterpolicy_create_ribbon(bloomEquivalentBitsPerKey));
    }

    /**
     * Makes a policy for Bloom filters in the short-lived files of the upper levels, and Ribbon filters below.
     *
     * @param bloomEquivalentBitsPerKey how good they are, as the bits of an equally good Bloom filter
     * @param bloomBeforeLevel          the first level with Ribbon filters; 0 means that only files written from memory get Bloom filters,
     *                                  and -1 that no files get Bloom filters
     * @return the policy
     * @throws IllegalArgumentException if {@code bloomEquivalentBitsPerKey} is not from 0 to 100, or {@code bloomBeforeLevel} is less
     *                                  than -1
     */
    public static FilterPolicy ribbonHybrid(double bloomEquivalentBitsPerKey, int bloomBeforeLevel) {
        requireBits(bloomEquivalentBitsPerKey);
        OptionValues.inRange("bloom_before_level", bloomBeforeLevel, -1, Integer.MAX_VALUE);
        return new FilterPolicy(
                "ribbonfilter:" + text(bloomEquivalentBitsPerKey) + ":" + Math.min(bloomBeforeLevel, MOST_LEVELS),
                () -> CApi.rocksdb_filterpolicy_create_ribbon_hybrid(bloomEquivalentBitsPerKey, bloomBeforeLevel));
    }

    /** Without an exponent, which no option string has; so few bits make no filter either way. */
    private static String text(double bits) {
        return Double.toString(Math.max(bits, 0.001));
    }

    private static void requireBits(double bits) {
        OptionValues.inRange("bits_per_key", bits, 0, 100);
    }

    /** Makes a native policy, for a taker that owns it: the C API passes ownership of each policy. */
    long create() {
        ApiCall.requireLibrary();
        return create.getAsLong();
    }

    /** The policy as an option string names it. */
    @Override
    public String toString() {
        return description;
    }
}
