package dev.outcrop.codegen.capi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A class of the engine with methods that each only call one C function. In the table {@code calls.tsv} it is a row of kind "class" and the
 * rows of kind "call" below it.
 *
 * @param packageName below the engine's package; empty for the engine's package itself
 * @param name        of the class
 * @param description the first sentence of its documentation
 * @param calls       its methods
 */
record CallClass(String packageName, String name, String description, List<Call> calls) {

    /**
     * A method.
     *
     * @param name             in Java
     * @param function         in C
     * @param reportsToScratch whether it takes the scratch memory for an error, instead of the address of a word for the error
     * @param description      the first sentence of its documentation
     */
    record Call(String name, String function, boolean reportsToScratch, String description) {
    }

    /** Reads the table. */
    static List<CallClass> readAll(Path table) throws IOException {
        List<CallClass> classes = new ArrayList<>();
        Map<String, String> classOfFunction = new HashMap<>();
        for (String line : Files.readAllLines(table)) {
            if (line.startsWith("#")) {
                continue;
            }
            List<String> row = List.of(line.split("\t", -1));
            if (row.getFirst().equals("class") && row.size() == 3) {
                int dot = row.get(1).lastIndexOf('.');
                classes.add(new CallClass(row.get(1).substring(0, Math.max(0, dot)), row.get(1).substring(dot + 1),
                        row.get(2), new ArrayList<>()));
            } else if (row.getFirst().equals("call") && row.size() == 5 && !classes.isEmpty()) {
                CallClass to = classes.getLast();
                to.calls.add(new Call(row.get(1), row.get(2), row.get(3).equals("scratch"), row.get(4)));
                String other = classOfFunction.put(row.get(2), to.name);
                if (other != null) {
                    throw new IllegalArgumentException(
                            table + ": " + row.get(2) + " is called by " + other + " and again by " + to.name);
                }
            } else {
                throw new IllegalArgumentException(table + ": cannot read the row '" + line + "'");
            }
        }
        return classes;
    }

    /** Returns whether a class with the other methods of its topic extends it. */
    boolean isBase() {
        return name.endsWith("Calls");
    }
}
