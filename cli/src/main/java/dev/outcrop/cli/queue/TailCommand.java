package dev.outcrop.cli.queue;

import dev.outcrop.cli.Failure;
import dev.outcrop.queue.Tailer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue tail}. */
@Command(name = "tail", description = {
        "Show records as they are appended, until Ctrl-C or the limit; otherwise as 'dump'.",
        ""}, footer = {"", "  ./outcrop queue tail orders --from 2026-11-24T10:15:30Z"})
final class TailCommand extends QueueAction {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @Option(names = "--from", paramLabel = "PLACE", description = "An offset, a time, 'first', or"
            + " 'last': only what is appended from now on, the default.")
    private String from = "last";

    @Option(names = "--follow", description = "Go on with what is appended, as it does anyway.")
    @SuppressWarnings("UnusedVariable") // for those who are used to it
    private boolean follow;

    @Option(names = "--limit", paramLabel = "N", description = "End after so many records.")
    private long limit = Long.MAX_VALUE;

    @Option(names = "--json", description = "A JSON object a line.")
    private boolean json;

    @Override
    int act(Path queue, PrintWriter out) {
        Place place = place("--from", from);
        require(limit >= 1, "--limit", "1 or more", limit);
        try (Tailer tailer = Tailer.open(queue)) {
            place.seek(tailer);
            // Also ends when nobody reads any more what is shown.
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
