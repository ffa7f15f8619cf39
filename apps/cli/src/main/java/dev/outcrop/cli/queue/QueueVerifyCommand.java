package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Interruption;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue verify}. */
@Command(name = "verify", description = {
        "Read a whole queue that no process has open for writing, and list its segments, groups and damage.",
        "Ends with 1 if there is damage. Changes nothing.", ""}, footer = {"",
                "  ./outcrop queue verify orders"})
final class QueueVerifyCommand extends QueueAction {
    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        QueueCheck check = check("verify", QueueFiles::verify, "not everything was checked, and nothing has changed",
                json);
        return check == null ? Interruption.EXIT_CODE : check.isSound() ? 0 : 1;
    }
}
