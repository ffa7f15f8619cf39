package dev.outcrop.cli.common;

import java.io.PrintStream;
import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.jspecify.annotations.Nullable;

/** The progress of long work: count, rate and time left, on a terminal only. */
public final class Progress implements AutoCloseable {
    /** The total, if the size of the work is unknown. */
    public static final long UNKNOWN = -1;
    private static final int INTERVAL = 200;
    /** Held while something is printed: the bar is drawn by a thread of its own. */
    private static final Object TERMINAL = new Object();
    /** True while the last line of the terminal shows progress. */
    private static volatile boolean isShown;
    private final @Nullable ProgressBar bar;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    /** Prints a message on lines of its own, below the line that shows progress. */
    public static void print(PrintWriter err, String message) {
        synchronized (TERMINAL) {
            if (isShown) {
                err.println();
            }
            err.println(message);
            err.flush();
        }
    }

    /** Prints a message as {@link #print} does. From then on, progress is not shown. */
    static void printLast(PrintWriter err, String message) {
        synchronized (TERMINAL) {
            print(err, message);
            isShown = false;
        }
    }

    /** Begins to show progress. The arguments are the work, the unit that is counted, and the total, or {@link #UNKNOWN}. */
    public static Progress of(String title, String unit, long total) {
        return of(title, unit, total, Terminal.isError(), System.err);
    }

    /**
     * Shows the progress of work that writes to the standard output. Shows nothing if the standard output is a terminal too, because the
     * lines would be mixed up.
     */
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
                // Otherwise the bar does not show the last steps until more steps come.
                .continuousUpdate().setConsumer(new Line(terminal, Terminal.columns() - 1)).build());
    }

    /** Sets the number of steps that are done. */
    public void at(long steps) {
        if (bar != null) {
            bar.stepTo(steps);
        }
    }

    /** Shows a text in place of the rate. */
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
     * The last line of the terminal, which is rewritten again and again. The library's own consumer would leave an empty line. When asked
     * for the width, it would also take over the terminal, and Ctrl-C would then end the process at once.
     */
    private record Line(PrintStream terminal, int width) implements ProgressBarConsumer {
        @Override
        public int getMaxRenderedLength() {
            return width;
        }

        @Override
        public void accept(String text) {
            print("\r" + text + " ".repeat(width - text.length()));
        }

        @Override
        public void clear() {
            print("\r" + " ".repeat(width) + "\r");
        }

        private void print(String text) {
            synchronized (TERMINAL) {
                if (isShown) {
                    terminal.print(text);
                    terminal.flush();
                }
            }
        }

        @Override
        public void close() {
            // The terminal stays open.
        }
    }
}
