package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.Scratch;
import dev.outcrop.rocksdb.engine.NativeDbOptions;
import dev.outcrop.rocksdb.engine.NativeText;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.OsPath;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The options that a database was last opened with, to open it with the same again:
 *
 * <pre>{@code
 * LoadedOptions loaded = LoadedOptions.latest(path);
 * RocksDB db = RocksDB.open(path, loaded.database(), loaded.columnFamilies());
 * }</pre>
 *
 * <p>RocksDB stores the names of objects, and loads those that it knows itself. Others must be set again, above all a comparator or
 * merge operator in Java; opening fails without them. The delimiter of a {@code StringAppendOperator} is loaded as it was, although
 * RocksDB itself loses one such as {@code ;}; one with braces that do not match must be set again, too. So must be what has no textual form: caches, environments, limiters. Filter
 * policies that C programs have set are stored without their bits, and get 10 for each key. A fixed prefix is capped instead for
 * memtables by prefix, which would not find shorter keys with it.
 *
 * @param database       the options of the database
 * @param columnFamilies the options of each column family, by name; the default one is among them
 */
public record LoadedOptions(Options database, Map<String, Options> columnFamilies) {
    /** As large as the cache that RocksDB makes for options that have none. */
    private static final long DEFAULT_CACHE = 32L << 20;
    /** What C programs have set is stored without the bits of a key, and RocksDB makes no filter of that. */
    private static final Map<String, String> FILTERS_WITHOUT_BITS = Map.of("bloomfilter", "bloomfilter:10",
            "ribbonfilter",
            "ribbonfilter:10");
    /** The objects that opening looks for; see {@link Options#loaded}. */
    private static final List<String> OBJECTS = List.of("comparator", "merge_operator", "table_factory");

    /** Makes the map unmodifiable. */
    public LoadedOptions {
        Objects.requireNonNull(database, "database");
        Objects.requireNonNull(columnFamilies, "columnFamilies");
        columnFamilies = Map.copyOf(columnFamilies);
    }

    /**
     * What is stored as text, as the newest file has it, in its order, also of a database that cannot be opened.
     *
     * @param path the database's directory
     * @return the values of options by name, by the section that they stand in: {@code DBOptions}, {@code CFOptions "default"},
     *         {@code TableOptions/BlockBasedTable "default"}; empty if there is no such file
     * @throws RocksDBException if the file cannot be read, or another process has just replaced it
     */
    public static Map<String, Map<String, String>> sections(Path path) {
        Objects.requireNonNull(path, "path");
        try {
            return OptionsFile.sections(path);
        } catch (IOException e) {
            throw RocksDBException.of(Status.Code.IO_ERROR, Status.SubCode.NONE,
                    "The stored options of " + path + " cannot be read: " + e);
        }
    }

    /**
     * Loads the options, with one cache of 32 MiB for the blocks of all column families.
     *
     * @param path the database's directory
     * @return the options
     * @throws RocksDBException         if there are none or if they cannot be read
     * @throws IllegalArgumentException if there is a NUL character in {@code path}
     * @throws UnsatisfiedLinkError     if the native library cannot be found or loaded
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
     * @throws RocksDBException         if there are none or if they cannot be read
     * @throws IllegalArgumentException if there is a NUL character in {@code path}
     */
    public static LoadedOptions latest(Path path, Cache cache) {
        Path real = DatabaseOpener.normalize(path);
        Env env = Env.defaultEnv();
        return cache.ask(cacheAddress -> env.ask(envAddress -> load(real, env, envAddress, cacheAddress)));
    }

    private static LoadedOptions load(Path path, Env env, long envAddress, long cache) {
        try (Scratch scratch = Native.scratch()) {
            MemorySegment name = OsPath.in(scratch, path);
            try (NativeDbOptions.Stored stored = NativeDbOptions.loadLatest(scratch, name, envAddress, false, cache)) {
                Native.check(scratch, "Cannot load the options of " + path);
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
        return new LoadedOptions(Options.loaded(read.database(), env, Map.of(), PrefixUse.NONE), loaded);
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
        Options options = Options.loaded(address, env, objects, PrefixUse.ofStored(stored));
        if (!objects.containsKey("comparator")) {
            // RocksDB puts nothing in the place of one that it does not know, and crashes without one. With this one opening fails.
            options.set("comparator=leveldb.BytewiseComparator");
        }
        // RocksDB has made another one of some delimiters, and none of others.
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
            throw RocksDBException.of(Status.Code.IO_ERROR, Status.SubCode.NONE,
                    "Cannot load the options of " + path + ": " + e);
        }
    }
}
