package dev.outcrop.rocksdb.engine;

import dev.outcrop.rocksdb.engine.OptionString.Option;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names that option strings may give to objects. RocksDB silently takes an unknown name for "none". If a database is then written
 * without its merge operator or comparator, it is damaged. Without its filter, it is slow.
 *
 * <p>An object's value is its name, or {@code {id=name;…}}.
 */
public final class ObjectNames {
    private static final String FILTER_POLICY = "filter_policy";
    private static final List<String> PREFIX_EXTRACTORS = List.of("fixed:#", "rocksdb.FixedPrefix.#", "capped:#",
            "rocksdb.CappedPrefix.#", "rocksdb.Noop");
    private static final List<String> MEMTABLES = List.of("skip_list", "skip_list:#", "SkipListFactory",
            "SkipListFactory:#", "vector", "vector:#", "VectorRepFactory", "VectorRepFactory:#", "prefix_hash",
            "prefix_hash:#", "HashSkipListRepFactory", "HashSkipListRepFactory:#", "hash_linkedlist",
            "hash_linkedlist:#", "HashLinkListRepFactory", "HashLinkListRepFactory:#");

    /**
     * The names by option: all options that are objects in RocksDB's tables (cf_options.cc, db_options.cc,
     * block_based_table_factory.cc, statistics.cc), and the names that its sources register; # stands for a number. The name sortlist is
     * missing, because this operator ends the process when it meets a value that is no list of integers.
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
            Map.entry("plain_table_factory", List.of()),
            Map.entry("table_properties_collectors", List.of()),
            Map.entry("compression_manager", List.of("BuiltinV2")),
            Map.entry("blob_direct_write_partition_strategy", List.of()),
            Map.entry("memtable_factory", MEMTABLES),
            Map.entry("memtable", MEMTABLES),
            Map.entry("sst_partitioner_factory", List.of("SstPartitionerFixedPrefixFactory")),
            Map.entry(FILTER_POLICY,
                    List.of("bloomfilter:#", "bloomfilter:#:false", "bloomfilter:#:true", "rocksdb.BloomFilter:#",
                            "ribbonfilter:#", "ribbonfilter:#:#", "ribbonfilter:#:0", "ribbonfilter:#:-1",
                            "rocksdb.RibbonFilter:#", "rocksdb.RibbonFilter:#:#", "rocksdb.BuiltinBloomFilter")),
            Map.entry("flush_block_policy_factory",
                    List.of("FlushBlockBySizePolicyFactory", "FlushBlockEveryKeyPolicyFactory")),
            Map.entry("user_defined_index_factory", List.of("trie_index")),
            Map.entry("block_cache_compressed", List.of()),
            Map.entry("persistent_cache", List.of()),
            Map.entry("file_checksum_gen_factory", List.of("FileChecksumGenCrc32cFactory")),
            Map.entry("statistics", List.of("BasicStatistics")),
            Map.entry("inner", List.of()),
            Map.entry("wal_filter", List.of()),
            Map.entry("listeners", List.of()),
            Map.entry("rate_limiter", List.of()),
            Map.entry("env", List.of()));
    private static final List<String> NONE = List.of("", "nullptr");
    /** Options that take no properties in braces, because RocksDB would accept any number in these, too. */
    private static final List<String> BARE = List.of("memtable_factory", "memtable");
    /**
     * Objects that RocksDB needs, replaces by a default, or leaves unchanged. It crashes if the environment or a collector is missing.
     */
    private static final List<String> REQUIRED = List.of("comparator", "env", "table_factory", "memtable_factory",
            "memtable", "flush_block_policy_factory", "rate_limiter", "table_properties_collectors");
    /** The block-based table under another name. Its value has only options, without an id. */
    private static final String TABLE_OPTIONS = "block_based_table_factory";
    /** Objects that are always there, so that their parts can be set. */
    private static final List<String> WHOLES = List.of("table_factory", TABLE_OPTIONS);
    /**
     * The numbers that # stands for. RocksDB accepts any number: it divides by zero, and it ends the process if it cannot allocate the
     * memory for a large number.
     */
    private static final Pattern NUMBER = Pattern.compile("(?<=[:.])(?!0+$)\\d{1,7}");
    /** The number of bits for each key may have a fraction. In other names with a fraction, RocksDB silently makes no object. */
    private static final Pattern FRACTION = Pattern.compile(NUMBER + "(\\.\\d+)?");

