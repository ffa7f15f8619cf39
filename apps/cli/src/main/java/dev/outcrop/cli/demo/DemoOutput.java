package dev.outcrop.cli.demo;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Terminal;
import java.io.PrintWriter;

/** The demo's output, and Ctrl-C. */
record DemoOutput(PrintWriter writer, Interruption interruption) {
    /**
     * Ends the demo if it should not go on.
     *
     * @throws Failure if it was interrupted, or the output has no reader
     */
    void check() {
        if (!wantsMore()) {
            throw new Failure("the demo was given up");
        }
    }

    boolean wantsMore() {
        return !interruption.isRequested() && !writer.checkError();
    }

    /** Begins a part. */
    void part(int number, String title) {
        writer.println();
        writer.println(Terminal.styled("bold", number + ". " + title));
    }
}
