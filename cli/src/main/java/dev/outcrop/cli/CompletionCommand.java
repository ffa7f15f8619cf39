package dev.outcrop.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./outcrop completion}. */
@Command(name = "completion", description = {"Print a script by which a shell completes the commands and options.",
        ""}, footer = {"", "  bash, zsh:  source <(./outcrop completion bash)",
                "  fish:       ./outcrop completion fish | source"})
final class CompletionCommand implements Runnable {
    private static final String PROGRAM = "outcrop";

    /** The shells, by the names that people type. */
    private enum Shell {
        bash,
        zsh,
        fish
    }

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
    private Shell shell = Shell.bash;

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    @Override
    public void run() {
        CommandLine program = spec.root().commandLine();
        PrintWriter out = spec.commandLine().getOut();
        // The script for bash is one for zsh as well.
        out.print(shell == Shell.fish ? FishCompletion.of(PROGRAM, program) : AutoComplete.bash(PROGRAM, program));
        out.flush();
    }
}
