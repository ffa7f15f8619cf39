package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.append.Log;
import java.time.Instant;

/** Moves a group: to an offset, to an end of the queue, or to a time. Thread-safe. */
public final class GroupSeek {
    private final Group group;
    private final Log log;
    private final GroupReader reader;

    GroupSeek(Group group, Log log, GroupReader reader) {
        this.group = group;
        this.log = log;
        this.reader = reader;
    }

    /** Moves the group to an offset, whatever its consumers held or had acknowledged. */
    public long seek(long offset) {
        log.requireNoWriter("move a group of");
        if (offset < 0) {
            throw new IllegalArgumentException("An offset cannot be " + offset);
        }
        long next = log.nextOffset();
        if (offset > next) {
            throw new IllegalArgumentException("Consumer group " + group.name() + " cannot go on with record " + offset
                    + ": the next record to be appended is " + next);
        }
        // Before a lock is taken: a thread that is copying a record may need that lock.
        reader.awaitRecordsBefore(offset);
        return group.move(() -> offset, true);
    }

    /** Moves the group to the first record that is kept; see {@link #seek(long)}. */
    public long seekToBeginning() {
        return group.move(() -> 0, false);
    }

    /** Moves the group behind the last record; see {@link #seek(long)}. */
    public long seekToEnd() {
        return group.move(log::nextOffset, false);
    }

    /**
     * Moves the group to the first record that was appended at or after a time, or behind the last record if there is none; see
     * {@link #seek(long)}.
     */
    public long seek(Instant time) {
        long millis = Clock.millisNotBefore(time);
        return group.move(() -> reader.firstNotBefore(millis), false);
    }
}
