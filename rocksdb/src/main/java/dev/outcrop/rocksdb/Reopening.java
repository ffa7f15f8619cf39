package dev.outcrop.rocksdb;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.rocksdb.engine.OptionString;
import dev.outcrop.rocksdb.engine.OptionString.Option;
import dev.outcrop.rocksdb.engine.OptionsFile;
import dev.outcrop.rocksdb.engine.OsPath;
import dev.outcrop.rocksdb.engine.callbacks.CallbackGuard;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The options for a database that is opened without any: those that are stored with it, see decision 17. */
final class Reopening {
    private static final Map<String, String> SETTERS = Map.of("comparator", "comparator", "merge_operator",
            "mergeOperator", "prefix_extractor", "prefixExtractor", "compaction_filter", "compactionFilter",
            "compaction_filter_factory", "compactionFilterFactory");
    private static final String TTL_OPERATOR = "TtlMergeOperator";
    private static final List<String> TTL_FILTERS = List.of("compaction_filter", "compaction_filter_factory");
    /** How often to read what another process may replace at any time. */
    private static final int ATTEMPTS = 5;

    private Reopening() {
    }

    /** The options of a database without times; RocksDB's default ones if there is no database, which opening will say. */
    static LoadedOptions options(Path path) {
        return options(path, false);
    }

    /** The options of a database with a time to live, which RocksDB wraps in objects of its own each time. */
    static LoadedOptions optionsWithTimes(Path path) {
        return options(path, true);
    }

    private static LoadedOptions options(Path path, boolean haveTimes) {
        CallbackGuard.requireToOpen();
        NativeCalls.requireAccess();
        Path real = DatabaseOpener.normalize(path);
        if (!Files.exists(real.resolve("CURRENT"))) {
            return new LoadedOptions(new Options(), Map.of());
        }
        if (!haveTimes) {
            TimeToLive.requireNoTimes(real);
        }
        for (int attempt = 1;; attempt++) {
            try {
                return load(real, haveTimes);
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw DatabaseOpener.fail(real, Status.Code.IO_ERROR, Status.SubCode.NONE,
                            "its stored options cannot be read: " + e + ". " + ownOptions());
                }
            }
        }
    }

    private static LoadedOptions load(Path path, boolean haveTimes) throws IOException {
        Map<String, Map<String, String>> stored = new LinkedHashMap<>(OptionsFile.ofFamilies(path));
        if (stored.isEmpty()) {
            // Nothing is stored, so nothing is lost.
            return new LoadedOptions(new Options(), Map.of());
        }
        Options options = new Options();
        stored.keySet().retainAll(DatabaseOpener.families(path, options));
        if (haveTimes) {
            stored.replaceAll((_, own) -> withoutTimes(own));
        }
        boolean hasSettings = OptionsFile.hasSettings(OptionsFile.sections(path));
        stored.forEach((family, own) -> requireObjects(path, family, own, hasSettings));
        requireLogs(path);
        LoadedOptions loaded = latest(path);
        Map<String, Options> families = new LinkedHashMap<>(loaded.columnFamilies());
        families.keySet().retainAll(stored.keySet());
        if (haveTimes) {
            families.forEach(
                    (family, own) -> own.set(unwrapped(stored.getOrDefault(family, Map.of()), hasSettings)));
            loaded.database()
                    .set(unwrapped(stored.getOrDefault(DatabaseOpener.DEFAULT_FAMILY, Map.of()), hasSettings));
        }
        // Stored too, by the call that created the database.
        loaded.database().errorIfExists(false);
        return new LoadedOptions(loaded.database(), families);
    }

    private static LoadedOptions latest(Path path) throws IOException {
        try {
            return LoadedOptions.latest(path);
        } catch (RocksDBException e) {
            throw new IOException(e.status().toString(), e);
        }
    }

    private static void requireObjects(Path path, String family, Map<String, String> stored, boolean hasSettings) {
        for (String object : StoredObjects.OPTIONS) {
            String value = stored.getOrDefault(object, "");
            if (StoredObjects.text(object, value, hasSettings) == null) {
                boolean isDefault = family.equals(DatabaseOpener.DEFAULT_FAMILY);
                String setter = SETTERS.get(object);
                throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                        (isDefault ? "it" : "its column family " + family) + " was last opened with the "
                                + object.replace('_', ' ') + " " + value
                                + ", which cannot be made again of what is stored. "
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
        return ownOptions(DatabaseOpener.DEFAULT_FAMILY, "new Options()");
    }

    private static String ownOptions(String family, String options) {
        return "Or give options of your own, for example open(path, " + (family.equals(DatabaseOpener.DEFAULT_FAMILY)
                ? options + ", Map.of()"
                : "new Options(), Map.of(\"" + family + "\", " + options + ")")
                + "); what is stored counts for nothing then";
    }

    /** A copy of a database has the stored options of the original, whose logs it must not take for its own. */
    private static void requireLogs(Path path) {
        String logs = OptionsFile.unescaped(OptionsFile.ofDatabaseIfAny(path).getOrDefault("wal_dir", ""));
        if (!logs.isEmpty() && !DatabaseOpener.normalize(OsPath.of(logs)).equals(path)) {
            throw DatabaseOpener.fail(path, Status.Code.INVALID_ARGUMENT, Status.SubCode.NONE,
                    "it was last opened with its"
                            + " logs in " + logs
                            + ", which are those of another database if this one is a copy. If they are its"
                            + " own: LoadedOptions stored = LoadedOptions.latest(path); then open(path, stored.database(),"
                            + " stored.columnFamilies()). If not, call stored.database().walDir(\"\") before. "
                            + ownOptions());
        }
    }

    /** What a family of a database with a time to live was given by the caller. */
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

    /** What sets the objects that are not to be wrapped twice. */
    private static String unwrapped(Map<String, String> own, boolean hasSettings) {
        StringBuilder text = new StringBuilder();
        for (String object : List.of("merge_operator", "compaction_filter", "compaction_filter_factory")) {
            String value = StoredObjects.text(object, own.getOrDefault(object, ""), hasSettings);
            text.append(object).append('=').append(value).append(';');
        }
        return text.toString();
    }
}
