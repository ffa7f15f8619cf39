package dev.outcrop.rocksdb.engine;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The users of key prefixes in a set of options, and the prefixes. Plain tables and hash memtables take the prefix of every key, without
 * asking whether the key is long enough. A fixed prefix then reaches beyond a shorter key. First it reaches into the sequence number, so
 * the key is not found again. After these 8 bytes it may reach beyond the allocated memory. The C API has no getters for these options, so
 * this class remembers them.
 *
 * @param tables       what kind of tables there are
 * @param hashMemtable the name of a hash memtable; "" for memtables of other kinds
 * @param hasExtractor whether there is a prefix extractor
 * @param fixedLength  the length of prefixes that reach beyond shorter keys, or 0 if they do not
 */
public record PrefixUse(Tables tables, String hashMemtable, boolean hasExtractor, long fixedLength) {
    /** Tables that take the prefixes of keys, and others. */
    public enum Tables {
        OTHER,
        PLAIN,
        PLAIN_BY_PREFIX
    }

    /** The use of prefixes in new options. */
    public static final PrefixUse NONE = new PrefixUse(Tables.OTHER, "", false, 0);

    public static final String EXTRACTOR = "prefix_extractor";
    private static final String TABLES = "table_factory";
    private static final List<String> MEMTABLES = List.of("memtable", "memtable_factory");
    /**
     * The longest fixed prefix for plain tables. They do not find shorter keys with it either, but existing files name the extractor that
     * they need.
     */
    private static final long LONGEST_OF_PLAIN_TABLES = 8;
    private static final Pattern FIXED = Pattern.compile("(?:fixed:|rocksdb\\.FixedPrefix\\.)(\\d+)(?:\\.\\d+)?");
    private static final int MOST_DIGITS = 18;
    private static final Pattern HASH = Pattern
            .compile("(prefix_hash|HashSkipListRepFactory|hash_linkedlist|HashLinkListRepFactory)(:.*)?");

    public PrefixUse withTables(Tables used) {
        return new PrefixUse(used, hashMemtable, hasExtractor, fixedLength);
    }

    /** Returns this with the memtable that has this name in option strings. */
    public PrefixUse withMemtable(String name) {
        return new PrefixUse(tables, HASH.matcher(name).matches() ? name : "", hasExtractor, fixedLength);
    }

    /** Returns this with an extractor. The length is that of fixed prefixes, or 0. */
    public PrefixUse withExtractor(long length) {
        return new PrefixUse(tables, hashMemtable, true, length);
    }

    /** Returns this with the extractor that has this name in option strings. */
    private PrefixUse withExtractor(String name) {
        Matcher fixed = FIXED.matcher(name);
        return new PrefixUse(tables, hashMemtable, !name.isEmpty(), fixed.matches() ? length(fixed.group(1)) : 0);
    }

    /** A negative length from a C++ program is stored as an unsigned number of 64 bits. */
    private static long length(String digits) {
        return digits.length() > MOST_DIGITS ? Long.MAX_VALUE : Long.parseLong(digits);
    }

    /**
     * Returns this with the objects that an option string names, by option; "" for none. An option string can only name block-based tables.
     */
    public PrefixUse with(Map<String, String> names) {
        // If the string names two memtables, either of them may count.
        List<String> memtables = MEMTABLES.stream().map(names::get).filter(Objects::nonNull)
                .sorted(Comparator.comparing(name -> HASH.matcher(name).matches())).toList();
        String extractor = names.get(EXTRACTOR);
        PrefixUse use = memtables.isEmpty() ? this : withMemtable(memtables.getLast());
        use = extractor == null ? use : use.withExtractor(extractor);
        return names.containsKey(TABLES) ? use.withTables(Tables.OTHER) : use;
    }

    /** Returns the use in the stored options of a column family. */
    public static PrefixUse ofStored(Map<String, String> stored) {
        String extractor = ObjectNames.nameIn(stored.getOrDefault(EXTRACTOR, ""));
        boolean hasExtractor = !ObjectNames.isNone(extractor);
        PrefixUse use = NONE.withMemtable(ObjectNames.nameIn(stored.getOrDefault("memtable_factory", "")));
        if (stored.getOrDefault(TABLES, "").equals("PlainTable")) {
            // RocksDB does not store whether the tables are encoded by prefix. Without an extractor they are not.
            use = use.withTables(hasExtractor ? Tables.PLAIN_BY_PREFIX : Tables.PLAIN);
        }
        // RocksDB makes no extractor from a name that it does not know.
        return hasExtractor && (FIXED.matcher(extractor).matches() || ObjectNames.isKnown(EXTRACTOR, extractor))
                ? use.withExtractor(extractor)
                : use;
    }

    /** Returns whether a capped prefix of the same length does everything that the fixed prefix does, and also finds shorter keys. */
    public boolean shouldBeCapped() {
        return fixedLength > 0 && !hashMemtable.isEmpty() && tables == Tables.OTHER;
    }

    /** Returns why no database can be opened with these options; null if one can. */
    public @Nullable String refusal() {
        if (tables == Tables.PLAIN_BY_PREFIX && !hasExtractor) {
            return "Plain tables that are encoded by prefix need a prefix extractor;"
                    + " set it first, by prefixExtractor(SliceTransform.fixedPrefix(…))";
        }
        if (tables != Tables.OTHER && fixedLength > LONGEST_OF_PLAIN_TABLES) {
            return "Plain tables can use fixed prefixes of at most " + LONGEST_OF_PLAIN_TABLES
                    + " bytes, because they read beyond keys that are shorter, but the prefix extractor is fixed:"
                    + fixedLength + ". For new databases there is one that takes shorter keys whole: " + capped();
        }
        if (!hashMemtable.isEmpty() && fixedLength > 0) {
            return "The memtable " + hashMemtable + " takes the prefix of every key, and the prefix extractor fixed:"
                    + fixedLength + " reads beyond keys that are shorter: they are not found, or the process crashes. "
                    + (tables == Tables.OTHER
                            ? "Use the one that takes shorter keys whole: " + capped()
                            : "Use the one that takes shorter keys whole, or for plain tables that were written with it"
                                    + " another memtable: " + capped() + ", or set(\"memtable=skip_list\")");
        }
        return null;
    }

    private String capped() {
        return "set(\"" + EXTRACTOR + "=capped:" + fixedLength + "\")";
    }

    /**
     * Returns this, if it is safe.
     *
     * @throws IllegalStateException if it is not
     */
    public PrefixUse orThrow() {
        String refusal = refusal();
        if (refusal != null) {
            throw new IllegalStateException(refusal);
        }
        return this;
    }
}
