package dev.outcrop.cli.queue;

import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** {@code ./outcrop queue verify}. */
@Command(name = "verify", description = {
        "Read all of a queue that nobody has open for writing, and list its segments, groups and damages.",
        "Ends with 1 if there is damage. Changes nothing.", ""}, footer = {"",
                "  ./outcrop queue verify orders"})
final class VerifyCommand extends QueueAction {
    @Override
    int act(Path queue, PrintWriter out) {
        QueueCheck check = QueueFiles.verify(queue);
        out.print(check);
        return check.isSound() ? 0 : 1;
    }
}
