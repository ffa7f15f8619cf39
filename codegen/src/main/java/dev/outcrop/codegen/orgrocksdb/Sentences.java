package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.orgrocksdb.Table.JavaType;
import dev.outcrop.codegen.orgrocksdb.Table.Method;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** The first sentence of a method's Javadoc: what the method does, as far as its name says it. */
final class Sentences {

    /** Methods that many overloads or classes have. */
    private static final Map<String, String> KNOWN = Map.ofEntries(
            Map.entry("equals", "Whether another object equals this one."),
            Map.entry("hashCode", "Returns a hash code that fits {@link #equals}."),
            Map.entry("toString", "Returns a text for messages and logs."),
            Map.entry("close", "Frees the native object. Does nothing if it was freed before."),
            Map.entry("closeE", "Closes the database, and throws if its logs could not be synced."),
            Map.entry("disposeInternal", "Frees the native object."),
            Map.entry("getValue", "Returns the number that RocksDB has for this constant."),
            Map.entry("values", "Returns all constants."),
            Map.entry("get", "Reads the value of a key."),
            Map.entry("getForUpdate", "Reads the value of a key, and locks or tracks the key."),
            Map.entry("put", "Writes the value of a key."),
            Map.entry("merge", "Merges an operand into the value of a key."),
            Map.entry("delete", "Deletes a key."),
            Map.entry("singleDelete", "Deletes a key that was written once."),
            Map.entry("deleteRange", "Deletes the keys from the begin of a range to before its end."),
            Map.entry("deleteFilesInRanges", "Deletes files whose keys are all in one of the ranges."),
            Map.entry("multiGetAsList", "Reads the values of many keys."),
            Map.entry("multiGetByteBuffers", "Reads the values of many keys into buffers."),
            Map.entry("keyExists", "Whether a key exists."),
            Map.entry("keyMayExist", "Whether a key may exist, as far as memory tells."),
            Map.entry("newIterator", "Makes an iterator."),
            Map.entry("newIterators", "Makes iterators that see the same state."),
            Map.entry("write", "Writes a batch."),
            Map.entry("open", "Opens a database."),
            Map.entry("openReadOnly", "Opens a database to read only."),
            Map.entry("openAsSecondary", "Opens a database that another process writes, and follows it."),
            Map.entry("oldDefaults", "Sets options back to their defaults in an older version."));

    private static final Set<String> VERBS = Set.of("add", "append", "begin", "build", "cancel", "clear", "clip",
            "commit",
            "compact", "continue", "create", "destroy", "disable", "drop", "enable", "end", "export", "find", "finish",
            "flush", "import", "ingest", "list", "load", "lock", "mark", "optimize", "parse", "pause", "pop", "prepare",
            "promote", "purge", "read", "rebuild", "refresh", "register", "release", "remove", "reset", "restore",
            "rollback", "seek", "start", "stop", "suggest", "sync", "try", "undo", "verify", "wait");

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
        String option = "{@code " + name.replace(' ', '_') + "}";
        if (first.equals("set") && !rest.isEmpty()) {
            return "Sets {@code " + rest.replace(' ', '_') + "}.";
        }
        if (first.equals("on") && !rest.isEmpty()) {
            return "Called at this event: " + rest + ".";
        }
        if (VERBS.contains(first)) {
            return capital(thirdPerson(first)) + (rest.isEmpty() ? "." : " " + rest + ".");
        }
        if (method.returned().equals("Z") && method.type().parameterCount() == 0) {
            return (first.equals("is") || first.equals("get")) && !rest.isEmpty()
                    ? "Whether it is " + rest + "."
                    : "Whether " + option + " is on.";
        }
        if (first.equals("get") && !rest.isEmpty()) {
            return "Returns the " + rest + ".";
        }
        return (returnsValue ? "Returns " : "Sets ") + option + ".";
    }

    private static String thirdPerson(String verb) {
        if (verb.endsWith("y") && !verb.matches(".*[aeiou]y")) {
            return verb.substring(0, verb.length() - 1) + "ies";
        }
        return verb + (verb.matches(".*(s|sh|ch|x|o)") ? "es" : "s");
    }

    private static String capital(String text) {
        return text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
    }
}
