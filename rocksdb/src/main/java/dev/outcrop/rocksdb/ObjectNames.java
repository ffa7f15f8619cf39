package dev.outcrop.rocksdb;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * The names that option strings may give to objects. RocksDB takes an unknown one for "none" without a word, and a database that is
 * then written without its merge operator or comparator is damaged; one without its filter is slow. So they are checked here.
 *
 * <p>An option string is {@code option=value;option=value;…}, where a value in braces is an option string of its own, and the
 * option of a part may be addressed as {@code whole.part}. An object's value is its name, or {@code {id=name;…}}.
 */
final class ObjectNames {
    private static final List<String> PREFIX_EXTRACTORS = List.of("fixed:#", "rocksdb.FixedPrefix.#", "capped:#",
            "rocksdb.CappedPrefix.#", "rocksdb.Noop");
    private static final List<String> MEMTABLES = List.of("skip_list", "skip_list:#", "SkipListFactory",
            "SkipListFactory:#", "vector", "vector:#", "VectorRepFactory", "VectorRepFactory:#", "prefix_hash",
            "prefix_hash:#", "HashSkipListRepFactory", "HashSkipListRepFactory:#", "hash_linkedlist",
            "hash_linkedlist:#", "HashLinkListRepFactory", "HashLinkListRepFactory:#");

    /**
     * The names by option, as RocksDB's sources register them; # stands for a number. Not among them: sortlist, because it ends the
     * process when it meets a value that is no list of integers.
     */
    private static final Map<String, List<String>> KNOWN = Map.ofEntries(
            Map.entry("merge_operator",
                    List.of("uint64add", "UInt64AddOperator", "max", "MaxOperator", "put", "put_v1", "PutOperator",
                            "stringappend", "StringAppendOperator", "stringappendtest", "StringAppendTESTOperator",
                            "bytesxor", "BytesXOR")),
            Map.entry("comparator",
                    List.of("leveldb.BytewiseComparator", "rocksdb.ReverseBytewiseComparator",
                            "leveldb.BytewiseComparator.u64ts", "rocksdb.ReverseBytewiseComparator.u64ts")),
            Map.entry("compaction_filter", List.of("RemoveEmptyValueCompactionFilter")),
            Map.entry("compaction_filter_factory", List.of()),
            Map.entry("prefix_extractor", PREFIX_EXTRACTORS),
            Map.entry("memtable_insert_with_hint_prefix_extractor", PREFIX_EXTRACTORS),
            Map.entry("table_factory", List.of("BlockBasedTable")),
            Map.entry("memtable_factory", MEMTABLES),
            Map.entry("memtable", MEMTABLES),
            Map.entry("sst_partitioner_factory", List.of("SstPartitionerFixedPrefixFactory")),
            Map.entry("filter_policy",
                    List.of("bloomfilter:#", "bloomfilter:#:false", "bloomfilter:#:true", "rocksdb.BloomFilter:#",
                            "ribbonfilter:#", "ribbonfilter:#:#", "ribbonfilter:#:0", "ribbonfilter:#:-1",
                            "rocksdb.RibbonFilter:#", "rocksdb.RibbonFilter:#:#", "rocksdb.BuiltinBloomFilter")),
            Map.entry("flush_block_policy_factory",
                    List.of("FlushBlockBySizePolicyFactory", "FlushBlockEveryKeyPolicyFactory")),
            Map.entry("file_checksum_gen_factory", List.of("FileChecksumGenCrc32cFactory")),
            Map.entry("statistics", List.of("BasicStatistics")),
            Map.entry("wal_filter", List.of()),
            Map.entry("listeners", List.of()),
            Map.entry("rate_limiter", List.of()),
            Map.entry("env", List.of()));
    private static final Pattern HUGE = Pattern.compile("\\d{10,}");
    private static final List<String> NONE = List.of("", "nullptr");
    /** Without properties in braces, because RocksDB would take any number for them as well. */
    private static final List<String> BARE = List.of("memtable_factory", "memtable");
    /** What RocksDB cannot do without; it crashes without an environment. */
    private static final List<String> REQUIRED = List.of("comparator", "env");
    /**
     * What # stands for. RocksDB would take any number: it divides by a zero, and ends the process when it cannot allocate as much as
     * one with more digits says.
     */
    private static final Pattern NUMBER = Pattern.compile("(?<=[:.])(?!0+$)\\d{1,7}(\\.\\d+)?");