    private ObjectNames() {
    }

    /** Finds the first name or number in an option string that cannot be used, and says why; null if there is none. */
    public static @Nullable NativeStatus problem(String options) {
        String problem = firstProblem(options);
        return problem == null ? null : NativeStatus.invalid(problem);
    }

    private static @Nullable String firstProblem(String options) {
        return OptionString.parse(options).stream().map(ObjectNames::problem).filter(Objects::nonNull).findFirst()
                .orElse(null);
    }

    private static @Nullable String problem(Option option) {
        String name = option.part();
        String problem = partProblem(option);
        if (problem == null && KNOWN.containsKey(name) && objectName(option, name) == null) {
            problem = unknown(option, name);
        } else if (problem == null && name.equals(TABLE_OPTIONS) && !option.value().contains("=")) {
            problem = option + " sets nothing. Write " + name + "={option=value;…}";
        }
        if (problem == null) {
            problem = OptionNumbers.problem(option);
        }
        // RocksDB takes the options of a table without braces as well, up to the next semicolon.
        return problem == null && (option.isBraced() || WHOLES.contains(name)) ? firstProblem(option.value()) : problem;
    }

    /** RocksDB ignores the parts of an object that does not exist yet. The object's name is no part: it would replace the object. */
    private static @Nullable String partProblem(Option option) {
        for (String whole : option.path().subList(0, option.path().size() - 1)) {
            boolean isAlwaysThere = !KNOWN.containsKey(whole) || WHOLES.contains(whole);
            boolean isReplaced = WHOLES.contains(whole) && option.part().equals("id");
            if (!isAlwaysThere || isReplaced) {
                return unknown(option, whole);
            }
        }
        return null;
    }

    /** Returns the names of the objects that an option string without problems sets, by option; "" for none. */
    public static Map<String, String> of(String options) {
        Map<String, String> names = new HashMap<>();
        for (Option option : OptionString.parse(options)) {
            if (KNOWN.containsKey(option.part())) {
                names.put(option.name(), Objects.requireNonNull(objectName(option, option.part())));
            }
        }
        return names;
    }

    /** Returns the name of the object that an option sets; "" for none; null if RocksDB has no such object. */
    private static @Nullable String objectName(Option option, String name) {
        if (!option.isBraced()) {
            if (NONE.contains(option.value()) && !REQUIRED.contains(name)) {
                return "";
            }
            return isKnown(name, option.value()) ? option.value() : null;
        }
        List<Option> ids = option.options().stream().filter(part -> part.name().equals("id")).toList();
        return ids.isEmpty() || BARE.contains(name) || !ids.stream().allMatch(id -> isKnown(name, id.value()))
                ? null
                : ids.getLast().value();
    }

    /** Returns the name of an object from the value that names it, with or without properties. */
    public static String nameIn(String value) {
        return OptionString.parse(value).stream().filter(part -> part.name().equals("id")).map(Option::value)
                .findFirst().orElse(value);
    }

    /** Returns whether a value means "no object". */
    public static boolean isNone(String value) {
        return NONE.contains(value);
    }

    /** The options that are objects. */
    static Set<String> options() {
        return KNOWN.keySet();
    }

    /** Returns whether RocksDB has an object of that name. */
    public static boolean isKnown(String option, String value) {
        List<String> known = KNOWN.getOrDefault(option, List.of());
        Pattern number = option.equals(FILTER_POLICY) ? FRACTION : NUMBER;
        return !value.contains("#") && known.contains(number.matcher(value).replaceAll("#"));
    }

    private static String unknown(Option option, String name) {
        List<String> known = KNOWN.getOrDefault(name, List.of());
        return option + " names no " + name + " that can be used here. "
                + (known.isEmpty()
                        ? "None can be set in a string"
                        : "Write " + name + "=NAME " + (BARE.contains(name) ? "" : "or " + name + "={id=NAME;…} ")
                                + "with one of " + String.join(", ", known));
    }
}
