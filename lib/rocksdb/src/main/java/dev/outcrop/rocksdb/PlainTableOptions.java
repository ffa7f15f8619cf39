package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.engine.OptionValues;
import java.util.Objects;

/**
 * Options of plain tables: tables for data that is in memory anyway, without blocks, caches, compression or checksums. Pass it to {@link
 * Options#plainTableFactory(PlainTableOptions)}, which copies it: it can be changed and used again. Thread-safe.
 *
 * <p>They need {@link Options#allowMmapReads(boolean)}, and have no range deletions. With a {@link Options#prefixExtractor prefix
 * extractor}, which {@link #hashTableRatio} above 0 needs, all keys must be at least as long as the prefix: shorter ones may not be found.
 * Two of RocksDB's options are not offered: with {@code user_key_len}, a key of another length makes the file unreadable, and with {@code
 * full_scan_mode}, looking for a single key ends the process.
 */
public final class PlainTableOptions {
    private int bloomBitsPerKey = 10;
    private double hashTableRatio = 0.75;
    private long indexSparseness = 16;
    private long hugePageTlbSize;
    private PlainTableEncoding encodingType = PlainTableEncoding.PLAIN;
    private boolean storeIndexInFile;

    /** Makes RocksDB's default options. */
    public PlainTableOptions() {
    }

    /**
     * Sets how much memory a key or prefix takes in the filter.
     *
     * @param bits from 0, for no filter, to 1,000; 10 if not set
     * @return this object
     * @throws IllegalArgumentException if {@code bits} is out of its range
     */
    public synchronized PlainTableOptions bloomBitsPerKey(int bits) {
        bloomBitsPerKey = OptionValues.inRange("bloom_bits_per_key", bits, 0, 1000);
        return this;
    }

    /**
     * Returns the bits that a key or prefix takes in the filter.
     *
     * @return bits
     */
    public synchronized int bloomBitsPerKey() {
        return bloomBitsPerKey;
    }

    /**
     * Sets how full the hash table of prefixes is.
     *
     * @param ratio prefixes by slots, at least 0.001; 0 searches all keys instead; 0.75 if not set
     * @return this object
     * @throws IllegalArgumentException if {@code ratio} is out of its range
     */
    public synchronized PlainTableOptions hashTableRatio(double ratio) {
        // Slots are prefixes divided by this, in one piece of memory.
        hashTableRatio = ratio == 0 ? 0 : OptionValues.inRange("hash_table_ratio", ratio, 0.001, 1e6);
        return this;
    }

    /**
     * Returns the fill ratio of the hash table of prefixes.
     *
     * @return prefixes by slots
     */
    public synchronized double hashTableRatio() {
        return hashTableRatio;
    }

    /**
     * Sets for how many keys of one prefix there is one entry in the index.
     *
     * @param keys from 1 to 1,000,000; 16 if not set
     * @return this object
     * @throws IllegalArgumentException if {@code keys} is out of its range
     */
    public synchronized PlainTableOptions indexSparseness(long keys) {
        indexSparseness = OptionValues.inRange("index_sparseness", keys, 1, 1_000_000);
        return this;
    }

    /**
     * Returns the number of keys of one prefix for each entry in the index.
     *
     * @return keys
     */
    public synchronized long indexSparseness() {
        return indexSparseness;
    }

    /**
     * Takes the memory of index and filter from huge pages.
     *
     * @param bytes the size of a page as the system is configured for, or 0, which is the default, for other memory
     * @return this object
     * @throws IllegalArgumentException if {@code bytes} is negative
     */
    public synchronized PlainTableOptions hugePageTlbSize(long bytes) {
        hugePageTlbSize = OptionValues.notNegative("huge_page_tlb_size", bytes);
        return this;
    }

    /**
     * Returns the size of the huge pages for index and filter.
     *
     * @return bytes, or 0 for other memory
     */
    public synchronized long hugePageTlbSize() {
        return hugePageTlbSize;
    }

    /**
     * Sets how keys are stored.
     *
     * @param encoding {@link PlainTableEncoding#PLAIN} if not set
     * @return this object
     */
    public synchronized PlainTableOptions encodingType(PlainTableEncoding encoding) {
        encodingType = Objects.requireNonNull(encoding, "encoding");
        return this;
    }

    /**
     * Returns the encoding of keys.
     *
     * @return the encoding
     */
    public synchronized PlainTableEncoding encodingType() {
        return encodingType;
    }

    /**
     * Stores index and filter in the file, instead of building them when it is opened.
     *
     * @param stored false if not set
     * @return this object
     */
    public synchronized PlainTableOptions storeIndexInFile(boolean stored) {
        storeIndexInFile = stored;
        return this;
    }

    /**
     * Returns whether index and filter are stored in the file.
     *
     * @return true if they are
     */
    public synchronized boolean storeIndexInFile() {
        return storeIndexInFile;
    }
}
