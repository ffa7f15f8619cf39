package dev.outcrop.queue;

import org.jspecify.annotations.Nullable;

/** The queue's {@link Committer}, which is made and started when it is needed for the first time. Thread-safe. */
final class CommitterOnDemand {
    private final QueueDirectory directory;
    private final Log log;
    private final Syncer syncer;
    private final Durability durability;
    private volatile @Nullable Committer made;

    CommitterOnDemand(QueueDirectory directory, Log log, Syncer syncer, Durability durability) {
        this.directory = directory;
        this.log = log;
        this.syncer = syncer;
        this.durability = durability;
    }

    Committer get() {
        Committer there = made;
        if (there != null) {
            return there;
        }
        StackNeed.WAIT.require();
        synchronized (this) {
            there = made;
            if (there == null) {
                log.requireOpen();
                there = new Committer(directory, log, syncer, durability);
                there.start();
                made = there;
            }
            return there;
        }
    }

    /** Whether this is called by something that depends on a future. */
    boolean isThisThread() {
        Committer there = made;
        return there != null && there.isThisThread();
    }

    /** After the last append: see {@link Committer#stop}. Does nothing if there is none. */
    void stop() {
        Committer there;
        synchronized (this) {
            // Whoever was making one when the queue was closed has done so by now.
            there = made;
        }
        if (there != null) {
            there.stop();
        }
    }
}
