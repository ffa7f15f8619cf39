package dev.outcrop.queue;

import java.util.OptionalLong;

/** Another process, or another object of this one, has the queue open for writing. */
public final class QueueLockedException extends QueueException {
    private static final long serialVersionUID = 1L;

    private final long pid;

    QueueLockedException(String message, long pid) {
        super(message);
        this.pid = pid;
    }

    /**
     * Returns the process that has the queue open.
     *
     * @return its id; empty if the id is not known, for example because the process runs in another container
     */
    public OptionalLong pid() {
        return pid < 0 ? OptionalLong.empty() : OptionalLong.of(pid);
    }
}
