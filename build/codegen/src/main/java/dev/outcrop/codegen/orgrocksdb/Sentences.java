package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Makes the first sentence of a method's Javadoc from its name. */
final class Sentences {

    /** Sentences for methods with many overloads or in many classes. */
    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry("equals", "Whether another object equals this one."),
            Map.entry("hashCode", "Returns a hash code that is consistent with {@link #equals}."),
            Map.entry("toString", "Returns a text for messages and logs."),
            Map.entry("close", "Frees the native object. Does nothing if it was freed before."),
            Map.entry("closeE", "Closes the database, and throws if its logs could not be synced."),
            Map.entry("disposeInternal", "Frees the native object."),
            Map.entry("getValue", "Returns RocksDB's number of this constant."),
            Map.entry("values", "Returns all constants."),
            Map.entry("get", "Reads the value of a key."),
            Map.entry("getForUpdate", "Reads the value of a key, and locks or tracks the key."),
            Map.entry("put", "Writes the value of a key."),
            Map.entry("putUntracked", "Writes the value of a key without tracking the key."),
            Map.entry("merge", "Merges an operand into the value of a key."),
            Map.entry("mergeUntracked", "Merges an operand into the value of a key without tracking the key."),
            Map.entry("delete", "Deletes a key."),
            Map.entry("deleteUntracked", "Deletes a key without tracking it."),
            Map.entry("singleDelete", "Deletes a key that was written once."),
            Map.entry("deleteRange", "Deletes the keys of a range, excluding its end."),
            Map.entry("deleteFilesInRanges", "Deletes files whose keys are all in one of the ranges."),
            Map.entry("multiGet", "Reads the values of many keys."),
            Map.entry("multiGetAsList", "Reads the values of many keys."),
            Map.entry("multiGetForUpdate", "Reads the values of many keys, and locks or tracks the keys."),
            Map.entry("multiGetForUpdateAsList", "Reads the values of many keys, and locks or tracks the keys."),
            Map.entry("multiGetByteBuffers", "Reads the values of many keys into buffers."),
            Map.entry("keyExists", "Whether a key exists."),
            Map.entry("keyMayExist", "Whether a key may exist, according to the data in memory."),
            Map.entry("newIterator", "Makes an iterator."),
            Map.entry("newIterators", "Makes iterators that see the same state."),
            Map.entry("beginTransaction", "Begins a transaction."),
            Map.entry("rollback", "Rolls the transaction back."),
            Map.entry("rollbackToSavePoint", "Rolls back to the last save point."),
            Map.entry("tryCatchUpWithPrimary", "Applies the latest changes of the primary database."),
            Map.entry("write", "Writes a batch."),
            Map.entry("open", "Opens a database."),
            Map.entry("openReadOnly", "Opens a database to read only."),
            Map.entry("openAsSecondary", "Opens a secondary instance of a database that another process writes."),
            Map.entry("flush", "Flushes memtables to files."),
            Map.entry("compactRange", "Compacts a range of keys, or all keys."),
            Map.entry("parse", "Parses options."),
            Map.entry("build", "Makes the options."),
            Map.entry("optimizeForSmallDb", "Sets options for a small database."),
            Map.entry("optimizeForPointLookup", "Sets options for point lookups."),
            Map.entry("optimizeLevelStyleCompaction", "Sets options for level style compaction."),
            Map.entry("optimizeUniversalStyleCompaction", "Sets options for universal style compaction."),
            Map.entry("getUpdatesSince", "Returns an iterator over the batches since a sequence number."),
            Map.entry("getTransactionByName", "Returns the transaction with a name, or null."),
            Map.entry("getDBOptionsFromProps", "Reads options from properties."),
            Map.entry("getColumnFamilyOptionsFromProps", "Reads options from properties."),
            Map.entry("getOptionStringFromProps", "Returns properties as a text of options."),
            Map.entry("isDeadlockDetect", "Whether deadlock detection is on."),
            Map.entry("isTriggeredWritesStop", "Whether writes were stopped."),
            Map.entry("isTriggeredWritesSlowdown", "Whether writes were slowed down."),
            Map.entry("isMaxAllowedSpaceReached", "Whether the files take more than the allowed space."),
            Map.entry("isMaxAllowedSpaceReachedIncludingCompactions",
                    "Whether the files take more than the allowed space, including running compactions."),
            Map.entry("isExclusive", "Whether the lock is exclusive."),
            Map.entry("oldDefaults", "Sets options back to their defaults in an older version."));

    private static final Set<String> VERBS = Set.of("abort", "add", "append", "begin", "build", "cancel", "clear",
            "clip", "commit", "compact", "continue", "create", "destroy", "disable", "drop", "enable", "end", "export",
            "find", "finish", "flush", "import", "ingest", "list", "load", "lock", "mark", "optimize", "parse",
            "pause", "pop", "prepare", "promote", "purge", "read", "rebuild", "refresh", "register", "release",
            "remove", "reset", "restore", "resume", "seek", "start", "stop", "suggest", "sync", "undo", "verify",
            "wait");

    /** Words that take no article. */
    private static final String NO_ARTICLE = "(to|for|from|with|of|if|in|on|all|auto|background|missing) .*|all";

    private Sentences() {
    }

    static String of(JavaType type, Method method) {
        String known = KNOWN.get(method.name());
        if (known != null) {
            return known;
        }
        String name = Docs.words(method.name());
        String first = name.replaceFirst(" .*", "");
        String rest = name.substring(first.length()).strip();
        boolean returnsValue = !method.returned().equals("V") && !method.returned().equals("L" + type.name() + ";");
        boolean isGetter = returnsValue && method.type().parameterCount() == 0;
        if (first.equals("set") && !rest.isEmpty()) {
            return "Sets " + option(method.name().substring(3)) + ".";
        }
        if (first.equals("on") && !rest.isEmpty()) {
            return "Called at this event: " + rest + ".";
        }
        if (VERBS.contains(first) && !isGetter) {
            return Docs.capital(thirdPerson(first)) + (rest.isEmpty() ? "." : " " + article(first, rest) + rest + ".");
        }
        if (method.returned().equals("Z") && isGetter) {
            boolean isOption = type.simpleName().matches(".*(Options|Config|Interface).*");
            boolean isQuestion = (first.equals("is") || first.equals("get")) && !rest.isEmpty();
            return isQuestion && !isOption
                    ? "Whether it is " + rest + "."
                    : "Whether " + option(method.name().replaceFirst("^(is|get)(?=[A-Z])", "")) + " is on.";
        }
        if (first.equals("get") && !rest.isEmpty()) {
            return "Returns the " + rest + ".";
        }
        return (returnsValue ? "Returns " : "Sets ") + option(method.name()) + ".";
    }

    private static String article(String verb, String object) {
        if (object.matches(NO_ARTICLE) || object.matches(".*[^s]s")) {
            return "";
        }
        return verb.equals("create") || verb.equals("begin") ? "a " : "the ";
    }

    /** Converts a name to RocksDB's spelling of the option. */
    private static String option(String name) {
        return "{@code " + name.replaceAll("([a-z0-9])([A-Z])", "$1_$2").toLowerCase(Locale.ROOT) + "}";
    }

    private static String thirdPerson(String verb) {
        if (verb.endsWith("y") && !verb.matches(".*[aeiou]y")) {
            return verb.substring(0, verb.length() - 1) + "ies";
        }
        return verb + (verb.matches(".*(s|sh|ch|x|o)") ? "es" : "s");
    }
}
