package dev.outcrop.cli.queue;

import dev.outcrop.queue.Tailer;
import java.io.PrintWriter;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue dump}. */
@Command(name = "dump", description = {
        "Show records, one a line: offset, time and payload, as text or in hexadecimal digits.",
        "Another process may have the queue open; no group is moved.", ""}, footer = {"",
                "  ./outcrop queue dump orders --from 2026-11-24T10:15:30Z --limit 10",
                "  ./outcrop queue dump orders -n 10"})
final class DumpCommand extends QueueAction {
    @Option(names = "--from", paramLabel = "PLACE", description = "An offset, a time, 'last' for the last record, or"
            + " 'first', the default.")
    private @Nullable String from;

    @Option(names = {"-n", "--last"}, paramLabel = "N", description = "Only the last N records.")
    private @Nullable Long last;

    @Option(names = "--limit", paramLabel = "N", description = "At most N records.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) {
        Consumer<Tailer> start = SeekTarget.start(spec(), from, last, Tailer::seekToBeginning);
        require(limit >= 1, "--limit must be 1 or more, not " + limit);
        try (Tailer tailer = Tailer.open(directory())) {
            start.accept(tailer);
            for (long i = 0; i < limit && tailer.poll() && !out.checkError(); i++) {
                out.println(RecordLine.of(tailer, json));
            }
        }
        return 0;
    }
}
