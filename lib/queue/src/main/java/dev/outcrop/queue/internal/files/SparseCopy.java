package dev.outcrop.queue.internal.files;

import dev.outcrop.memory.NativeCalls;
import dev.outcrop.memory.NativeFile;
import dev.outcrop.memory.Posix;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Copies a part of a file with holes in place of zeros, which is fast and takes no more space than the content. */
public final class SparseCopy implements AutoCloseable {
    private static final int CHUNK = 64 << 10;
    private static final ByteBuffer ZEROS = ByteBuffer.allocate(CHUNK).asReadOnlyBuffer();

    private final FileChannel source;
    /** The same file, to find its holes; null without native access, where all of it is read. */
    private final @Nullable NativeFile holes;
    private final ByteBuffer chunk = ByteBuffer.allocate(CHUNK);

    private SparseCopy(Path file) throws IOException {
        this.source = FileChannel.open(file, StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        try {
            this.holes = NativeCalls.isEnabled() ? Posix.open(file, StandardOpenOption.READ) : null;
        } catch (Throwable e) {
            source.close();
            throw e;
        }
    }

    private interface Sink {
        void take(ByteBuffer bytes, long at) throws IOException;
    }

    /**
     * Copies from a position up to another one, or to the end of the file. Unreadable parts are zero in the copy.
     *
     * @param target is made, or emptied; on the disk when this returns
     * @throws IOException also if there is too little space, before anything is copied
     */
    static void run(Path file, long from, long to, Path target) throws IOException {
        try (SparseCopy copy = new SparseCopy(file)) {
            long end = Math.max(from, Math.min(to, copy.source.size()));
            if (Files.getFileStore(directory(target)).getUsableSpace() < end - from) {
                long[] bytes = {0};
                copy.forEach(from, end, (found, _) -> bytes[0] += found.remaining());
                requireRoom(target, bytes[0]);
            }
            try (FileChannel channel = FileChannel.open(target, StandardOpenOption.CREATE,
                    StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
                copy.forEach(from, end, (found, at) -> write(channel, found, at - from));
                if (channel.size() < end - from) {
                    write(channel, ByteBuffer.allocate(1), end - from - 1);
                }
                channel.force(true);
            }
        }
    }

    /**
     * Requires space, so that the caller begins nothing that it cannot finish.
     *
     * @param path  of the file that will be written
     * @param bytes that it will take in addition
     * @throws IOException if there is less
     */
    public static void requireRoom(Path path, long bytes) throws IOException {
        long free = Files.getFileStore(directory(path)).getUsableSpace();
        if (free < bytes) {
            throw new IOException("To write " + path + ", " + bytes + " bytes are needed, and its disk has only " + free
                    + ". Make room there, and try again");
        }
    }

    private static Path directory(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    private static void write(FileChannel channel, ByteBuffer bytes, long at) throws IOException {
        long to = at - bytes.position();
        while (bytes.hasRemaining()) {
            channel.write(bytes, to + bytes.position());
        }
    }

    /** Passes on all chunks that are not zero. */
    private void forEach(long from, long end, Sink sink) throws IOException {
        long at = next(from);
        while (at >= 0 && at < end) {
            int size = (int) Math.min(CHUNK, end - at);
            if (isRead(at, size)) {
                show(at, sink);
            } else {
                long next;
                for (long page = at; page < at + size; page = next) {
                    // Page by page, because disks lose whole pages.
                    next = Math.min(at + size, (page / Pages.SIZE + 1) * Pages.SIZE);
                    if (isRead(page, (int) (next - page))) {
                        show(page, sink);
                    }
                }
            }
            at = next(at + size);
        }
    }

    private long next(long from) {
        return holes == null ? from : Posix.nextData(holes, from);
    }

    /** Reads a part; returns false if the disk cannot. */
    private boolean isRead(long at, int size) throws IOException {
        chunk.clear().limit(size);
        try {
            while (chunk.hasRemaining() && source.read(chunk, at + chunk.position()) >= 0) {
            }
            chunk.flip();
            return true;
        } catch (ClosedChannelException e) {
            // By an interrupt, which is no bad sector.
            throw e;
        } catch (IOException e) {
            return false;
        }
    }

    private void show(long at, Sink sink) throws IOException {
        if (!chunk.equals(ZEROS.duplicate().limit(chunk.remaining()))) {
            sink.take(chunk, at);
        }
    }

    @Override
    public void close() throws IOException {
        try (source; NativeFile _ = holes) {
            // Closes both, whatever happens to one of them.
        }
    }
}
