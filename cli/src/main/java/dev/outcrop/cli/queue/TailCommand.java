package dev.outcrop.cli.queue;

import dev.outcrop.cli.Failure;
import dev.outcrop.queue.Tailer;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./outcrop queue tail}. */
@Command(name = "tail", description = {
        "Show records as they are appended, until this is interrupted; otherwise as 'dump'.",
        ""})
final class TailCommand extends QueueAction {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    @Option(names = "--from", paramLabel = "OFFSET", description = "Begin with the record of this offset. Default: the next one to be appended.")
    private @Nullable Long from;

    @Option(names = "--limit", paramLabel = "N", description = "End after so many records.")
    private long limit = Long.MAX_VALUE;

    @Override
    int act(Path queue, PrintWriter out) {
        long start = from == null ? Long.MAX_VALUE : from;
        require(start >= 0, "--from", "0 or more", start);
        require(limit >= 1, "--limit", "1 or more", limit);
        try (Tailer tailer = Tailer.open(queue)) {
            tailer.seek(start);
            // Also ends when nobody reads any more what is shown.
            for (long shown = 0; shown < limit && !out.checkError();) {
                if (tailer.poll(PATIENCE)) {
                    out.println(RecordLine.of(tailer));
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
