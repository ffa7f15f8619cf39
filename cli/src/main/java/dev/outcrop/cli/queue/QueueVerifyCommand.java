package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue verify}. */
@Command(name = "verify", description = {
        "Read all of a queue that nobody has open for writing, and list its segments, groups and damages.",
        "Ends with 1 if there is damage. Changes nothing.", ""}, footer = {"",
                "  ./outcrop queue verify orders"})
final class QueueVerifyCommand extends QueueAction {
    @Option(names = "--json", description = "As a JSON object.")
    private boolean json;

    @Override
    int act(Path queue, PrintWriter out) throws IOException {
        QueueCheck check;
        try (Interruption interruption = interruption("not everything was looked at, and nothing is changed");
                Progress progress = Progress.of("verify", "bytes", segmentBytes(queue))) {
            check = QueueFiles.verify(queue, progress::at);
            if (interruption.isRequested()) {
                return Interruption.EXIT_CODE;
            }
        }
        if (json) {
            out.println(Json.line(CheckFields.of(check)));
        } else {
            out.print(check);
        }
        return check.isSound() ? 0 : 1;
    }
}
