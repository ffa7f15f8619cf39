package dev.outcrop.cli;

import dev.outcrop.cli.common.Subcommand;
import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./outcrop completion}. */
@Command(name = "completion", description = {"Print a script by which a shell completes the commands and options.",
        ""}, footer = {"", "  bash, zsh:  source <(./outcrop completion bash)",
                "  fish:       ./outcrop completion fish | source"})
final class CompletionCommand extends Subcommand {
    private static final String PROGRAM = "outcrop";

    /** The shells, named as people type them. */
    private enum Shell {
        bash,
        zsh,
        fish
    }

    @Parameters(paramLabel = "SHELL", description = "${COMPLETION-CANDIDATES}.")
    private Shell shell = Shell.bash;

    @Override
    protected int act(PrintWriter out) {
        CommandLine program = spec().root().commandLine();
        // The script for bash also works in zsh.
        out.print(shell == Shell.fish ? FishCompletion.of(PROGRAM, program) : AutoComplete.bash(PROGRAM, program));
        return 0;
    }
}
