package dev.outcrop.memory;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A call of the operating system failed. The message names the call, the file, the error and, for the common ones, what
 * to do: {@code fallocate failed on /data/queue/7: ENOSPC (No space left on device). Free space ...}
 */
public final class ErrnoException extends IOException {
    private static final long serialVersionUID = 1;

    private final int errno;
    private final String name;

    ErrnoException(String call, Path path, int errno) {
        this(call, path, errno, Errno.name(errno));
    }

    private ErrnoException(String call, Path path, int errno, String name) {
        this((call + " failed on " + path + ": " + name + " (" + Errno.text(errno) + "). " + Errno.advice(call, name))
                .strip(), errno, name);
    }

    private ErrnoException(String message, int errno, String name) {
        super(message);
        this.errno = errno;
        this.name = name;
    }

    /** Makes an exception in advance, for a call that fails when no memory or stack is left for another one. */
    static ErrnoException withoutDetails() {
        ErrnoException made = new ErrnoException(
                "A call of the operating system failed, and there was no memory or stack left to say which one and why",
                0, "unknown");
        // The current stack would mislead.
        made.setStackTrace(new StackTraceElement[0]);
        return made;
    }

    /**
     * Returns the error number.
     *
     * @return a value of {@code errno}, whose meaning depends on the operating system; 0 if there was no memory or stack left to
     *         keep it
     */
    public int errno() {
        return errno;
    }

    /**
     * Returns the name of the error number in C, which means the same on every operating system.
     *
     * @return for example {@code ENOSPC}; {@code errno 4711} for a number without a name; {@code unknown} if {@link #errno()} is 0
     */
    public String name() {
        return name;
    }
}
