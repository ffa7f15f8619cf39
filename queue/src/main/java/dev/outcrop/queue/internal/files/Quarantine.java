package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;

/** Where a repair puts what it takes out of a queue. Everything is on the disk when a method returns. */
public final class Quarantine {
    private final Path queue;
    private final Path directory;

    public Quarantine(Path queue) throws IOException {
        this.queue = queue;
        this.directory = queue.resolve("quarantine");
        if (Files.exists(directory, LinkOption.NOFOLLOW_LINKS) && !Files.isDirectory(directory)) {
            throw Failures.refused(directory + " is not a directory. What is damaged has to be put aside there:"
                    + " move it to another place, and try again");
        }
        Files.createDirectories(directory);
        QueueDirectory.fsyncDirectory(queue);
    }

    /**
     * Copies a part of a file, with zeros in place of what cannot be read.
     *
     * @return the copy, named after the file and the position
     */
    public Path copy(Path file, long from, long to) throws IOException {
        Path copy = free(file.getFileName() + "-" + from, ".bytes");
        Uninterrupted.run(() -> copy(file, from, to, copy));
        QueueDirectory.fsyncDirectory(directory);
        return copy;
    }

    private static void copy(Path file, long from, long to, Path copy) throws IOException {
        try (FileChannel source = FileChannel.open(file, StandardOpenOption.READ);
                FileChannel target = FileChannel.open(copy, StandardOpenOption.CREATE,
                        StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE)) {
            long end = Math.min(to, source.size());
            for (long at = from; at < end;) {
                at += copySome(source, at, end, target);
            }
            target.force(true);
        }
    }

    private static long copySome(FileChannel source, long at, long end, FileChannel target) throws IOException {
        try {
            return source.transferTo(at, end - at, target);
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            // The target may be what has failed; then so does this.
            return copyPage(source, at, (int) Math.min(end - at, Pages.SIZE - at % Pages.SIZE), target);
        }
    }

    private static int copyPage(FileChannel source, long at, int size, FileChannel target) throws IOException {
        ByteBuffer page = ByteBuffer.allocate(size);
        try {
            int read = source.read(page, at);
            page.position(0).limit(Math.max(1, read));
        } catch (ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            page.clear();
        }
        int copied = page.remaining();
        while (page.hasRemaining()) {
            target.write(page);
        }
        return copied;
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

    /** A name that is not taken by an earlier repair. */
    private Path free(String name, String suffix) {
        Path path = directory.resolve(name + suffix);
        for (int i = 2; Files.exists(path); i++) {
            path = directory.resolve(name + "-" + i + suffix);
        }
        return path;
    }
}
