package dev.outcrop.queue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;

/** Which package of a module refers to which, as the JDK's {@code jdeps} sees it in the compiled classes, and whether one may. */
final class PackageFloors {
    private static final Pattern ARROW = Pattern.compile("(?m)^\\s+([\\w.]+)\\s+->\\s+([\\w.]+)");

    private final Map<String, TreeSet<String>> references = new TreeMap<>();

    /**
     * Reads classes.
     *
     * @param classes a directory of class files
     * @param prefix  packages that do not begin with this are left out
     */
    PackageFloors(Path classes, String prefix) {
        ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
        StringWriter output = new StringWriter();
        StringWriter errors = new StringWriter();
        int code = jdeps.run(new PrintWriter(output), new PrintWriter(errors), "--multi-release", "base",
                "--ignore-missing-deps", "-verbose:package", "-filter:none", classes.toString());
        if (code != 0) {
            throw new IllegalStateException("jdeps ended with " + code + ": " + output + errors);
        }
        read(output.toString(), prefix);
    }

    private void read(String text, String prefix) {
        Matcher arrow = ARROW.matcher(text);
        while (arrow.find()) {
            if (arrow.group(1).startsWith(prefix) && arrow.group(2).startsWith(prefix)
                    && !arrow.group(1).equals(arrow.group(2))) {
                references.computeIfAbsent(arrow.group(1), _ -> new TreeSet<>()).add(arrow.group(2));
            }
        }
    }

    List<String> all() {
        List<String> found = new ArrayList<>();
        references.forEach((from, to) -> to.forEach(each -> found.add(from + " -> " + each)));
        return found;
    }

    /**
     * References that do not go down, or are of a package without a floor.
     *
     * @param floors from the top to the bottom; of those in one line none may refer to another
     */
    List<String> notDown(List<List<String>> floors) {
        Map<String, Integer> floorOf = new TreeMap<>();
        for (int i = 0; i < floors.size(); i++) {
            for (String each : floors.get(i)) {
                floorOf.put(each, i);
            }
        }
        List<String> found = new ArrayList<>();
        references.forEach((from, to) -> to.forEach(each -> {
            Integer upper = floorOf.get(from);
            Integer lower = floorOf.get(each);
            if (upper == null || lower == null || !(Objects.requireNonNull(upper) < Objects.requireNonNull(lower))) {
                found.add(from + " -> " + each);
            }
        }));
        return found;
    }
}
