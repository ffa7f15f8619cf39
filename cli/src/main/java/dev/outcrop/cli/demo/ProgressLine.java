package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Terminal;
import java.io.PrintWriter;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * One line of progress: a moving bar on a terminal, otherwise a plain line at the end, so that logs and pipes get no control characters.
 */
final class ProgressLine implements AutoCloseable {
    private static final int TITLE_WIDTH = 30;

    private final PrintWriter out;
    private final String title;
    private final @Nullable ProgressBar bar;

    private ProgressLine(PrintWriter out, String title, @Nullable ProgressBar bar) {
        this.out = out;
        this.title = title;
        this.bar = bar;
    }

    /** Begins a line of so many records. */
    static ProgressLine start(PrintWriter out, String title, long total) {
        if (!Terminal.isOutput()) {
            return new ProgressLine(out, title, null);
        }
        out.flush();
        ProgressBar bar = new ProgressBarBuilder().setTaskName(padded(title)).setUnit(" records", 1)
                .setInitialMax(total).showSpeed().setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(100)
                .clearDisplayOnFinish().setConsumer(new ConsoleProgressBarConsumer(System.out)).build();
        return new ProgressLine(out, title, bar);
    }

    /** A line without a bar. */
    static void print(PrintWriter out, String title, String text) {
        out.println(padded(title) + text);
    }

    private static String padded(String title) {
        return String.format("%-" + TITLE_WIDTH + "s", title);
    }

    /** So many records are done. */
    void at(long records) {
        if (bar != null) {
            bar.stepTo(records);
        }
    }

    /** What is done: the line ends with a summary. */
    void done(String summary) {
        close();
        print(out, title, summary);
    }

    /** Ends the bar, without a summary if the work was not done. */
    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
