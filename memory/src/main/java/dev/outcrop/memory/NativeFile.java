package dev.outcrop.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open file with the descriptor that the JDK's own classes hide, for the calls of {@link Posix}. Made by {@link
 * Posix#open(Path, java.nio.file.StandardOpenOption...)} and to be closed by the caller that opened it; if that is forgotten,
 * the {@link LeakDetector} reports it.
 *
 * <p>Thread-safe. Closing waits for the calls that have started, so that none of them can reach another file that the
 * system has given the same descriptor.
 */
public final class NativeFile implements AutoCloseable {
    private final int fd;
    private final Path path;
    private final Lifetime lifetime;
    private final AtomicInteger closeErrno = new AtomicInteger();

    NativeFile(int fd, Path path) {
        this.fd = fd;
        this.path = path;
        this.lifetime = new Lifetime(this, "file " + path, this::closeDescriptor);
    }

    /**
     * Which file it is.
     *
     * @return the path it was opened with
     */
    public Path path() {
        return path;
    }

    /** Starts a use of the descriptor, which stays open until the scratch is closed. */
    Scratch enter() {
        return lifetime.enter();
    }

    int fd() {
        return fd;
    }

    /**
     * Closes the descriptor. Does nothing if it was closed before.
     *
     * @throws ErrnoException if the system reports an error, such as EIO or EDQUOT of a network file system that writes
     *                        late; the descriptor is closed nevertheless
     */
    @Override
    public void close() throws IOException {
        lifetime.close();
        int errno = closeErrno.getAndSet(0);
        if (errno != 0) {
            throw new ErrnoException("close", path, errno);
        }
    }

    /** The path. */
    @Override
    public String toString() {
        return path.toString();
    }

    private void closeDescriptor() {
        try (Scratch scratch = Scratch.openForOutcrop()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            // Never repeated, not even after EINTR: Linux has freed the descriptor, and another thread may have got it.
            if (Libc.close(state, fd) != 0) {
                closeErrno.set(Libc.errno(state));
            }
        }
    }
}
