package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.rocksdb.LoadedOptions;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop db options}. */
@Command(name = "options", description = {"Show the stored options, or how those of two databases differ.",
        "Stored are those that a database was last opened with. Opens none.",
        ""}, footer = {"", "  ./outcrop db options data", "  ./outcrop db options data copy"})
final class OptionsCommand extends DatabaseAction {
    /** Says which release wrote the file, no option. */
    private static final String VERSION = "Version";
    /** What an option that is not stored is shown as. */
    private static final String NONE = "-";

    @Parameters(index = "1", arity = "0..1", paramLabel = "OTHER", description = "The directory of a database to compare with.")
    private @Nullable Path other;

    @Option(names = {"-f", "--family"}, paramLabel = "NAME", description = "Only those of this column family.")
    private @Nullable String family;

    @Option(names = "--json", description = "As a JSON object; of two databases, a pair for each.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        Map<String, Map<String, String>> own = stored(directory());
        if (other == null) {
            if (json) {
                out.println(Json.line(shown(own, FamilyOption::inJson)));
            } else {
                shown(own, FamilyOption::shown).forEach((section, options) -> {
                    out.println("[" + section + "]");
                    options.forEach((name, value) -> out.println("  " + name + " = " + value));
                });
            }
            return 0;
        }
        Map<String, Map<String, String[]>> differences = shown(differences(own, stored(other)),
                json ? FamilyOption::inJson : FamilyOption::shown);
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
        return sections;
    }

    private boolean isWanted(String section, Collection<String> names) {
        return family == null || name(section).equals(FamilyOption.name(family, names));
    }

    /** The column family that a section is about; "" if it is about the database. */
    private static String name(String section) {
        int quote = section.indexOf('"');
        return quote < 0 ? "" : section.substring(quote + 1, section.length() - 1);
    }

    private static <T> Map<String, T> shown(Map<String, T> sections, UnaryOperator<String> name) {
        Map<String, T> shown = new LinkedHashMap<>();
        sections.forEach((section, options) -> shown.put(name.apply(section), options));
        return shown;
    }

    private static Map<String, Map<String, String[]>> differences(Map<String, Map<String, String>> own,
            Map<String, Map<String, String>> others) {
        Map<String, Map<String, String[]>> differences = new LinkedHashMap<>();
        Map<String, Map<String, String>> all = new LinkedHashMap<>(own);
        others.forEach(all::putIfAbsent);
        for (String section : all.keySet()) {
            Map<String, String> left = own.getOrDefault(section, Map.of());
            Map<String, String> right = others.getOrDefault(section, Map.of());
            Map<String, String[]> differing = new LinkedHashMap<>();
            TreeSet<String> names = new TreeSet<>(left.keySet());
            names.addAll(right.keySet());
            for (String name : names) {
                String a = left.getOrDefault(name, NONE);
                String b = right.getOrDefault(name, NONE);
                if (!Objects.equals(a, b)) {
                    differing.put(name, new String[]{a, b});
                }
            }
            if (!differing.isEmpty()) {
                differences.put(section, differing);
            }
        }
        return differences;
    }
}
