package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.DatabaseKind.TimeToLive;
import dev.outcrop.rocksdb.engine.MergeWidths;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.ObjectNames;
import dev.outcrop.rocksdb.engine.OptionString;
import dev.outcrop.rocksdb.engine.OptionString.Option;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.PrefixUse;
import dev.outcrop.rocksdb.engine.StoredObjects;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The options that a database was last opened with, for opening it the same way again:
 *
 * <pre>{@code
 * LoadedOptions loaded = LoadedOptions.latest(path);
 * RocksDB db = RocksDB.open(path, loaded.database(), loaded.columnFamilies());
 * }</pre>
 *
 * <p>RocksDB stores the names of objects, and loads the objects that it knows itself. Set other objects again, above all a comparator or
 * merge operator in Java; opening fails without them. Also set objects again that have no textual form: caches, environments, limiters. The
 * delimiter of a {@code StringAppendOperator} is loaded as it was, although RocksDB itself loses a delimiter such as {@code ;}. But set a
 * delimiter again if it has braces that do not match. Filter policies that C programs have set are stored without their bits, and get 10
 * bits for each key. For memtables by prefix, a fixed prefix becomes a capped one, because they would not find shorter keys with a fixed
 * prefix.
 *
 * @param database       the options of the database
 * @param columnFamilies the options of each column family, by name; the default one is among them
 */
public record LoadedOptions(Options database, Map<String, Options> columnFamilies) {
    /** The size of the cache that RocksDB makes for options without one. */
    private static final long DEFAULT_CACHE = 32L << 20;
    /**
     * Replacements for filter policies that C programs have set: these are stored without bits for each key, and RocksDB makes no filter
     * from them.
     */
    private static final Map<String, String> FILTERS_WITHOUT_BITS = Map.of("bloomfilter", "bloomfilter:10",
            "ribbonfilter",
            "ribbonfilter:10");
    /** The objects that opening looks for; see {@link Options#loaded}. */
    private static final List<String> OBJECTS = List.of("comparator", "merge_operator", "table_factory");

    private static final Map<String, String> SETTERS = Map.of("comparator", "comparator", "merge_operator",
            "mergeOperator", "prefix_extractor", "prefixExtractor", "compaction_filter", "compactionFilter",
            "compaction_filter_factory", "compactionFilterFactory");
    private static final String TTL_OPERATOR = "TtlMergeOperator";
    private static final List<String> TTL_FILTERS = List.of("compaction_filter", "compaction_filter_factory");
    /** The number of attempts to read a file that another process may replace at any time. */
    private static final int ATTEMPTS = 5;

    /** Makes the map unmodifiable. */
    public LoadedOptions {
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(columnFamilies, "columnFamilies");
        columnFamilies = Map.copyOf(columnFamilies);
    }

    /**
     * Reads the newest file of stored options as text, in the order of the file. This works even if the database cannot be opened.
     *
     * @param path the database's directory
     * @return for each section, the values of its options by name; the sections are {@code DBOptions}, {@code CFOptions "default"}, {@code
     *         TableOptions/BlockBasedTable "default"}; empty if there is no such file
     * @throws RocksDBException if the file cannot be read
     */
    public static Map<String, Map<String, String>> sections(Path path) {
        Objects.requireNonNull(path, "path");
        try {
            return OptionsFile.sections(path);
        } catch (IOException e) {
            throw RocksDBException.of(Status.Code.IO_ERROR, "The stored options of " + path + " cannot be read: " + e);
        }
    }

    /**
     * Loads the options, with one cache of 32 MiB for the blocks of all column families.
     *
     * @param path the database's directory
     * @return the options
     * @throws RocksDBException         if there are no stored options, or if they cannot be read
     * @throws IllegalArgumentException if there is a NUL character in {@code path}
     */
    public static LoadedOptions latest(Path path) {
        NativeCalls.requireAccess();
        return latest(path, Cache.hyperClock(DEFAULT_CACHE));
    }

    /**
     * Loads the options.
     *
     * @param path  the database's directory
     * @param cache for the blocks of all column families
     * @return the options
     * @throws RocksDBException         if there are no stored options, or if they cannot be read
     * @throws IllegalArgumentException if there is a NUL character in {@code path}
     */
    public static LoadedOptions latest(Path path, Cache cache) {
        Path real = DatabaseDirectory.normalize(path);
        Env env = Env.defaultEnv();
        return cache.ask(cacheAddress -> env.ask(envAddress -> load(real, env, envAddress, cacheAddress)));
    }

    private static LoadedOptions load(Path path, Env env, long envAddress, long cache) {
        try (Scratch scratch = ApiCall.scratch()) {
            MemorySegment name = OsPath.in(scratch, path);
            try (NativeDbOptions.Stored stored = NativeDbOptions.loadLatest(scratch, name, envAddress, false, cache)) {
                ApiCall.check(scratch, "Cannot load the options of " + path);
                return copy(path, env, Objects.requireNonNull(stored));
            }
        }
    }

