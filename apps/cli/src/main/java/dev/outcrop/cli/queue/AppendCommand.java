package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Interruption;
import dev.outcrop.cli.common.Plural;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueException;
import dev.outcrop.queue.QueueOptions;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;

/** {@code ./outcrop queue append}. */
@Command(name = "append", description = {
        "Append each line of the standard input as a record.",
        "Without its end (LF or CRLF); all are on the disk when this ends. The queue is made if there is none, in a"
                + " directory that is new or empty.",
        ""}, footer = {"",
                "  ./outcrop queue append orders < lines.txt"})
final class AppendCommand extends QueueAction {
    private long count;
    private boolean hasEnded;

    @Override
    protected int act(PrintWriter out) throws IOException {
        NewQueue.requireNothingElse(directory());
        InputStream in = new BufferedInputStream(System.in);
        // Only the queue's own program knows how long records must be kept, so this command deletes none.
        try (Queue queue = Queue.open(directory(), new QueueOptions().keepBytes(Long.MAX_VALUE))) {
            try (Progress progress = Progress.of("append", "records", Progress.UNKNOWN)) {
                // Reading may wait without end for the next line. The lines before it are appended.
                interruption().stopBy(() -> interrupt(queue));
                for (byte[] line = line(in); line != null && append(queue, line); line = line(in)) {
                    progress.at(count);
                }
            }
            if (!end(queue)) {
                return Interruption.EXIT_CODE;
            }
            out.println(Plural.of(count, "record", "records") + " appended; the next one is "
                    + queue.nextOffset());
        } catch (IllegalArgumentException e) {
            // The rest of the message is advice for programmers.
            throw new IOException("line " + (count + 1) + " is too long; those before it were appended: "
                    + String.valueOf(e.getMessage()).split(";", 2)[0], e);
        } catch (QueueException e) {
            Failure failure = failure(e);
            String message = String.valueOf(failure.getMessage())
                    .replace("Nothing was appended; the records in the queue can be read. ", "");
            throw count == 0 ? failure : new Failure(message + "; " + lines() + " appended before that");
        }
        return 0;
    }

    private String lines() {
        return Plural.of(count, "record is", "records are");
    }

    /** Appends a line and returns true, or returns false if the command has ended. */
    private synchronized boolean append(Queue queue, byte[] line) {
        if (!hasEnded) {
            long _ = queue.append(line);
            count++;
        }
        return !hasEnded;
    }

    /** Ends the command, with all records on the disk. Returns false if it had already ended. */
    private synchronized boolean end(Queue queue) {
        if (hasEnded) {
            return false;
        }
        hasEnded = true;
        queue.sync();
        return true;
    }

    /** Runs in the thread of the interruption. */
    private void interrupt(Queue queue) {
        try {
            if (end(queue)) {
                queue.close();
                int _ = interrupted(lines() + " appended, and the rest of the input is not");
            }
        } finally {
            interruption().mayAbandon();
        }
    }

    /** Reads up to the next line feed, which the last line may lack. Returns null at the end. A line may have any bytes. */
    private static byte @Nullable [] line(InputStream in) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        int next = in.read();
        if (next < 0) {
            return null;
        }
        for (; next >= 0 && next != '\n'; next = in.read()) {
            line.write(next);
        }
        byte[] bytes = line.toByteArray();
        // The end of a line may be CRLF, as in pipe.
        return next == '\n' && bytes.length > 0 && bytes[bytes.length - 1] == '\r'
                ? Arrays.copyOf(bytes, bytes.length - 1)
                : bytes;
    }
}
