package dev.outcrop.cli.queue;

import dev.outcrop.queue.Tailer;
import java.io.PrintWriter;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue dump}. */
@Command(name = "dump", description = {
        "Show records, one a line: offset, time and payload, as text or in hexadecimal digits.",
        "Others may have the queue open meanwhile; no group is moved.", ""})
final class DumpCommand extends QueueAction {
    @Option(names = "--from", paramLabel = "OFFSET", description = "Begin with the record of this offset. Default: the first one.")
    private long from;

    @Option(names = "--limit", paramLabel = "N", description = "At most so many records.")
    private long limit = Long.MAX_VALUE;

    @Override
    int act(Path queue, PrintWriter out) {
        require(from >= 0, "--from", "0 or more", from);
        require(limit >= 1, "--limit", "1 or more", limit);
        try (Tailer tailer = Tailer.open(queue)) {
            tailer.seek(from);
            for (long i = 0; i < limit && tailer.poll() && !out.checkError(); i++) {
                out.println(RecordLine.of(tailer));
            }
        }
        return 0;
    }
}
