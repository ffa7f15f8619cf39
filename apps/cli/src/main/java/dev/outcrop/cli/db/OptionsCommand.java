package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.rocksdb.LoadedOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db options}. */
@Command(name = "options", description = {"Show the stored options, or how those of two databases differ.",
        "These are the options that a database was last opened with. Opens none.",
        ""}, footer = {"", "  ./outcrop db options data", "  ./outcrop db options data copy"})
final class OptionsCommand extends DatabaseAction {
    /** The section that names the release that wrote the file. It is not an option. */
    private static final String VERSION = "Version";
    /** Stands for an option that is not stored. */
    private static final String NONE = "-";

    @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = "The directory of a database to compare with.")
    private @Nullable Path other;

    @Option(names = {"-f", "--family"}, paramLabel = "NAME", description = "Only the options of this column family.")
    private @Nullable String family;

    @Option(names = "--json", description = "As a JSON object; for two databases, with pairs.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        Map<String, Map<String, String>> own = stored(directory());
        if (other == null) {
            if (json) {
                out.println(Json.line(own));
            } else {
                own.forEach((section, options) -> {
                    out.println("[" + section + "]");
                    options.forEach((name, value) -> out.println("  " + name + " = " + value));
                });
            }
            return 0;
        }
        Map<String, Map<String, String[]>> differences = differences(own, stored(other));
        if (json) {
            out.println(Json.line(differences));
        } else if (differences.isEmpty()) {
            out.println("no differences");
        } else {
            differences.forEach((section, options) -> {
                out.println("[" + section + "]");
                options.forEach((name, pair) -> {
                    out.println("  " + name);
                    out.println("    < " + pair[0]);
                    out.println("    > " + pair[1]);
                });
            });
        }
        return 0;
    }

    private Map<String, Map<String, String>> stored(Path database) throws IOException {
        OpenDatabase.requireDatabase(database);
        Map<String, Map<String, String>> sections = new LinkedHashMap<>(LoadedOptions.sections(database));
        if (sections.isEmpty()) {
            throw new Failure("no options are stored in " + database + ": it has no file OPTIONS-…");
        }
        List<String> names = sections.keySet().stream().map(OptionsCommand::name).toList();
        sections.keySet().removeIf(section -> section.startsWith(VERSION) || !isWanted(section, names));
        if (sections.isEmpty()) {
            throw new Failure("there are no options of a column family '" + family + "' in " + database
                    + "; './outcrop db families " + database + "' lists the column families");
        }
        Map<String, Map<String, String>> shown = new LinkedHashMap<>();
        sections.forEach((section, options) -> shown
                .put(json ? FamilyOption.inJson(section) : FamilyOption.shown(section), options));
        return shown;
    }

    private boolean isWanted(String section, Collection<String> names) {
        return family == null || name(section).equals(FamilyOption.name(family, names));
    }

    /** Returns the column family of a section; "" for a section of the database. */
    private static String name(String section) {
        int quote = section.indexOf('"');
        return quote < 0 ? "" : section.substring(quote + 1, section.length() - 1);
    }

    private static Map<String, Map<String, String[]>> differences(Map<String, Map<String, String>> own,
            Map<String, Map<String, String>> others) {
        Map<String, Map<String, String[]>> differences = new LinkedHashMap<>();
        Set<String> sections = new LinkedHashSet<>(own.keySet());
        sections.addAll(others.keySet());
        for (String section : sections) {
            Map<String, String> left = own.getOrDefault(section, Map.of());
            Map<String, String> right = others.getOrDefault(section, Map.of());
            Map<String, String[]> differing = new TreeMap<>();
            Stream.concat(left.keySet().stream(), right.keySet().stream()).forEach(name -> {
                String[] pair = {left.getOrDefault(name, NONE), right.getOrDefault(name, NONE)};
                if (!pair[0].equals(pair[1])) {
                    differing.put(name, pair);
                }
            });
            if (!differing.isEmpty()) {
                differences.put(section, differing);
            }
        }
        return differences;
    }
}
