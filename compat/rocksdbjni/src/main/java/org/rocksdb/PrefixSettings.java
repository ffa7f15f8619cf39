package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The use of key prefixes by options, and their length. Plain tables and hash memtables take the prefix of every key without a check of the
 * key's length. If a key is shorter, a fixed prefix extends beyond it: first into the sequence number of 8 bytes, so that the key is not
 * found again, and then possibly beyond mapped memory. The C API does not report these settings, so they are remembered here.
 *
 * @param hasHashMemtable whether memtables take prefixes
 * @param hasPlainTables  whether tables take prefixes
 * @param fixedLength     the length of prefixes that extend beyond shorter keys, or 0 if prefixes do not do so
 * @param hasSkipLists    whether all memtables are certainly skip lists; iterators of other memtables may see only the entries that existed
 *                        when the iterator was made
 */
record PrefixSettings(boolean hasHashMemtable, boolean hasPlainTables, long fixedLength, boolean hasSkipLists) {

    /** The settings of new options. */
    static final PrefixSettings NONE = new PrefixSettings(false, false, 0, true);

    /** The settings of options that native code has read. */
    static final PrefixSettings UNKNOWN = new PrefixSettings(false, false, 0, false);

    private static final int LONGEST_SAFE = 8;
    private static final String EXTRACTOR = "prefix_extractor";
    private static final Pattern FIXED = Pattern.compile("(?:fixed:|rocksdb\\.FixedPrefix\\.)(\\d+)");
    private static final int MOST_DIGITS = 18;
    private static final Pattern HASH = Pattern
            .compile("prefix_hash|HashSkipListRepFactory|hash_linkedlist|HashLinkListRepFactory");

    /** The options for the kind of memtables. */
    private static final String MEMTABLE = "memtable(_factory.*)?";
    /** A skip list, as RocksDB writes it and as programs may write it. */
    private static final Pattern SKIP_LIST = Pattern
            .compile("\\s*\\{?(id=)?(SkipListFactory|skip_list(:\\d+)?)(;lookahead=\\d+;?)?\\}?\\s*");

    PrefixSettings with(MemTableConfig config) {
        return new PrefixSettings(config instanceof HashSkipListMemTableConfig
                || config instanceof HashLinkedListMemTableConfig, hasPlainTables, fixedLength,
                config instanceof SkipListMemTableConfig);
    }

    PrefixSettings with(TableFormatConfig config) {
        return new PrefixSettings(hasHashMemtable, config instanceof PlainTableConfig, fixedLength, hasSkipLists);
    }

    PrefixSettings withFixedLength(long length) {
        return new PrefixSettings(hasHashMemtable, hasPlainTables, length, hasSkipLists);
    }

    /** Applies a line of a family's section in an options file, as far as RocksDB may understand it. */
    PrefixSettings withStored(String line) {
        int equals = line.indexOf('=');
        if (equals < 0) {
            return this;
        }
        String name = line.substring(0, equals).strip();
        // A backslash escapes a character.
        String value = line.substring(equals + 1).replaceAll("\\\\(.)", "$1");
        if (name.startsWith(EXTRACTOR)) {
            Matcher fixed = FIXED.matcher(value);
            if (fixed.find()) {
                return withFixedLength(length(fixed.group(1)));
            }
            // RocksDB may ignore other names with this prefix.
            return name.equals(EXTRACTOR) ? withFixedLength(0) : this;
        } else if (name.startsWith("memtable")) {
            boolean isSkipList = !name.matches(MEMTABLE) || SKIP_LIST.matcher(value).matches();
            return new PrefixSettings(hasHashMemtable || HASH.matcher(value).find(), hasPlainTables, fixedLength,
                    hasSkipLists && isSkipList);
        } else if (name.startsWith("plain_table_factory") || name.startsWith("table_factory")) {
            return new PrefixSettings(hasHashMemtable,
                    hasPlainTables || name.startsWith("plain") || value.contains("PlainTable"), fixedLength,
                    hasSkipLists);
        }
        return this;
    }

    /** Parses a length. RocksDB stores a negative length as a number of 64 bits. */
    private static long length(String digits) {
        return digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
    }

    /**
     * Makes a private copy of native options safe for shorter keys, with a capped prefix. A capped prefix is the same for longer keys, and
     * is the whole key for shorter keys. Up to 8 bytes everything stays as published, because with a capped prefix iterators that seek
     * shorter keys see less. Plain tables store the name of their prefix in their files, and cannot be read with another prefix.
     *
     * @throws IllegalArgumentException if the options cannot be made safe
     */
    void makeSafe(long options) throws RocksDBException {
        if (hasPlainTables && fixedLength > LONGEST_SAFE) {
            throw new IllegalArgumentException("RocksDB might end the process: plain tables read " + fixedLength
                    + " bytes of every key for its fixed prefix, also of a shorter key, which is safe up to "
                    + LONGEST_SAFE + " bytes. Use useCappedPrefixExtractor(" + fixedLength
                    + ") for new databases, or block based tables");
        }
        if (hasHashMemtable && !hasPlainTables && fixedLength > LONGEST_SAFE) {
            try (Scratch scratch = Scratch.open()) {
                NativeDbOptions.parse(options,
                        NativeValues.text(scratch, "prefix_extractor=rocksdb.CappedPrefix." + fixedLength), options,
                        Errors.place(scratch));
                Errors.check(scratch);
            }
        }
    }
}
