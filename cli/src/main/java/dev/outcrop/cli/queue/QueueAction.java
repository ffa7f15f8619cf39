package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.LibraryLog;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueException;
import dev.outcrop.queue.QueueLockedException;
import dev.outcrop.queue.Tailer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A command that does something with the queue in a directory. What the queue says is wrong becomes one line for people. */
abstract class QueueAction implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create();

    @Parameters(index = "0", paramLabel = "DIR", description = "The queue's directory.")
    private Path directory = Path.of("");

    @Option(names = {"-h", "--help"}, usageHelp = true, description = "Show this help and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    @Override
    public final Integer call() {
        PrintWriter out = spec.commandLine().getOut();
        // Where there is no room for a file that is made in advance, there may be enough without. What else is logged is said nowhere else:
        // that something damaged was put aside, say.
        LibraryLog.silence(Queue.class.getPackageName() + ".Housekeeper");
        try {
            return act(directory, out);
        } catch (QueueException e) {
            throw failure(e);
        } catch (UncheckedIOException e) {
            throw failure(e);
        } catch (IOException e) {
            throw Failure.of("the queue " + directory, e);
        } finally {
            // Also what was shown before something failed.
            out.flush();
        }
    }

    /** For people. */
    static Failure failure(RuntimeException e) {
        // The advice is for programs; here there is a command for each.
        Failure failure = new Failure(String.valueOf(e.getMessage()).replace("Tailer.open", "'./outcrop queue tail'")
                .replace("QueueFiles.verify", "'./outcrop queue verify'")
                .replaceFirst("AccessDeniedException: (.*)", "$1: permission denied"));
        failure.initCause(e);
        return failure;
    }

    /**
     * Does it.
     *
     * @return the exit code
     */
    abstract int act(Path queue, PrintWriter out) throws IOException;

    /** The place in the queue that an option or a parameter names. */
    final Place place(String name, String text) {
        return Place.of(spec, name, text);
    }

    /** Where a reader begins, by one of two options, or otherwise. */
    final Consumer<Tailer> start(@Nullable String from, @Nullable Long last, Consumer<Tailer> otherwise) {
        if (from != null && last != null) {
            throw new ParameterException(spec.commandLine(),
                    "--from and -n exclude each other: both say where to begin");
        }
        if (last != null) {
            require(last >= 0, "-n", "0 or more", last);
            return tailer -> Place.seekToLast(tailer, last);
        }
        if (from != null) {
            Place place = place("--from", from);
            return place::seek;
        }
        return otherwise;
    }

    /** Warns that the figures are those of a moment. */
    final void besideWriter(QueueLockedException writer) {
        warn((writer.pid().isPresent() ? "process " + writer.pid().getAsLong() : "another process") + " has "
                + directory
                + " open; this is what is on the disk while it writes");
    }

    /** A line on the standard error. */
    final void warn(String line) {
        PrintWriter err = spec.commandLine().getErr();
        Progress.leave(err);
        err.println("outcrop: " + line);
        err.flush();
    }

    /** Lets Ctrl-C end the program during a long call that cannot be ended early, with a line that says what is not done. */
    final Interruption interruption(String undone) {
        Interruption interruption = Interruption.listen();
        interruption.mayAbandon();
        interruption.stopBy(() -> warn("interrupted: " + undone));
        return interruption;
    }

    /** How much there is to look at. */
    static long segmentBytes(Path queue) throws IOException {
        if (!Files.isDirectory(queue)) {
            // What looks at it says so.
            return 0;
        }
        long bytes = 0;
        try (Stream<Path> files = Files.list(queue)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".segment")).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    /** Refuses a value of an option, as wrong usage. */
    final void require(boolean isRight, String option, String rule, long value) {
        if (!isRight) {
            throw new ParameterException(spec.commandLine(), option + " must be " + rule + ", not " + value);
        }
    }
}
