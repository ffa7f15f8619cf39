package dev.outcrop.cli.queue;

import dev.outcrop.queue.Tailer;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue dump}. */
@Command(name = "dump", description = {
        "Show records, one a line: offset, time and payload, as text or in hexadecimal digits.",
        "Others may have the queue open meanwhile; no group is moved.", ""}, footer = {"",
                "  ./outcrop queue dump orders --from 2026-11-24T10:15:30Z --limit 10"})
final class DumpCommand extends QueueAction {
    @Option(names = "--from", paramLabel = "PLACE", description = "An offset, a time, or 'first', the default.")
    private String from = "first";

    @Option(names = "--limit", paramLabel = "N", description = "At most so many records.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    @Override
    int act(Path queue, PrintWriter out) {
        Place place = place("--from", from);
        require(limit >= 1, "--limit", "1 or more", limit);
        try (Tailer tailer = Tailer.open(queue)) {
            place.seek(tailer);
            for (long i = 0; i < limit && tailer.poll() && !out.checkError(); i++) {
                out.println(RecordLine.of(tailer, json));
            }
        }
        return 0;
    }
}
