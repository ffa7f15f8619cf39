package dev.outcrop.cli.common;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command with its streams, its option --help, and Ctrl-C. */
public abstract class Subcommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    // This option comes last in a help text that is not sorted by names.
    @Option(names = {"-h", "--help"}, usageHelp = true, order = 1000, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    private @Nullable Interruption interruption;

    @Override
    public Integer call() {
        try {
            return act(out());
        } catch (ParameterException | Failure e) {
            throw e;
        } catch (Exception | UnsatisfiedLinkError e) {
            return onFailure(e);
        } finally {
            // Flush first: the output comes before the message of a failure, and the program ends when the interruption is closed.
            out().flush();
            if (interruption != null) {
                interruption.close();
            }
        }
    }

    /** Does the work, and returns the exit code. */
    protected abstract int act(PrintWriter out) throws IOException;

    /**
     * Throws a {@link Failure} instead of the exception, or returns the exit code. By default the exception is a bug, and the stack trace
     * should be shown.
     */
    protected int onFailure(Throwable e) {
        if (e instanceof RuntimeException mistake) {
            throw mistake;
        }
        throw new IllegalStateException(e);
    }

    protected final CommandSpec spec() {
        return spec;
    }

    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /** Returns the listener for Ctrl-C. From the first call on, Ctrl-C no longer ends the program by itself. */
    protected final Interruption interruption() {
        Interruption listening = interruption;
        if (listening == null) {
            listening = Interruption.listen();
            interruption = listening;
        }
        return listening;
    }

    /** Prints how far the command came, and returns the exit code. Nothing else is shown from then on. */
    protected final int interrupted(String state) {
        out().flush();
        Progress.printLast(err(), warning("interrupted: " + state));
        return Interruption.EXIT_CODE;
    }

    /** Prints a line on the standard error. */
    protected final void warn(String line) {
        Progress.print(err(), warning(line));
    }

    private static String warning(String line) {
        return "outcrop: " + line.replaceAll("\\s*\\R\\s*", " ");
    }

    /** Refuses wrong usage. */
    protected final void require(boolean isRight, String problem) {
        if (!isRight) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}
