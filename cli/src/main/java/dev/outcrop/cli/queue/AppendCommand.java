package dev.outcrop.cli.queue;

import dev.outcrop.cli.Failure;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueOptions;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code ./outcrop queue append}. */
@Command(name = "append", description = {
        "Append each line of the standard input as a record, without its end, and wait until all are on the disk.",
        "The queue is made if there is none, in a directory that is new or empty.", ""})
final class AppendCommand extends QueueAction {
    @Override
    int act(Path directory, PrintWriter out) throws IOException {
        requireNothingElse(directory);
        InputStream in = new BufferedInputStream(System.in);
        long count = 0;
        // How long records are kept is known to the queue's own program only: nothing is given back here.
        try (Queue queue = Queue.open(directory, new QueueOptions().keepBytes(Long.MAX_VALUE))) {
            for (byte[] line = line(in); line != null; line = line(in)) {
                long _ = queue.append(line);
                count++;
            }
            queue.sync();
            out.println(count + " records appended; the next one is " + queue.nextOffset());
        } catch (IllegalArgumentException e) {
            throw new IOException(
                    "line " + (count + 1) + " is too long; those before it were appended: " + e.getMessage(),
                    e);
        }
        return 0;
    }

    /** A mistyped path must not become a queue among files of something else. */
    private static void requireNothingElse(Path directory) throws IOException {
        if (!Files.isDirectory(directory) || Files.exists(directory.resolve("queue"))) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            Optional<Path> other = files.findAny();
            if (other.isPresent()) {
                throw new Failure("there is no queue in " + directory + ", and none is made there, because it holds "
                        + other.get().getFileName() + "; name a new or an empty directory");
            }
        }
    }

    /** Up to the next line feed, which need not stand behind the last line; null if there is none any more. Any bytes are fine. */
    private static byte @Nullable [] line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        return line.toByteArray();
    }
}
