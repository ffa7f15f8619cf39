package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The directory for what a repair takes out of a queue. Everything is on the disk when a method returns. */
public final class Quarantine {
    private final Path queue;
    private final Path directory;

    public Quarantine(Path queue) throws IOException {
        this.queue = queue;
        this.directory = queue.resolve("quarantine");
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(directory)) {
            throw Failures.make().refused(directory + " is not a directory. What is damaged has to be put aside there:"
                    + " move it to another place, and try again");
        }
        Files.createDirectories(directory);
        QueueDirectory.fsyncDirectory(queue);
    }

    /**
     * Copies a part of a file, with zeros in place of what cannot be read.
     *
     * @return the copy, named after the file and the position
     * @throws IOException also if there is too little room for the copy; nothing was copied then
     */
    public Path copy(Path file, long from, long to) throws IOException {
        Path copy = free(file.getFileName() + "-" + from, ".bytes");
        Uninterrupted.run(() -> SparseCopy.run(file, from, to, copy));
        QueueDirectory.fsyncDirectory(directory);
        return copy;
    }

    /**
     * Moves a whole file.
     *
     * @return where it is
     */
    public Path move(Path file) throws IOException {
        Path place = free(String.valueOf(file.getFileName()), "");
        Files.move(file, place, StandardCopyOption.ATOMIC_MOVE);
        QueueDirectory.fsyncDirectory(directory);
        QueueDirectory.fsyncDirectory(queue);
        return place;
    }

    /** Returns a free name. */
    private Path free(String name, String suffix) {
        Path path = directory.resolve(name + suffix);
        for (int i = 2; Files.exists(path, LinkOption.NOFOLLOW_LINKS); i++) {
            path = directory.resolve(name + "-" + i + suffix);
        }
        return path;
    }
}
