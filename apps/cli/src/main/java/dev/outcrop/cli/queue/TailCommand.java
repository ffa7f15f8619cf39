package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.queue.Tailer;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue tail}. */
@Command(name = "tail", description = {
        "Show the last records, and then new ones as they are appended, until Ctrl-C or the limit;",
        "otherwise as 'dump'.",
        ""}, footer = {"", "  ./outcrop queue tail orders --from 2026-11-24T10:15:30Z",
                "  ./outcrop queue tail orders -n 0"})
final class TailCommand extends QueueAction {
    private static final Duration PATIENCE = Duration.ofSeconds(1);
    /** The same default as in the Unix command. */
    private static final long LAST = 10;

    @Option(names = "--from", paramLabel = "PLACE", description = "Begin with an offset, a time, 'first', or 'last', the"
            + " last record.")
    private @Nullable String from;

    @Option(names = {"-n",
            "--last"}, paramLabel = "N", description = "Begin with the last N records; 10 by default. 0 shows"
                    + " only new records.")
    private @Nullable Long last;

    @Option(names = "--follow", description = "Go on with new records, which is the default.")
    @SuppressWarnings("UnusedVariable") // this is the default; users give it by habit
    private boolean follow;

    @Option(names = "--limit", paramLabel = "N", description = "End after N records.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    @Override
    protected int act(PrintWriter out) {
        Consumer<Tailer> start = SeekTarget.start(spec(), from, last, tailer -> SeekTarget.seekToLast(tailer, LAST));
        require(limit >= 1, "--limit must be 1 or more, not " + limit);
        try (Tailer tailer = Tailer.open(directory())) {
            start.accept(tailer);
            // The loop also ends when the reader of the output has seen enough.
            for (long shown = 0; shown < limit && !out.checkError();) {
                if (tailer.poll(PATIENCE)) {
                    out.println(RecordLine.of(tailer, json));
                    shown++;
                }
            }
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Failure("interrupted");
        }
    }
}
