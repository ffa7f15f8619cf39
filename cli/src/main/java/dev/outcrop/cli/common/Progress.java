package dev.outcrop.cli.common;

import java.io.PrintWriter;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarConsumer;
import org.jspecify.annotations.Nullable;

/** How far long work is: count, rate and time left, on the standard error if that is a terminal, otherwise nothing. */
public final class Progress implements AutoCloseable {
    /** The total of work of unknown size. */
    public static final long UNKNOWN = -1;
    private static final int INTERVAL = 200;
    /** Whether there is one on the last line of the terminal. */
    private static volatile boolean isShown;
    private final @Nullable ProgressBar bar;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    /**
     * Begins a line for a message, where progress is shown.
     *
     * @param err where the message goes
     */
    public static void leave(PrintWriter err) {
        if (isShown) {
            err.println();
        }
    }

    /**
     * Begins to show it.
     *
     * @param title the work
     * @param unit  the things that are counted
     * @param total how much there is to do, or {@link #UNKNOWN}
     * @return to be told how far it is, and closed
     */
    public static Progress of(String title, String unit, long total) {
        return of(title, unit, total, Terminal.isError());
    }

    /**
     * Shows the progress of work that writes to the standard output, which must not be a terminal too: the lines would be mixed up.
     *
     * @param title the work
     * @param unit  the things that are counted
     * @param total how much there is to do, or {@link #UNKNOWN}
     * @return to be told how far it is, and closed
     */
    public static Progress besideOutput(String title, String unit, long total) {
        return of(title, unit, total, Terminal.isError() && !Terminal.isOutput());
    }

    private static Progress of(String title, String unit, long total, boolean isShown) {
        if (!isShown) {
            return new Progress(null);
        }
        Progress.isShown = true;
        return new Progress(new ProgressBarBuilder().setInitialMax(total).setRenderer(new ProgressText(title, unit))
                .setUpdateIntervalMillis(INTERVAL).clearDisplayOnFinish()
                // Otherwise what came while a line was written is not shown until more comes.
                .continuousUpdate().setConsumer(new Line(Terminal.columns() - 1)).build());
    }

    /**
     * So much is done.
     *
     * @param steps of all
     */
    public void at(long steps) {
        if (bar != null) {
            bar.stepTo(steps);
        }
    }

    /**
     * Says something in place of the rate.
     *
     * @param text some words
     */
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
    private record Line(int width) implements ProgressBarConsumer {
        @Override
        public int getMaxRenderedLength() {
            return width;
        }

        @Override
        public void accept(String text) {
            System.err.print("\r" + text + " ".repeat(width - text.length()));
            System.err.flush();
        }

        @Override
        public void clear() {
            accept("");
            System.err.print("\r");
            System.err.flush();
        }

        @Override
        public void close() {
            // The standard error stays open.
        }
    }
}
