package dev.outcrop.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** A completion script for fish. picocli does not make one. */
final class FishCompletion {
    private final String program;
    private final StringBuilder script = new StringBuilder();

    private FishCompletion(String program) {
        this.program = program;
    }

    static String of(String program, CommandLine root) {
        FishCompletion completion = new FishCompletion(program);
        completion.script.append("# Completion of ").append(program).append(" for fish.\n");
        completion.add(List.of(), root);
        return completion.script.toString();
    }

    private void add(List<String> path, CommandLine command) {
        Map<String, CommandLine> commands = command.getSubcommands();
        String here = path.stream().map(name -> "__fish_seen_subcommand_from " + name)
                .collect(Collectors.joining("; and "));
        String noneYet = commands.isEmpty()
                ? ""
                : "not __fish_seen_subcommand_from " + String.join(" ", commands.keySet());
        String before = here.isEmpty() ? noneYet : noneYet.isEmpty() ? here : here + "; and " + noneYet;
        commands.forEach((name, sub) -> line(before, " -f -a " + name,
                List.of(sub.getCommandSpec().usageMessage().description())));
        for (OptionSpec option : command.getCommandSpec().options()) {
            StringBuilder names = new StringBuilder();
            for (String name : option.names()) {
                names.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
            }
            line(before, names + (option.arity().max() > 0 ? values(option, " -x", " -r") : ""),
                    List.of(option.description()));
        }
        for (PositionalParamSpec parameter : command.getCommandSpec().positionalParameters()) {
            String values = values(parameter, " -f", "");
            if (!values.isEmpty()) {
                line(before, values, List.of());
            }
        }
        commands.forEach((name, sub) -> {
            List<String> below = new ArrayList<>(path);
            below.add(name);
            add(below, sub);
        });
    }

    /** Returns the candidates and a flag that excludes files; if there are no candidates, another flag. */
    private static String values(ArgSpec of, String exclusive, String otherwise) {
        Iterable<String> candidates = of.completionCandidates();
        return candidates == null ? otherwise : exclusive + " -a " + quoted(String.join(" ", candidates));
    }

    private void line(String condition, String what, List<String> description) {
        script.append("complete -c ").append(program).append(condition.isEmpty() ? "" : " -n " + quoted(condition))
                .append(what).append(description.isEmpty() ? "" : " -d " + quoted(description.getFirst()))
                .append('\n');
    }

    private static String quoted(String text) {
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
    }
}
