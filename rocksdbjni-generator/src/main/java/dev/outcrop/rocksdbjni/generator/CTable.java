package dev.outcrop.rocksdbjni.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The functions of RocksDB's C API, from the table of module rocksdb-generator.
 *
 * @param functions by name
 */
record CTable(Map<String, Function> functions) {

    /** A function: what it returns and the C types of its parameters. */
    record Function(String name, String returned, List<String> parameters) {
    }

    static CTable read(Path file) throws IOException {
        Map<String, Function> functions = new TreeMap<>();
        for (String row : Files.readAllLines(file)) {
            String[] cells = row.split("\t", -1);
            if (cells[0].equals("function")) {
                List<String> parameters = new ArrayList<>();
                for (int i = 3; i < cells.length; i += 2) {
                    parameters.add(cells[i]);
                }
                functions.put(cells[1], new Function(cells[1], cells[2], parameters));
            }
        }
        return new CTable(functions);
    }

    /** The functions whose names begin alike, by the rest of their names without underscores and in lower case. */
    Map<String, Function> withPrefix(String prefix) {
        Map<String, Function> found = new TreeMap<>();
        functions.forEach((name, function) -> {
            if (name.startsWith(prefix)) {
                found.put(normal(name.substring(prefix.length())), function);
            }
        });
        return found;
    }

    Function function(String name) {
        Function function = functions.get(name);
        if (function == null) {
            throw new IllegalArgumentException("The C API has no function " + name);
        }
        return function;
    }

    static String normal(String name) {
        return name.replace("_", "").toLowerCase(Locale.ROOT);
    }
}
