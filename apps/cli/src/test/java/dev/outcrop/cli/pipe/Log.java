package dev.outcrop.cli.pipe;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The log of a database, which shows from outside when a process has begun to write. */
final class Log {
    private Log() {
    }

    /** The file that was begun last; they are numbered. */
    static String latest(Path data) throws IOException {
        try (Stream<Path> files = Files.list(data)) {
            return files.map(file -> file.getFileName().toString()).filter(name -> name.endsWith(".log"))
                    .max(String::compareTo).orElse("");
        }
    }

    /** More than a process writes before its first records. */
    private static final long SOME = 10_000;

    /** Waits until a process has written records, or has ended. The log was begun before the process was. */
    static void awaitWrites(Process process, Path data, String before) throws IOException, InterruptedException {
        while (process.isAlive()) {
            String latest = latest(data);
            // It has no length when it is gone meanwhile.
            if (!latest.equals(before) && data.resolve(latest).toFile().length() > SOME) {
                return;
            }
            Thread.sleep(1);
        }
    }
}
