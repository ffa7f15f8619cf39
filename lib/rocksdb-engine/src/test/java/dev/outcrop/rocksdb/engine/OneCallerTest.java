package dev.outcrop.rocksdb.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** One class calls a C function, for both APIs: what must be known about the function stands in one place. */
class OneCallerTest {
    private static final List<Path> SOURCES = Stream.of("lib/rocksdb-engine", "lib/rocksdb", "compat/rocksdbjni")
            .map(module -> Path.of("..", "..", module, "src", "main", "java")).toList();
    private static final Pattern CALL = Pattern.compile("\\bCApi(?:\\.|::)(rocksdb_\\w+)");

    @Test
    void eachFunctionIsCalledFromOneClass() throws IOException {
        Map<String, Set<String>> callers = callers();

        assertThat(callers).hasSizeGreaterThan(700);
        assertThat(callers.entrySet()).as("functions with several callers")
                .allSatisfy(function -> assertThat(function.getValue()).as(function.getKey()).hasSize(1));
    }

    private static Map<String, Set<String>> callers() throws IOException {
        Map<String, Set<String>> callers = new TreeMap<>();
        addGenerated(callers);
        for (Path directory : SOURCES) {
            List<Path> files;
            try (Stream<Path> all = Files.walk(directory)) {
                files = all.filter(file -> file.toString().endsWith(".java")).toList();
            }
            for (Path file : files) {
                Matcher call = CALL.matcher(Files.readString(file));
                while (call.find()) {
                    callers.computeIfAbsent(call.group(1), _ -> new TreeSet<>())
                            .add(directory.relativize(file).toString().replace(".java", ""));
                }
            }
        }
        return callers;
    }

    /** Adds the classes that are generated from the table of calls. */
    private static void addGenerated(Map<String, Set<String>> callers) throws IOException {
        String generated = "";
        for (String line : Files.readAllLines(Path.of("..", "..", "build", "codegen", "facts", "calls.tsv"))) {
            String[] row = line.split("\t", -1);
            if (row[0].equals("class")) {
                generated = row[1];
            } else if (row[0].equals("call")) {
                callers.computeIfAbsent(row[2], _ -> new TreeSet<>()).add(generated);
            }
        }
    }
}
