package dev.outcrop.pipeline;

import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.RecordView;
import dev.outcrop.queue.Tailer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record that a pipeline begins with. That is the record after the last one with an effect in the database, if the database has
 * seen the records of this queue. Otherwise it refuses, because some effect would be missing or be there twice.
 */
final class ResumePoint {
    private final Queue queue;
    private final String group;
    private final long startAt;
    private final boolean mayReplay;
    private final @Nullable Position stored;
    private final String name;

    ResumePoint(PipelineBuilder options, String name, @Nullable Position stored) {
        this.queue = options.queue;
        this.group = options.group;
        this.startAt = options.startAt;
        this.mayReplay = options.mayReplay;
        this.name = name;
        this.stored = stored;
    }

    /** The position to begin with, which may differ from the stored one. Changes nothing. */
    Position position() {
        if (startAt >= 0) {
            return told(startAt);
        }
        Position there = stored;
        return there == null ? first() : behind(there);
    }

    private Position told(long offset) {
        if (offset > queue.nextOffset()) {
            throw refusal("it cannot start at record " + offset + ": the next one to be appended to the queue is "
                    + queue.nextOffset());
        }
        requireKept(offset, "it cannot start at record " + offset);
        Position there = stored;
        if (there != null && offset < there.next() && !mayReplay) {
            throw refusal("it cannot start at record " + offset + ", because the effects of all records before "
                    + there.next()
                    + " are in the database already. Leave startAt out to go on there; or add allowReplay() if it does no harm to map"
                    + " these records again");
        }
        return there != null && there.next() == offset ? there : Position.startingAt(offset);
    }

    /** Returns the position for a database that has none of this pipeline. */
    private Position first() {
        ConsumerGroup there = queue.findGroup(group);
        long first = queue.firstOffset();
        if (there == null) {
            return Position.startingAt(first);
        }
        long position = there.position();
        if (position > 0) {
            throw refusal("records before " + position
                    + " were acknowledged for the group, but the database knows nothing of"
                    + " this pipeline: their effects are in another database, or were lost. Use the database that has them; or begin with a"
                    + " record of your choice: startAt(" + first + ") with the first one that is kept, startAt("
                    + position
                    + ") with the first that was not acknowledged");
        }
        return Position.startingAt(first);
    }

    private Position behind(Position there) {
        if (queue.nextOffset() < there.next()) {
            throw refusal(
                    "the queue has lost records that the database has, probably in a power cut: the effects of all records before "
                            + there.next() + " are in the database, but the next record to be appended to the queue is "
                            + queue.nextOffset()
                            + ". " + afterLoss(there));
        }
        requireKept(there.next(),
                "it cannot go on with record " + there.next() + ", the first one that the database does not have");
        requireSame(there);
        return there;
    }

    /** Requires that the queue still has, at its offset, the last record with an effect in the database. */
    private void requireSame(Position there) {
        long last = there.last();
        if (last == Position.NONE) {
            return;
        }
        try (Tailer tailer = Tailer.open(queue.directory())) {
            tailer.seek(last);
            if (tailer.nextOffset() > last) {
                // The record was deleted after it was acknowledged, so it was on the queue's disk. Only the tailer can tell: the queue may
                // delete the record meanwhile, and still begin with it, because other users keep the file.
                return;
            }
            if (!tailer.poll() || !isLast(tailer.view(), there)) {
                throw refusal("record " + last
                        + " of the queue is not the one that the database has: the queue has lost"
                        + " records, probably in a power cut, and others took their place; or it is a copy that has gone its own way. "
                        + afterLoss(there));
            }
        }
    }

    private static boolean isLast(RecordView record, Position there) {
        return record.offset() == there.last() && record.time() == there.lastTime()
                && record.size() == there.lastSize()
                && (there.lastChecksum() == Position.NONE
                        || there.lastChecksum() == Integer.toUnsignedLong(record.checksum()));
    }

    private String afterLoss(Position there) {
        return "Their effects stay in the database. Say with startAt(offset) which record to go on with, and add"
                + " allowReplay() for one before " + there.next()
                + ". With durability(Durability.SYNCED) this cannot happen";
    }

    private void requireKept(long offset, String what) {
        if (offset < queue.firstOffset()) {
            throw refusal(what + ": the queue has deleted it, and begins with record " + queue.firstOffset()
                    + ". If the missing records do not matter, begin with startAt(" + queue.firstOffset() + ")");
        }
    }

    private PipelineException refusal(String why) {
        return new PipelineException("The " + name + " does not start: " + why);
    }
}
