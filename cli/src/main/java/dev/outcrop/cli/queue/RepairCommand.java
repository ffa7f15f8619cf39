package dev.outcrop.cli.queue;

import dev.outcrop.cli.db.Interruption;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;

/** {@code ./outcrop queue repair}. */
@Command(name = "repair", description = {
        "Make a damaged queue whole again, without its damaged records, and list what was found and done.",
        "Nothing is deleted: what is taken out is in the directory 'quarantine' beside the segments.", ""}, footer = {
                "",
                "  ./outcrop queue repair orders"})
final class RepairCommand extends QueueAction {
    @Override
    int act(Path queue, PrintWriter out) {
        QueueCheck check;
        try (Interruption interruption = interruption(
                "not everything is repaired; nothing is lost, and the same command does the rest")) {
            check = QueueFiles.repair(queue);
            if (interruption.isRequested()) {
                return Interruption.EXIT_CODE;
            }
        }
        out.print(check);
        return 0;
    }
}
