package dev.outcrop.codegen.capi;

import dev.outcrop.codegen.capi.CFunction.CParameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The document about the functions of the C API. For each function it says how the Java API reaches it, or why it does not. */
final class BindingCoverageDocument {

    private static final String DATABASE = "rocksdb_t";

    private final Facts facts;
    private final Map<String, String> reached;
    private final NotReached notReached;
    /** The functions by their C types. */
    private final Map<String, List<CFunction>> groups = new TreeMap<>();

    /**
     * Puts the functions in order.
     *
     * @param reached the functions that are reached, each with a member of the API that reaches it
     */
    BindingCoverageDocument(Facts facts, Map<String, String> reached, NotReached notReached) {
        this.facts = facts;
        this.reached = reached;
        this.notReached = notReached;
        facts.functions().values()
                .forEach(function -> groups.computeIfAbsent(group(function), _ -> new ArrayList<>()).add(function));
    }

    String text() {
        int declared = facts.functions().size();
        int exported = declared + notReached.undeclared().size();
        return """
                # How much of RocksDB's C API is reached

                The library of RocksDB %1$s exports %2$s functions; the public Java API reaches **%3$s of them, %4$s**.

                The build computes this from the compiled classes: a function is reached if a chain of calls leads to it from a public or
                protected member of a public type in `dev.outcrop.rocksdb` (`CallGraph` in module `codegen` says how).
                Beside each function stands the member that is nearest to it, or why it is not reached, from
                [`not-reached.tsv`](../build/codegen/facts/not-reached.tsv). This file is generated; where it is stale the \
                build fails, and
                this writes it anew:

                ```sh
                %5$s
                ```

                ## What is not reached, and why

                | functions | reason |
                |---|---|
                %6$s
                ## What is reached, by the C type

                A function belongs to the type that its name begins with, or else to the one that it takes or returns.

                | type | functions | reached | |
                |---|---|---|---|
                %7$s
                %8$s"""
                .formatted(facts.version(), number(exported), number(reached.size()),
                        percent(reached.size(), exported), BindingCoverage.REFRESH, reasons(), overview(),
                        groups.entrySet().stream().map(this::table).collect(Collectors.joining()) + undeclared());
    }

    private String reasons() {
        Map<String, Long> counts = facts.functions().keySet().stream().filter(name -> !reached.containsKey(name))
                .collect(Collectors.groupingBy(this::reason, TreeMap::new, Collectors.counting()));
        notReached.undeclared().values().forEach(reason -> counts.merge(reason, 1L, Long::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed().thenComparing(Map.Entry::getKey))
                .map(entry -> "| %s | %s |\n".formatted(number(entry.getValue()), entry.getKey()))
                .collect(Collectors.joining());
    }

    private String overview() {
        return groups.entrySet().stream().map(group -> {
            int size = group.getValue().size();
            long hits = hits(group.getValue());
            return "| [`%1$s`](#%1$s) | %2$s | %3$s | %4$s |\n".formatted(group.getKey(), number(size),
                    number(hits), percent(hits, size));
        }).collect(Collectors.joining());
    }

    private String table(Map.Entry<String, List<CFunction>> group) {
        return group.getValue().stream().sorted(Comparator.comparing(CFunction::name)).map(this::row)
                .collect(Collectors.joining("", """
                        ### %s

                        | function | reached from, or why not |
                        |---|---|
                        """.formatted(group.getKey()), "\n"));
    }

    private String row(CFunction function) {
        String name = function.name();
        return reached.containsKey(name)
                ? "| `%s` | `%s` |\n".formatted(name, reached.get(name))
                : "| `%s` | – %s |\n".formatted(name, reason(name));
    }

    private String undeclared() {
        return notReached.undeclared().entrySet().stream()
                .map(entry -> "| `%s` | – %s |\n".formatted(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining("", """
                        ### Not declared

                        | function | reached from, or why not |
                        |---|---|
                        """, ""));
    }

    private String reason(String function) {
        return notReached.reason(function).orElse("**no reason is given**");
    }

    private long hits(List<CFunction> functions) {
        return functions.stream().filter(function -> reached.containsKey(function.name())).count();
    }

    private String group(CFunction function) {
        return facts.opaques().stream().filter(type -> !type.equals(DATABASE)).filter(type -> begins(function, type))
                .max(Comparator.comparingInt(String::length)).orElseGet(() -> takenOrReturned(function));
    }

    /** Returns whether a name begins like the name of a type, without its _t. */
    private static boolean begins(CFunction function, String type) {
        return type.endsWith("_t") && function.name().startsWith(type.substring(0, type.length() - 1));
    }

    private String takenOrReturned(CFunction function) {
        List<String> types = new ArrayList<>(function.parameters().stream().map(CParameter::type).toList());
        types.add(function.returnType());
        List<String> opaques = types.stream().map(type -> type.replace("const ", "").replaceAll("[ *]+$", ""))
                .filter(facts.opaques()::contains).toList();
        if (opaques.isEmpty()) {
            return "without a type";
        }
        return opaques.contains(DATABASE) ? DATABASE : opaques.getFirst();
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private static String percent(long part, long whole) {
        return part == whole ? "100 %" : String.format(Locale.ROOT, "%.1f %%", Math.floor(1000.0 * part / whole) / 10);
    }
}