    private static LoadedOptions copy(Path path, Env env, NativeDbOptions.Stored read) {
        Map<String, Map<String, String>> stored = stored(path, OptionsFile::ofFamilies);
        boolean hasSettings = OptionsFile.hasSettings(stored(path, OptionsFile::sections));
        Map<String, Map<String, String>> tables = stored(path, OptionsFile::ofBlockBasedTables);
        Map<String, Options> loaded = new LinkedHashMap<>();
        for (long i = 0; i < read.count(); i++) {
            String name = NativeText.string(read.name(i));
            loaded.put(name, family(read.family(i), env, stored.getOrDefault(name, Map.of()),
                    tables.getOrDefault(name, Map.of()), hasSettings));
        }
        return new LoadedOptions(Options.loaded(read.database(), env, Map.of(), PrefixUse.NONE,
                MergeWidths.DEFAULT), loaded);
    }

    private static Options family(long address, Env env, Map<String, String> stored, Map<String, String> tables,
            boolean hasSettings) {
        Map<String, String> objects = new HashMap<>();
        for (String object : OBJECTS) {
            String value = stored.getOrDefault(object, "");
            if (object.equals("table_factory") || StoredObjects.text(object, value, hasSettings) != null) {
                objects.put(object, ObjectNames.nameIn(value));
            }
        }
        Options options = Options.loaded(address, env, objects, PrefixUse.ofStored(stored),
                MergeWidths.ofStored(stored));
        if (!objects.containsKey("comparator")) {
            // RocksDB leaves out a comparator that it does not know, and crashes without one. With this one, opening fails.
            options.set("comparator=leveldb.BytewiseComparator");
        }
        // RocksDB has changed some delimiters, and lost others.
        String operator = stored.getOrDefault("merge_operator", "");
        if (!ObjectNames.isNone(operator)) {
            options.set("merge_operator=" + Objects.requireNonNullElse(
                    StoredObjects.text("merge_operator", operator, hasSettings), "nullptr"));
        }
        String filter = FILTERS_WITHOUT_BITS.get(tables.getOrDefault("filter_policy", ""));
        if (filter != null) {
            options.set("block_based_table_factory={filter_policy=" + filter + "}");
        }
        return options;
    }

    /** Reads the newest file of stored options. */
    private interface Reading {
        Map<String, Map<String, String>> of(Path path) throws IOException;
    }

    private static Map<String, Map<String, String>> stored(Path path, Reading reading) {
        try {
            return reading.of(path);
        } catch (IOException e) {
            throw RocksDBException.of(Status.Code.IO_ERROR, "Cannot load the options of " + path + ": " + e);
        }
    }

    /** Returns the options of a database without times, or RocksDB's default options if there is no database: opening reports that. */
    static LoadedOptions toReopen(Path path) {
        return toReopen(path, false);
    }

    /** Returns the options of a database with a time to live, without the objects that RocksDB wraps around its filters and operators. */
    static LoadedOptions toReopenWithTtl(Path path) {
        return toReopen(path, true);
    }

