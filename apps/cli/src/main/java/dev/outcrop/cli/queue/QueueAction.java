package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Directories;
import dev.outcrop.cli.common.Failure;
import dev.outcrop.cli.common.Json;
import dev.outcrop.cli.common.LibraryLog;
import dev.outcrop.cli.common.Progress;
import dev.outcrop.cli.common.Subcommand;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueCheck;
import dev.outcrop.queue.QueueException;
import dev.outcrop.queue.QueueLockedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** A command for the queue in a directory. Failures of the queue become one line for people. */
abstract class QueueAction extends Subcommand {
    @Parameters(index = "0", paramLabel = "DIR", description = "The queue's directory.")
    private Path directory = Path.of("");

    final Path directory() {
        return directory;
    }

    @Override
    public final Integer call() {
        // A warning that there is no room to make the next file in advance would alarm without need, because the command may not need that
        // file. Other loggers stay on: some events are shown nowhere else, for example that a damaged file was put aside.
        LibraryLog.silence(Queue.class.getPackageName() + ".Housekeeper");
        return super.call();
    }

    @Override
    protected final int onFailure(Throwable e) {
        throw switch (e) {
            case QueueException queue -> failure(queue);
            case UncheckedIOException io -> failure(io);
            case IOException io -> Failure.of("the queue " + directory, io);
            case RuntimeException mistake -> mistake; // a bug: the stack trace is wanted
            default -> new IllegalStateException(e);
        };
    }

    /** Returns a failure with the queue's message. Replaces the advice for programs in it by a command. */
    static Failure failure(RuntimeException e) {
        return new Failure(String.valueOf(e.getMessage()).replace("Tailer.open", "'./outcrop queue tail'")
                .replace("QueueFiles.verify", "'./outcrop queue verify'")
                .replaceFirst("AccessDeniedException: (.*)", "$1: permission denied"), e);
    }

    /** Warns that the figures are only a snapshot. */
    final void warnOfWriter(QueueLockedException writer) {
        warn((writer.pid().isPresent() ? "process " + writer.pid().getAsLong() : "another process") + " has "
                + directory
                + " open; this is what is on the disk while it writes");
    }

    /** Reads a whole queue and returns the result. */
    interface Check {
        QueueCheck run(Path queue, LongConsumer progress);
    }

    /**
     * Runs a check and shows its result; returns null if the check was interrupted. On Ctrl-C, prints a line that says what was not done.
     */
    final @Nullable QueueCheck check(String title, Check check, String undone, boolean json) throws IOException {
        QueueCheck found;
        AtomicBoolean isCutShort = new AtomicBoolean();
        // A check cannot be ended early.
        interruption().mayAbandon();
        try (Progress progress = Progress.of(title, "bytes", segmentBytes(directory))) {
            interruption().stopBy(() -> {
                isCutShort.set(true);
                int _ = interrupted(undone);
            });
            found = check.run(directory, progress::at);
            // From now on, Ctrl-C leaves nothing undone.
            interruption().stopBy(() -> {
            });
        }
        if (isCutShort.get()) {
            return null;
        }
        if (json) {
            out().println(Json.line(fields(found)));
        } else {
            out().print(found);
        }
        return found;
    }

    private static long segmentBytes(Path queue) throws IOException {
        if (!Files.isDirectory(queue)) {
            // The check reports the failure.
            return 0;
        }
        try (Stream<Path> files = Files.list(queue)) {
            return Directories.size(files.filter(file -> file.toString().endsWith(".segment")).toList());
        }
    }

    private static Map<String, Object> fields(QueueCheck check) {
        List<Map<String, Object>> segments = check.segments().stream()
                .map(segment -> Json.fields("file", String.valueOf(segment.file().getFileName()),
                        "firstOffset", segment.baseOffset(),
                        "nextOffset", segment.endOffset(),
                        "records", segment.records(),
                        "withdrawn", segment.withdrawn(),
                        "bytes", segment.bytes()))
                .toList();
        List<Map<String, Object>> groups = check.groups().stream()
                .map(group -> Json.fields("group", group.name(), "acknowledgedBefore", group.floor(),
                        "acknowledgedBehind", group.ahead()))
                .toList();
        List<Map<String, Object>> damages = check.damages().stream().map(damage -> {
            Map<String, Object> fields = Json.fields("file", damage.file().toString(), "position", damage.position());
            if (damage.offset() >= 0) {
                fields.put("offset", damage.offset());
            }
            fields.put("what", damage.what());
            return fields;
        }).toList();
        return Json.fields("path", check.directory().toString(), "sound", check.isSound(), "segments", segments,
                "groups", groups, "damages", damages, "notes", check.notes(), "repairs", check.repairs());
    }
}
