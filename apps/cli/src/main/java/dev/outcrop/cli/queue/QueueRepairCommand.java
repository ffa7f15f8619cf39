package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Interruption;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import java.io.IOException;
import java.io.PrintWriter;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue repair}. */
@Command(name = "repair", description = {
        "Make a damaged queue whole again, without its damaged records, and list the damage and the repairs.",
        "Nothing is deleted: damaged bytes are moved to the directory 'quarantine' beside the segments.",
        ""}, footer = {
                "",
                "  ./outcrop queue repair orders"})
final class QueueRepairCommand extends QueueAction {
    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) throws IOException {
        QueueCheck check = check("repair", QueueFiles::repair,
                "not everything is repaired; nothing is lost, and the same command does the rest", json);
        return check == null ? Interruption.EXIT_CODE : 0;
    }
}
