package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Progress;
import java.io.PrintWriter;

/** One line for a piece of work: its progress on a terminal, and a plain line at its end. */
record ProgressLine(PrintWriter out, String title, Progress progress) implements AutoCloseable {
    private static final int TITLE_WIDTH = 30;

    /** Begins a line for work on {@code total} records. */
    static ProgressLine start(PrintWriter out, String title, long total) {
        out.flush();
        return new ProgressLine(out, title, Progress.onOutput(title, "records", total));
    }

    /** Prints a line without progress. */
    static void print(PrintWriter out, String title, String text) {
        out.println(String.format("%-" + TITLE_WIDTH + "s", title) + text);
    }

    void at(long records) {
        progress.at(records);
    }

    /** Ends the line with a summary. */
    void done(String summary) {
        close();
        print(out, title, summary);
    }

    @Override
    public void close() {
        progress.close();
    }
}
