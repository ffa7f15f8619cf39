package org.rocksdb;

import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What takes the prefixes of keys, and how long they are. Plain tables and hash memtables take the prefix of every key, without asking
 * whether the key is long enough. A fixed prefix then goes beyond a shorter key: into its sequence number, so that the key is not found
 * again, and after these 8 bytes to what may not be memory. The C API does not tell what is set, so it is remembered here.
 *
 * @param hasHashMemtable whether memtables take prefixes
 * @param hasPlainTables  whether tables take them
 * @param fixedLength     the length of prefixes that go beyond shorter keys, or 0 if they do not
 * @param hasSkipLists    whether memtables are surely skip lists: iterators of others may see only what was there when they were made
 */
record PrefixUse(boolean hasHashMemtable, boolean hasPlainTables, long fixedLength, boolean hasSkipLists) {

    /** What new options have. */
    static final PrefixUse NONE = new PrefixUse(false, false, 0, true);

    /** What options have that were read, but not here. */
    static final PrefixUse UNKNOWN = new PrefixUse(false, false, 0, false);

    private static final int LONGEST_SAFE = 8;
    private static final String EXTRACTOR = "prefix_extractor";
    private static final Pattern FIXED = Pattern.compile("(?:fixed:|rocksdb\\.FixedPrefix\\.)(\\d+)");
    private static final int MOST_DIGITS = 18;
    private static final Pattern HASH = Pattern
            .compile("prefix_hash|HashSkipListRepFactory|hash_linkedlist|HashLinkListRepFactory");

    /** The options that say what memtables are. */
    private static final String MEMTABLE = "memtable(_factory.*)?";
    /** As RocksDB writes it, and as programs may. */
    private static final Pattern SKIP_LIST = Pattern
            .compile("\\s*\\{?(id=)?(SkipListFactory|skip_list(:\\d+)?)(;lookahead=\\d+;?)?\\}?\\s*");

    PrefixUse with(MemTableConfig config) {
        return new PrefixUse(config instanceof HashSkipListMemTableConfig
                || config instanceof HashLinkedListMemTableConfig, hasPlainTables, fixedLength,
                config instanceof SkipListMemTableConfig);
    }

    PrefixUse with(TableFormatConfig config) {
        return new PrefixUse(hasHashMemtable, config instanceof PlainTableConfig, fixedLength, hasSkipLists);
    }

    PrefixUse withFixedLength(long length) {
        return new PrefixUse(hasHashMemtable, hasPlainTables, length, hasSkipLists);
    }

    /** With what a line of a family's section in a file of options says, as far as RocksDB may understand it. */
    PrefixUse withStored(String line) {
        int equals = line.indexOf('=');
        if (equals < 0) {
            return this;
        }
        String name = line.substring(0, equals).strip();
        // What is not special stands for itself behind a backslash.
        String value = line.substring(equals + 1).replaceAll("\\\\(.)", "$1");
        if (name.startsWith(EXTRACTOR)) {
            Matcher fixed = FIXED.matcher(value);
            if (fixed.find()) {
                return withFixedLength(length(fixed.group(1)));
            }
            // Other names that begin so may be ignored.
            return name.equals(EXTRACTOR) ? withFixedLength(0) : this;
        } else if (name.startsWith("memtable")) {
            boolean isSkipList = !name.matches(MEMTABLE) || SKIP_LIST.matcher(value).matches();
            return new PrefixUse(hasHashMemtable || HASH.matcher(value).find(), hasPlainTables, fixedLength,
                    hasSkipLists && isSkipList);
        } else if (name.startsWith("plain_table_factory") || name.startsWith("table_factory")) {
            return new PrefixUse(hasHashMemtable,
                    hasPlainTables || name.startsWith("plain") || value.contains("PlainTable"), fixedLength,
                    hasSkipLists);
        }
        return this;
    }

    /** A negative length that another program has given is stored as one of 64 bits. */
    private static long length(String digits) {
        return digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
    }

    /**
     * Makes a private copy of native options so that shorter keys do no harm: with a capped prefix, which is the same for longer keys and
     * takes shorter ones whole. Up to 8 bytes everything stays as published, for a capped prefix makes iterators see less that seek shorter
     * keys. Plain tables name their prefix in their files, and can be read with no other one.
     *
     * @throws IllegalArgumentException if there is no way
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
                        Natives.text(scratch, "prefix_extractor=rocksdb.CappedPrefix." + fixedLength), options,
                        Errors.place(scratch));
                Errors.check(scratch);
            }
        }
    }
}