    private ObjectNames() {
    }

    /** Checks all names in an option string; returns those that its options have at the top, "" for none. */
    static Map<String, String> check(String options) {
        Map<String, String> names = new HashMap<>();
        for (Option option : parse(options)) {
            String[] path = option.name().split("\\.", -1);
            String name = path[path.length - 1];
            for (int i = 0; i < path.length - 1; i++) {
                if (KNOWN.containsKey(path[i])) {
                    // RocksDB ignores these if there is no such object yet.
                    throw fail(option, path[i]);
                }
            }
            if (KNOWN.containsKey(name)) {
                names.put(option.name(), objectName(option, name));
            }
            if (option.isBraced()) {
                check(option.inBraces());
            }
        }
        return names;
    }

    private static String objectName(Option option, String name) {
        if (!option.isBraced()) {
            boolean isNone = NONE.contains(option.value()) && !REQUIRED.contains(name);
            if (!isNone && !isKnown(name, option.value())) {
                throw fail(option, name);
            }
            return isNone ? "" : option.value();
        }
        List<Option> ids = parse(option.inBraces()).stream().filter(part -> part.name().equals("id")).toList();
        if (ids.isEmpty() || BARE.contains(name) || !ids.stream().allMatch(id -> isKnown(name, id.value()))) {
            throw fail(option, name);
        }
        boolean isMemtable = name.startsWith("memtable") && !name.endsWith("prefix_extractor");
        if (isMemtable && parse(option.inBraces()).stream().anyMatch(part -> HUGE.matcher(part.value()).matches())) {
            // RocksDB ends the process when it cannot allocate as much as this says.
            throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    option + " has a number with more than nine digits; a memtable cannot be that large");
        }
        return ids.getLast().value();
    }

    private static boolean isKnown(String option, String value) {
        List<String> known = KNOWN.getOrDefault(option, List.of());
        return !value.contains("#") && known.contains(NUMBER.matcher(value).replaceAll("#"));
    }

    private static RocksDBException fail(Option option, String name) {
        List<String> known = KNOWN.getOrDefault(name, List.of());
        return RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                option + " names no " + name + " that can be used here. "
                        + (known.isEmpty()
                                ? "None can be set in a string"
                                : "Write " + name + "=NAME "
                                        + (BARE.contains(name) ? "" : "or " + name + "={id=NAME;…} ") + "with one of "
                                        + String.join(", ", known)));
    }

    /** One {@code name=value} of an option string. */
    private record Option(String name, String value) {
        boolean isBraced() {
            return value.startsWith("{") && value.endsWith("}");
        }

        String inBraces() {
            return value.substring(1, value.length() - 1);
        }

        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    /** Splits as RocksDB does; what is not well-formed is left to RocksDB, which refuses it. */
    private static List<Option> parse(String text) {
        String options = text.strip();
        // RocksDB takes any number of braces off before it looks for names (StringToMap in options_helper.cc).
        while (options.length() > 2 && options.startsWith("{") && options.endsWith("}")) {
            options = options.substring(1, options.length() - 1).strip();
        }
        List<Option> parsed = new ArrayList<>();
        int start = 0;
        int equals = options.indexOf('=');
        while (equals >= 0) {
            int end = endOfValue(options, equals + 1);
            parsed.add(
                    new Option(options.substring(start, equals).strip(), options.substring(equals + 1, end).strip()));
            start = Math.min(end + 1, options.length());
            equals = options.indexOf('=', start);
        }
        return parsed;
    }

    /** Where the semicolon is that ends a value; those in braces do not. */
    private static int endOfValue(String options, int from) {
        int depth = 0;
        for (int i = from; i < options.length(); i++) {
            switch (options.charAt(i)) {
                case '{' -> depth++;
                case '}' -> depth--;
                case ';' -> {
                    if (depth <= 0) {
                        return i;
                    }
                }
                default -> {
                }
            }
        }
        return options.length();
    }
}
