package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.files.QueueDirectory;
import org.jspecify.annotations.Nullable;

/** The queue's {@link Committer}, which is made and started when it is needed for the first time. Thread-safe. */
public final class CommitterOnDemand {
    private final QueueDirectory directory;
    private final Log log;
    private final Syncer syncer;
    private final long intervalNanos;
    private final long bytes;
    private volatile @Nullable Committer made;

    public CommitterOnDemand(QueueDirectory directory, Log log, Syncer syncer, long intervalNanos, long bytes) {
        this.directory = directory;
        this.log = log;
        this.syncer = syncer;
        this.intervalNanos = intervalNanos;
        this.bytes = bytes;
    }

    public Committer get() {
        Committer there = made;
        if (there != null) {
            return there;
        }
        synchronized (this) {
            there = made;
            if (there == null) {
                log.requireOpen();
                there = new Committer(directory, log, syncer, intervalNanos, bytes);
                there.start();
                made = there;
            }
            return there;
        }
    }

    /** Whether this is called by something that depends on a future. */
    public boolean isThisThread() {
        Committer there = made;
        return there != null && there.isThisThread();
    }

    /** After the last append: see {@link Committer#stop}. Does nothing if there is none. */
    public void stop() {
        Committer there;
        synchronized (this) {
            // A thread that was making one when the queue was closed has done so by now.
            there = made;
        }
        if (there != null) {
            there.stop();
        }
    }
}