    private static LoadedOptions toReopen(Path path, boolean haveTimes) {
        CallbackGuard.requireToOpen();
        NativeCalls.requireAccess();
        Path real = DatabaseDirectory.normalize(path);
        if (!Files.exists(real.resolve("CURRENT"))) {
            return new LoadedOptions(new Options(), Map.of());
        }
        if (!haveTimes) {
            TimeToLive.requireNoTimes(real);
        }
        for (int attempt = 1;; attempt++) {
            try {
                return loadToReopen(real, haveTimes);
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw DatabaseDirectory.fail(real, Status.Code.IO_ERROR,
                            "its stored options cannot be read: " + e + ". " + ownOptions());
                }
            }
        }
    }

    private static LoadedOptions loadToReopen(Path path, boolean haveTimes) throws IOException {
        Map<String, Map<String, String>> stored = new LinkedHashMap<>(OptionsFile.ofFamilies(path));
        if (stored.isEmpty()) {
            // Nothing is stored, so nothing is lost.
            return new LoadedOptions(new Options(), Map.of());
        }
        Options options = new Options();
        stored.keySet().retainAll(DatabaseDirectory.families(path, options));
        if (haveTimes) {
            stored.replaceAll((_, own) -> withoutTimes(own));
        }
        boolean hasSettings = OptionsFile.hasSettings(OptionsFile.sections(path));
        stored.forEach((family, own) -> requireObjects(path, family, own, hasSettings));
        requireLogs(path);
        LoadedOptions loaded = latestOrIoFailure(path);
        Map<String, Options> families = new LinkedHashMap<>(loaded.columnFamilies());
        families.keySet().retainAll(stored.keySet());
        if (haveTimes) {
            families.forEach((family, own) -> own.set(unwrapped(stored.getOrDefault(family, Map.of()), hasSettings)));
            loaded.database()
                    .set(unwrapped(stored.getOrDefault(DatabaseDirectory.DEFAULT_FAMILY, Map.of()), hasSettings));
        }
        // Stored too, by the call that created the database.
        loaded.database().errorIfExists(false);
        return new LoadedOptions(loaded.database(), families);
    }

    private static LoadedOptions latestOrIoFailure(Path path) throws IOException {
        try {
            return latest(path);
        } catch (RocksDBException e) {
            throw new IOException(e.status().toString(), e);
        }
    }

    private static void requireObjects(Path path, String family, Map<String, String> stored, boolean hasSettings) {
        for (String object : StoredObjects.OPTIONS) {
            String value = stored.getOrDefault(object, "");
            if (StoredObjects.text(object, value, hasSettings) == null) {
                boolean isDefault = family.equals(DatabaseDirectory.DEFAULT_FAMILY);
                String setter = SETTERS.get(object);
                throw DatabaseDirectory.fail(path, Status.Code.INVALID_ARGUMENT,
                        (isDefault ? "it" : "its column family " + family) + " was last opened with the "
                                + object.replace('_', ' ') + " " + value
                                + ", which cannot be made again from the stored options. "
                                + (setter == null
                                        ? "Open it with a program that has it. " + ownOptions()
                                        : "Give it to the stored options: LoadedOptions stored"
                                                + " = LoadedOptions.latest(path); stored.columnFamilies().get(\""
                                                + family + "\")." + setter
                                                + "(…); then open(path, stored.database(), stored.columnFamilies()). "
                                                + ownOptions(family, "new Options()." + setter + "(…)")));
            }
        }
    }

    private static String ownOptions() {
        return ownOptions(DatabaseDirectory.DEFAULT_FAMILY, "new Options()");
    }

    private static String ownOptions(String family, String options) {
        return "Or give options of your own, for example open(path, " + (family.equals(DatabaseDirectory.DEFAULT_FAMILY)
                ? options + ", Map.of()"
                : "new Options(), Map.of(\"" + family + "\", " + options + ")")
                + "); the stored options are ignored then";
    }

    /** Refuses a directory for logs: a copy of a database has the stored options of the original, but must not use the original's logs. */
    private static void requireLogs(Path path) {
        String logs = OptionsFile.unescaped(OptionsFile.ofDatabaseIfAny(path).getOrDefault("wal_dir", ""));
        if (!logs.isEmpty() && !DatabaseDirectory.normalize(OsPath.of(logs)).equals(path)) {
            throw DatabaseDirectory.fail(path, Status.Code.INVALID_ARGUMENT,
                    "it was last opened with its"
                            + " logs in " + logs
                            + ", which are those of another database if this one is a copy. If they are its"
                            + " own: LoadedOptions stored = LoadedOptions.latest(path); then open(path, stored.database(),"
                            + " stored.columnFamilies()). If not, call stored.database().walDir(\"\") before. "
                            + ownOptions());
        }
    }

    /** Returns the caller's own objects of a column family with a time to live. */
    private static Map<String, String> withoutTimes(Map<String, String> stored) {
        Map<String, String> own = new LinkedHashMap<>(stored);
        String operator = stored.getOrDefault("merge_operator", "");
        if (ObjectNames.nameIn(operator).equals(TTL_OPERATOR)) {
            own.put("merge_operator", StoredObjects.unwrapped(operator, TTL_OPERATOR));
        }
        for (String filter : TTL_FILTERS) {
            if (ObjectNames.nameIn(stored.getOrDefault(filter, "")).startsWith("Ttl")) {
                own.put(filter, inner(stored.getOrDefault(filter, ""), "user_filter"));
            }
        }
        return own;
    }

    private static String inner(String wrapper, String part) {
        @Nullable
        Option found = OptionString.parse(wrapper).stream().filter(each -> each.name().startsWith(part)).findFirst()
                .orElse(null);
        return found == null ? "" : found.value();
    }

    /** Returns an option string that sets the unwrapped objects, so that RocksDB does not wrap them twice. */
    private static String unwrapped(Map<String, String> own, boolean hasSettings) {
        StringBuilder text = new StringBuilder();
        for (String object : List.of("merge_operator", "compaction_filter", "compaction_filter_factory")) {
            String value = StoredObjects.text(object, own.getOrDefault(object, ""), hasSettings);
            text.append(object).append('=').append(value).append(';');
        }
        return text.toString();
    }
}
