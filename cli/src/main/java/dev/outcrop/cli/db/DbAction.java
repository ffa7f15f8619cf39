package dev.outcrop.cli.db;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.rocksdb.RocksDBException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** A command that does something with databases. What the library says is wrong becomes one line for people. */
public abstract class DbAction implements Callable<Integer> {
    /** What was asked for is not there. */
    static final int NOT_FOUND = 3;
    static final int INTERRUPTED = 130;

    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    private @Nullable Interruption interruption;

    /** For the command line parser. */
    protected DbAction() {
    }

    @Override
    public final Integer call() {
        try (Interruption listening = Interruption.listen()) {
            interruption = listening;
            try {
                return act(out());
            } catch (ParameterException | Failure e) {
                throw e;
            } catch (Exception | UnsatisfiedLinkError e) {
                if (listening.isRequested()) {
                    return interrupted("stopped: " + Messages.of(e));
                }
                throw failure(e);
            } finally {
                // Also what was shown before something failed.
                out().flush();
            }
        }
    }

    private static Failure failure(Throwable e) {
        if (e instanceof IOException io) {
            return Failure.of("cannot go on", io);
        }
        if (e instanceof UncheckedIOException io) {
            return Failure.of("cannot go on", io);
        }
        if (e instanceof RocksDBException || e instanceof IllegalArgumentException
                || e instanceof UnsatisfiedLinkError) {
            Failure failure = new Failure(Messages.of(e));
            failure.initCause(e);
            return failure;
        }
        if (e instanceof RuntimeException mistake) {
            throw mistake; // of ours: the stack trace is wanted
        }
        throw new IllegalStateException(e);
    }

    /**
     * Does it.
     *
     * @param out the standard output
     * @return the exit code
     * @throws IOException if a file cannot be read or written
     */
    protected abstract int act(PrintWriter out) throws IOException;

    /**
     * The standard output.
     *
     * @return what commands write to
     */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /**
     * The standard error.
     *
     * @return what messages are written to
     */
    protected final PrintWriter err() {
        return spec.commandLine().getErr();
    }

    /**
     * Ctrl-C, while the command runs.
     *
     * @return what knows of it
     */
    protected final Interruption interruption() {
        Interruption listening = interruption;
        if (listening == null) {
            throw new IllegalStateException("the command does not run");
        }
        return listening;
    }

    /** Declares that the command only reads, and writes to the standard output, where it may wait for a reader without end. */
    final void onlyShows() {
        interruption().mayAbandon();
    }

    /** Tells whether the command is to go on: it was not interrupted, and its output has a reader. */
    final boolean goesOn() {
        return !interruption().isRequested() && !out().checkError();
    }

    /**
     * Prints how far the command came.
     *
     * @param state both
     * @return the exit code
     */
    protected final int interrupted(String state) {
        out().flush();
        warn("interrupted: " + state);
        return INTERRUPTED;
    }

    /**
     * A line on the standard error.
     *
     * @param line without its end
     */
    protected final void warn(String line) {
        Progress.leave(err());
        err().println("outcrop: " + line.replaceAll("\\s*\\R\\s*", " "));
        err().flush();
    }

    /**
     * Refuses wrong usage.
     *
     * @param isRight whether it is none
     * @param problem the problem
     */
    protected final void require(boolean isRight, String problem) {
        if (!isRight) {
            throw new ParameterException(spec.commandLine(), problem);
        }
    }
}
