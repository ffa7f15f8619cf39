package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Terminal;
import java.io.PrintWriter;

/**
 * Those who watch the demo.
 *
 * @param out          what they read
 * @param interruption whether they have typed Ctrl-C
 */
record Audience(PrintWriter out, Interruption interruption) {
    /**
     * Ends work that nobody wants any more.
     *
     * @throws Failure if it was interrupted, or nobody reads the output
     */
    void check() {
        if (!wantsMore()) {
            throw new Failure("the demo was given up");
        }
    }

    boolean wantsMore() {
        return !interruption.isRequested() && !out.checkError();
    }

    /** Begins a part. */
    void part(int number, String title) {
        out.println();
        out.println(Terminal.styled("bold", number + ". " + title));
    }
}
