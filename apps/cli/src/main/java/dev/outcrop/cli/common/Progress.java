package dev.outcrop.cli.common;

import java.io.PrintStream;
import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.jspecify.annotations.Nullable;

/** The progress of long work: count, rate and time left, on a terminal only. */
public final class Progress implements AutoCloseable {
    /** The total of work of unknown size. */
    public static final long UNKNOWN = -1;
    private static final int INTERVAL = 200;
    /** True while the last line of the terminal shows progress. */
    private static volatile boolean isShown;
    private final @Nullable ProgressBar bar;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    /** Begins a line for a message, where progress is shown. */
    public static void leave(PrintWriter err) {
        if (isShown) {
            err.println();
        }
    }

    /** Begins to show progress: the work, the things that are counted, and how many there are, or {@link #UNKNOWN}. */
    public static Progress of(String title, String unit, long total) {
        return of(title, unit, total, Terminal.isError(), System.err);
    }

    /** Shows the progress of work that writes to the standard output, which must not be a terminal too: the lines would be mixed up. */
    public static Progress besideOutput(String title, String unit, long total) {
        return of(title, unit, total, Terminal.isError() && !Terminal.isOutput(), System.err);
    }

    /** Shows progress on the standard output. */
    public static Progress onOutput(String title, String unit, long total) {
        return of(title, unit, total, Terminal.isOutput(), System.out);
    }

    private static Progress of(String title, String unit, long total, boolean isShown, PrintStream terminal) {
        if (!isShown) {
            return new Progress(null);
        }
        Progress.isShown = true;
        return new Progress(new ProgressBarBuilder().setInitialMax(total).setRenderer(new ProgressText(title, unit))
                .setUpdateIntervalMillis(INTERVAL).clearDisplayOnFinish()
                // Otherwise the last steps are not shown until more come.
                .continuousUpdate().setConsumer(new Line(terminal, Terminal.columns() - 1)).build());
    }

    /** Moves to so many steps of all. */
    public void at(long steps) {
        if (bar != null) {
            bar.stepTo(steps);
        }
    }

    /** Shows some words in place of the rate. */
    public void note(String text) {
        if (bar != null) {
            bar.setExtraMessage(text);
        }
    }

    @Override
    public void close() {
        if (bar != null && isShown) {
            bar.close();
            isShown = false;
        }
    }

    /**
     * The last line of the terminal, written again and again. The library's own would leave an empty one; and asked for the width, it would
     * take hold of the terminal, and have Ctrl-C end the process at once.
     */
    private record Line(PrintStream terminal, int width) implements ProgressBarConsumer {
        @Override
        public int getMaxRenderedLength() {
            return width;
        }

        @Override
        public void accept(String text) {
            terminal.print("\r" + text + " ".repeat(width - text.length()));
            terminal.flush();
        }

        @Override
        public void clear() {
            accept("");
            terminal.print("\r");
            terminal.flush();
        }

        @Override
        public void close() {
            // The terminal stays open.
        }
    }
}
