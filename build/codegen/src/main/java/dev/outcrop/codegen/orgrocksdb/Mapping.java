package dev.outcrop.codegen.orgrocksdb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Decisions about classes and members that do not follow from names. The first lines of {@code mapping.tsv} explain its rows.
 *
 * @param objects native objects by Java class
 * @param aliases C functions, or the names of native methods, by {@code Class.method}
 * @param helpers hand-written methods by {@code Class.method}, or {@code Class.method(descriptor)} where there are several
 * @param overloads hand-written methods that several overloads call, by {@code Class.method}
 * @param states hand-written classes of the state of objects, by Java class
 * @param locked which methods hold the lock of the state, by Java class: one thread may change the native object while another thread uses
 *               it
 * @param values the values of constants, by {@code Class.field}
 * @param carriers classes that hold the arguments of their constructor
 * @param unsupported members that a rule would implement wrongly
 * @param notReplayed setters that must not be called with the result of their getters
 * @param natives the class that has the native methods, by Java class
 * @param members members for this package and for reflection, as Java source, by Java class
 * @param docs descriptions in Javadoc, by {@code Class} or {@code Class.method}
 * @param mutable fields of carriers that change, by {@code Class.field}
 * @param counters classes with getters that read a counter by their name
 * @param numbers numbers of constants that differ between C and Java, by {@code Class.CONSTANT}
 */
record Mapping(Map<String, NativeObject> objects, Map<String, String> aliases, Map<String, String> helpers,
        Map<String, List<Overloads>> overloads, Map<String, String> states, Map<String, Locked> locked,
        Map<String, String> values,
        Set<String> carriers, Set<String> unsupported, Set<String> notReplayed, Map<String, Integer> numbers,
        Map<String, String> natives,
        Map<String, List<String>> members, Map<String, String> docs, Set<String> mutable, Set<String> counters) {

    /**
     * The C functions of a native object.
     *
     * @param prefix the prefix of the names of its functions
     * @param create creates an object, or is empty
     * @param copy copies an object; empty if getters and setters copy it
     * @param destroy frees an object
     */
    record NativeObject(String prefix, String create, String copy, String destroy) {
    }

    /** Which methods hold the lock. */
    enum Locked {
        ALL,
        /** All methods except setters and getters of a number, because a number is written atomically. */
        HELD
    }

    static Mapping read(Path file) throws IOException {
        Mapping mapping = new Mapping(new HashMap<>(), new HashMap<>(), new HashMap<>(), new HashMap<>(),
                new HashMap<>(), new HashMap<>(), new HashMap<>(),
                new HashSet<>(), new HashSet<>(), new HashSet<>(), new HashMap<>(), new HashMap<>(), new HashMap<>(),
                new HashMap<>(), new HashSet<>(), new HashSet<>());
        for (String row : Files.readAllLines(file)) {
            List<String> cells = List.of(row.split("\t", -1));
            if (row.isBlank() || row.startsWith("#")) {
                continue;
            }
            for (String type : cells.get(1).split(",", -1)) {
                mapping.add(cells, type, row);
            }
        }
        return mapping;
    }

    private void add(List<String> cells, String type, String row) {
        switch (cells.getFirst()) {
            case "object" ->
                objects.put(type, new NativeObject(cells.get(2), cells.get(3), cells.get(4), cells.get(5)));
            case "alias" -> aliases.put(type + "." + cells.get(2), cells.get(3));
            case "helper" -> helpers.put(type + "." + cells.get(2), cells.get(3));
            case "overloads" -> overloads.computeIfAbsent(type + "." + cells.get(2), _ -> new ArrayList<>())
                    .add(Overloads.parse(cells.get(3)));
            case "state" -> states.put(type, cells.get(2));
            case "locked" -> locked.put(type, Locked.valueOf(cells.get(2).toUpperCase(Locale.ROOT)));
            case "value" -> values.put(type + "." + cells.get(2), cells.get(3));
            case "carrier" -> carriers.add(type);
            case "noreplay" -> notReplayed.add(type);
            case "number" -> numbers.put(type + "." + cells.get(2), Integer.valueOf(cells.get(3)));
            case "noop" -> List.of(cells.get(2).split(",", -1))
                    .forEach(method -> helpers.put(type + "." + method, "noop"));
            case "doc" -> docs.put(cells.get(2).isEmpty() ? type : type + "." + cells.get(2), cells.get(3));
            case "mutable" -> mutable.add(type + "." + cells.get(2));
            case "counters" -> counters.add(type);
            case "member" -> members.computeIfAbsent(type, _ -> new ArrayList<>())
                    .add(cells.get(2).replace("\\n", "\n"));
            case "natives" -> natives.put(type, cells.get(2));
            case "unsupported" -> unsupported.add(type + "." + cells.get(2));
            default -> throw new IllegalArgumentException("Unknown kind of row in the mapping: " + row);
        }
    }

    /**
     * Returns the implementation of a member: a hand-written method, an expression after {@code =}, {@code super} or {@code noop}; null if
     * a rule implements it.
     */
    @Nullable
    String helper(Table.JavaType type, Table.Method method) {
        String name = type.sourceName() + "." + method.name();
        String exact = helpers.get(name + method.descriptor());
        if (exact != null) {
            return exact;
        }
        String call = overloads.getOrDefault(name, List.of()).stream().map(each -> each.call(method))
                .filter(Objects::nonNull).findFirst().orElse(null);
        return call != null ? call : helpers.get(name);
    }
}
