package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Terminal;
import java.io.PrintWriter;

/**
 * The people who watch the demo.
 *
 * @param out          the output that they read
 * @param interruption whether they have typed Ctrl-C
 */
record Audience(PrintWriter out, Interruption interruption) {
    /**
     * Ends the demo if it is no longer wanted.
     *
     * @throws Failure if it was interrupted, or the output has no reader
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
