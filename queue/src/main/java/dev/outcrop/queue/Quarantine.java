package dev.outcrop.queue;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Where a repair puts what it takes out of a queue. Everything is on the disk when a method returns. */
final class Quarantine {
    private final Path queue;
    private final Path directory;

    Quarantine(Path queue) throws IOException {
        this.queue = queue;
        this.directory = Files.createDirectories(queue.resolve("quarantine"));
        QueueDirectory.fsyncDirectory(queue);
    }

    /**
     * Copies a part of a file.
     *
     * @return the copy, named after the file and the position
     */
    Path copy(Path file, long from, long to) throws IOException {
        Path copy = free(file.getFileName() + "-" + from, ".bytes");
        try (KeptInterrupt _ = new KeptInterrupt();
                FileChannel source = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel target = FileChannel.open(copy, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            long end = Math.min(to, source.size());
            for (long at = from; at < end;) {
                at += source.transferTo(at, end - at, target);
            }
            target.force(true);
        }
        QueueDirectory.fsyncDirectory(directory);
        return copy;
    }

    /**
     * Moves a whole file.
     *
     * @return where it is
     */
    Path move(Path file) throws IOException {
        Path place = free(String.valueOf(file.getFileName()), "");
        Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
        QueueDirectory.fsyncDirectory(directory);
        QueueDirectory.fsyncDirectory(queue);
        return place;
    }

    /** Moves a file back, to a name that is free. */
    void moveBack(Path place, Path file) throws IOException {
        Files.move(place, file, StandardCopyOption.ATOMIC_MOVE);
        QueueDirectory.fsyncDirectory(queue);
        QueueDirectory.fsyncDirectory(directory);
    }

    /** A name that is not taken by an earlier repair. */
    private Path free(String name, String suffix) {
        Path path = directory.resolve(name + suffix);
        for (int i = 2; Files.exists(path); i++) {
            path = directory.resolve(name + "-" + i + suffix);
        }
        return path;
    }
}
