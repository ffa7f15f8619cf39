package dev.outcrop.rocksdb.engine;

import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The objects of column families as RocksDB stores them, and the texts from which RocksDB makes the same objects again. The two differ:
 * RocksDB writes the settings of an object with escapes and without braces, but reads them like any option string. So it loses a delimiter
 * such as {@code ;} together with its operator, strips white space from other delimiters, and replaces an empty delimiter by its default.
 */
public final class StoredObjects {
    /** The objects that decide which data is read and which is kept. */
    public static final List<String> OPTIONS = List.of("comparator", "merge_operator", "prefix_extractor",
            "compaction_filter",
            "compaction_filter_factory", "table_factory", "compression_manager");
    /** RocksDB stores the settings of these tables separately. */
    private static final Set<String> TABLES = Set.of("BlockBasedTable", "PlainTable", "CuckooTable");
    private static final Set<String> APPENDING = Set.of("StringAppendOperator", "StringAppendTESTOperator");
    /** A name with settings, or alone. */
    private static final Pattern OBJECT = Pattern.compile("\\{id=([^;]*);(.*)}|(.*)", Pattern.DOTALL);
    private static final Pattern DELIMITER = Pattern.compile("delimiter=(.*);", Pattern.DOTALL);

    private StoredObjects() {
    }

    /**
     * Returns the value that makes the object again.
     *
     * @param option      one of {@link #OPTIONS}
     * @param stored      its value in the file of stored options
     * @param hasSettings whether the version of RocksDB that wrote the file stored settings of objects
     * @return a value for an option string; null if there is none
     */
    public static @Nullable String text(String option, String stored, boolean hasSettings) {
        Matcher object = OBJECT.matcher(stored);
        if (!object.matches()) {
            return null;
        }
        boolean isBare = object.group(1) == null;
        String name = isBare ? object.group(3) : object.group(1);
        String settings = isBare ? "" : object.group(2);
        if (ObjectNames.isNone(name)) {
            return "nullptr";
        }
        if (option.equals("merge_operator") && APPENDING.contains(name)) {
            return settings.isEmpty() && !hasSettings ? null : appending(name, settings);
        }
        boolean isKnown = ObjectNames.isKnown(option, name)
                || (option.equals("table_factory") && TABLES.contains(name));
        return isKnown && settings.isEmpty() ? name : null;
    }

    /** Returns the value for an appending operator. RocksDB does not store an empty delimiter. */
    private static @Nullable String appending(String name, String settings) {
        Matcher setting = DELIMITER.matcher(settings);
        if (!settings.isEmpty() && !setting.matches()) {
            return null;
        }
        String delimiter = settings.isEmpty() ? "" : OptionsFile.unescaped(setting.group(1));
        return OptionString.isNested(delimiter) && delimiter.indexOf('\0') < 0
                ? "{id=" + name + ";delimiter={" + delimiter + "}}"
                : null;
    }

    /** Returns the stored form of the operator that RocksDB has wrapped for a database with a time to live; "" if there is none. */
    public static String unwrapped(String operator, String wrapper) {
        String before = "{id=" + wrapper + ";user_operator=";
        String after = ";}";
        return operator.startsWith(before) && operator.endsWith(after)
                ? operator.substring(before.length(), operator.length() - after.length())
                : "";
    }
}
