package dev.outcrop.rocksdb;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The names that option strings may give to objects. RocksDB takes an unknown one for "none" without a word, and a database that is
 * then written without its merge operator or comparator is damaged; so they are checked here.
 */
final class ObjectNames {
    private static final Map<String, Set<String>> KNOWN = Map.of(
            "merge_operator",
            Set.of("uint64add", "UInt64AddOperator", "max", "MaxOperator", "put", "put_v1", "PutOperator",
                    "stringappend", "StringAppendOperator", "stringappendtest", "StringAppendTESTOperator", "bytesxor",
                    "BytesXOR",
                    "sortlist", "MergeSortOperator"),
            "comparator", Set.of("leveldb.BytewiseComparator", "rocksdb.ReverseBytewiseComparator",
                    "leveldb.BytewiseComparator.u64ts", "rocksdb.ReverseBytewiseComparator.u64ts"),
            "compaction_filter", Set.of("RemoveEmptyValueCompactionFilter"),
            "compaction_filter_factory", Set.of());
    private static final Set<String> NONE = Set.of("", "nullptr");
    /** The name of an object: {@code key=name} or {@code key={id=name;…}}. */
    private static final Pattern OBJECT = Pattern
            .compile("(?:^|[;{])\\s*(\\w+)\\s*=\\s*(?:\\{\\s*id\\s*=\\s*)?([^;{}]*)");

    private ObjectNames() {
    }

    static void check(String options) {
        Matcher matcher = OBJECT.matcher(options);
        while (matcher.find()) {
            String key = matcher.group(1);
            String name = matcher.group(2).strip();
            Set<String> known = KNOWN.get(key);
            if (known != null && !known.contains(name) && !NONE.contains(name)) {
                List<String> choice = known.stream().sorted().toList();
                throw RocksDBException.of(Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        "RocksDB has no " + key + " '" + name
                                + "' that a string can name; it knows "
                                + (choice.isEmpty() ? "none" : String.join(", ", choice)));
            }
        }
    }
}
