package dev.outcrop.codegen.orgrocksdb;

import dev.outcrop.codegen.capi.CFunction;
import dev.outcrop.codegen.capi.Facts;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The functions of RocksDB's C API. They are found by the similarity of their names to the names of {@code org.rocksdb}.
 *
 * @param functions by name
 */
record CTable(Map<String, CFunction> functions) {

    static CTable read(Path file) throws IOException {
        return new CTable(Facts.read(file).functions());
    }

    /** Returns the functions with a prefix. The keys are the rest of their names, without underscores and in lower case. */
    Map<String, CFunction> withPrefix(String prefix) {
        Map<String, CFunction> found = new TreeMap<>();
        functions.forEach((name, function) -> {
            if (name.startsWith(prefix)) {
                found.put(normal(name.substring(prefix.length())), function);
            }
        });
        return found;
    }

    CFunction function(String name) {
        CFunction function = functions.get(name);
        if (function == null) {
            throw new IllegalArgumentException("The C API has no function " + name);
        }
        return function;
    }

    static String normal(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
