package dev.outcrop.cli.db;

import java.io.PrintWriter;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/** How far long work is: count, rate and time left, on the standard error if that is a terminal, otherwise nothing. */
public final class Progress implements AutoCloseable {
    /** That nobody knows how much there is to do. */
    public static final long UNKNOWN = -1;
    private static final int INTERVAL = 200;
    /** Whether there is one on the last line of the terminal. */
    private static volatile boolean isShown;
    private final @Nullable ProgressBar bar;

    private Progress(@Nullable ProgressBar bar) {
        this.bar = bar;
    }

    private static Progress show(ProgressBar bar) {
        isShown = true;
        return new Progress(bar);
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
     * @param title what is done
     * @param unit  what is counted
     * @param total how much there is to do, or {@link #UNKNOWN}
     * @return to be told how far it is, and closed
     */
    public static Progress of(String title, String unit, long total) {
        return Terminal.isError() ? show(bar(title, unit, total).showSpeed().build()) : new Progress(null);
    }

    /**
     * As {@link #of}, but with room for a {@link #note} in place of the rate.
     *
     * @param title what is done
     * @param unit  what is counted
     * @param total how much there is to do, or {@link #UNKNOWN}
     * @return to be told how far it is, and closed
     */
    public static Progress withNote(String title, String unit, long total) {
        return Terminal.isError() ? show(bar(title, unit, total).build()) : new Progress(null);
    }

    /** Of work that writes to the standard output, which must not be a terminal too: the lines would be mixed up. */
    static Progress besideOutput(String title, String unit, long total) {
        return Terminal.isOutput() ? new Progress(null) : of(title, unit, total);
    }

    private static ProgressBarBuilder bar(String title, String unit, long total) {
        return new ProgressBarBuilder().setTaskName(title).setUnit(" " + unit, 1).setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(INTERVAL).clearDisplayOnFinish()
                // Otherwise what came while a line was written is not shown until more comes.
                .continuousUpdate()
                // Asked for the width, it would take hold of the terminal, and have Ctrl-C end the process at once.
                .setConsumer(new ConsoleProgressBarConsumer(System.err, Terminal.columns() - 1));
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
     * Says something beside it.
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
        if (bar != null) {
            bar.close();
            isShown = false;
        }
    }
}
