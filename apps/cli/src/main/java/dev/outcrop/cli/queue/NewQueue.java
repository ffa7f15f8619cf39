package dev.outcrop.cli.queue;

import dev.outcrop.cli.common.Failure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Checks whether a queue may be created in a directory. */
public final class NewQueue {
    /** Files of a process that was killed while it created a queue. */
    private static final Set<String> BEGUN = Set.of("lock", "queue.new");

    private NewQueue() {
    }

    /** Refuses a directory that holds files that are not a queue's: a mistyped path must not become a queue among other files. */
    public static void requireNothingElse(Path directory) throws IOException {
        if (!Files.isDirectory(directory) || Files.exists(directory.resolve("queue"))) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            Optional<Path> other = files.filter(file -> !BEGUN.contains(file.getFileName().toString())).findAny();
            if (other.isPresent()) {
                throw new Failure("there is no queue in " + directory + ", and none is made there, because it holds "
                        + other.get().getFileName() + "; name a new or an empty directory");
            }
        }
    }
}
