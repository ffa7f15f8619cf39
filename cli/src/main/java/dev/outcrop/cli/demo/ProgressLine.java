package dev.outcrop.cli.demo;

import java.io.Console;
import java.io.PrintStream;
import java.util.Optional;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

/**
 * One line a phase on standard output: a bar that moves where a person watches, else a plain line at the end, so that
 * logs and pipes get no control characters.
 */
final class ProgressLine implements AutoCloseable {
    private final PrintStream out;
    private final String title;
    private final @Nullable ProgressBar bar;

    private ProgressLine(PrintStream out, String title, @Nullable ProgressBar bar) {
        this.out = out;
        this.title = title;
        this.bar = bar;
    }

    /** Begins a line of {@code total} steps. */
    static ProgressLine start(PrintStream out, String title, long total) {
        boolean watched = Optional.ofNullable(System.console()).map(Console::isTerminal).orElse(false);
        if (!watched) {
            return new ProgressLine(out, title, null);
        }
        ProgressBar bar = new ProgressBarBuilder().setTaskName(String.format("%-30s", title)).setInitialMax(total)
                .setStyle(ProgressBarStyle.ASCII).setUpdateIntervalMillis(100).clearDisplayOnFinish()
                .setConsumer(new ConsoleProgressBarConsumer(out)).build();
        return new ProgressLine(out, title, bar);
    }

    /** So many steps are done. */
    void at(long steps) {
        if (bar != null) {
            bar.stepTo(steps);
        }
    }

    /** All steps are done: the line ends with a summary. */
    void done(String summary) {
        close();
        out.println(String.format("%-30s", title) + summary);
    }

    /** Ends the bar, without a summary if the phase was not done. */
    @Override
    public void close() {
        if (bar != null) {
            bar.close();
        }
    }
}
