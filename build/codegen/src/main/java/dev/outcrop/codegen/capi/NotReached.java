package dev.outcrop.codegen.capi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The reasons why the Java API does not reach functions of the C API, from a committed table. Its rows, with cells separated by tabs:
 * <ul>
 * <li>{@code never}, a name or a prefix of names followed by {@code *}, the reason: must not match a function that is reached;
 * <li>{@code later}, the same, for functions that the Java API will reach later: may match a function that is reached;
 * <li>{@code undeclared}, a name, the reason: for a function of the library that the table of facts does not have.
 * </ul>
 * A line that begins with {@code #} is a remark. If several rows match a function, the most exact row counts; between equally exact rows,
 * {@code never} counts before {@code later}.
 */
record NotReached(Path table, List<Row> rows) {

    /** A row; the name may end with {@code *}. */
    record Row(Kind kind, String name, String reason) {

        boolean matches(String function) {
            return name.endsWith("*")
                    ? function.startsWith(name.substring(0, name.length() - 1))
                    : function.equals(name);
        }

        /** Greater for a row that matches fewer functions. */
        int precision() {
            return name.endsWith("*") ? name.length() - 1 : Integer.MAX_VALUE;
        }
    }

    /** The kind of a row. */
    enum Kind {
        NEVER,
        LATER,
        UNDECLARED
    }

    static NotReached read(Path table) throws IOException {
        List<Row> rows = new ArrayList<>();
        List<String> lines = Files.readAllLines(table);
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank() || line.startsWith("#")) {
                continue;
            }
            String[] cells = line.split("\t", -1);
            Kind kind = switch (cells[0]) {
                case "never" -> Kind.NEVER;
                case "later" -> Kind.LATER;
                case "undeclared" -> Kind.UNDECLARED;
                default -> null;
            };
            if (kind == null || cells.length != 3 || cells[1].isBlank() || cells[2].isBlank()) {
                throw new IllegalArgumentException(table + ":" + (i + 1) + ": cannot read the row '" + line
                        + "'; it must be never, later or undeclared, a name and a reason, separated by tabs");
            }
            rows.add(new Row(kind, cells[1], cells[2]));
        }
        return new NotReached(table, List.copyOf(rows));
    }

    /** Returns the functions that the library exports but no header declares, each with the reason why it is not reached. */
    Map<String, String> undeclared() {
        Map<String, String> undeclared = new LinkedHashMap<>();
        rows.stream().filter(row -> row.kind() == Kind.UNDECLARED)
                .forEach(row -> undeclared.put(row.name(), row.reason()));
        return undeclared;
    }

    /** Returns why a function is not reached. */
    Optional<String> reason(String function) {
        return row(function).map(Row::reason);
    }

    /**
     * Returns the faults of this table.
     *
     * @param functions all functions that are declared
     * @param reached   the declared functions that are reached
     * @return a sentence for each fault, with the remedy
     */
    List<String> faults(Set<String> functions, Set<String> reached) {
        List<String> faults = new ArrayList<>();
        for (Row row : rows) {
            Set<String> matching = new TreeSet<>(functions);
            matching.removeIf(function -> !row.matches(function));
            if (row.kind() == Kind.UNDECLARED && !matching.isEmpty()) {
                faults.add(row.name() + " is declared after all: make its row 'never' or 'later', or remove it");
            } else if (row.kind() != Kind.UNDECLARED && matching.isEmpty()) {
                faults.add("no function is called " + row.name() + ": remove the row");
            } else if (row.kind() == Kind.NEVER) {
                matching.retainAll(reached);
                matching.removeIf(function -> !row(function).orElseThrow().equals(row));
                if (!matching.isEmpty()) {
                    faults.add("'" + row.reason() + "' is no longer true for " + String.join(", ", matching)
                            + ", reached now: remove the row of " + row.name() + " or narrow it");
                }
            }
        }
        functions.stream().filter(function -> !reached.contains(function) && row(function).isEmpty())
                .forEach(function -> faults.add(function + " is not reached: bind it, or add a row that says why not"));
        return faults;
    }

    private Optional<Row> row(String function) {
        return rows.stream().filter(row -> row.kind() != Kind.UNDECLARED && row.matches(function))
                .min(Comparator.comparing(Row::kind)
                        .thenComparingInt(row -> -row.precision()));
    }
}
