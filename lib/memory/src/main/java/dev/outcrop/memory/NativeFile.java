package dev.outcrop.memory;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An open file with its descriptor, which the JDK's classes hide, for the calls of {@link Posix}. The caller of
 * {@link Posix#open(Path, java.nio.file.StandardOpenOption...)} closes the file; otherwise the {@link LeakDetector} reports it.
 *
 * <p>Thread-safe. Closing waits for the calls that have started, so no call can reach another file that gets the same descriptor.
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
     * Returns the file.
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
     * @throws ErrnoException if the system reports an error, such as EIO or EDQUOT from a network file system that writes late; the
     *                        descriptor is closed nevertheless
     */
    @Override
    public void close() throws IOException {
        lifetime.close();
        int errno = closeErrno.getAndSet(0);
        if (errno != 0) {
            throw new ErrnoException("close", path, errno);
        }
    }

    /** Returns the path. */
    @Override
    public String toString() {
        return path.toString();
    }

    private void closeDescriptor() {
        try (Scratch scratch = Scratch.openForOutcrop()) {
            MemorySegment state = Libc.errnoMemory(scratch);
            // Never repeated, even after EINTR: Linux has freed the descriptor, and another thread may have it now.
            if (Libc.close(state, fd) != 0) {
                closeErrno.set(Libc.errno(state));
            }
        }
    }
}
