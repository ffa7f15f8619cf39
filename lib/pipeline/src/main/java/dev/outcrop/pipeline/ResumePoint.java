package dev.outcrop.pipeline;

import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.RecordView;
import dev.outcrop.queue.Tailer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the record that a pipeline begins with: the one after the last record with an effect in the database, if the queue is still the one
 * that the database has seen. Otherwise it refuses, because the effect of some record would be missing or be there twice.
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

    /** For a database without a position of the pipeline. */
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
                "it cannot go on with record " + there.next() + ", the first one whose effect is not in the database");
        requireSame(there);
        return there;
    }

    /** Requires that the last record with an effect in the database is still the one that the queue has there. */
    private void requireSame(Position there) {
        long last = there.last();
        if (last == Position.NONE) {
            return;
        }
        try (Tailer tailer = Tailer.open(queue.directory())) {
            tailer.seek(last);
            if (tailer.nextOffset() > last) {
                // It was deleted after it was acknowledged, and so it was on the queue's disk. Only the tailer knows: the queue may delete
                // it meanwhile, and still begin with it, because others keep the file.
                return;
            }
            if (!tailer.poll() || !isLast(tailer.view(), there)) {
                throw refusal("record " + last
                        + " of the queue is not the one whose effect is in the database: the queue has lost"
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
            throw refusal(what + ": the queue has given it up, and begins with record " + queue.firstOffset()
                    + ". If what is missing does not matter, begin with startAt(" + queue.firstOffset() + ")");
        }
    }

    private PipelineException refusal(String why) {
        return new PipelineException("The " + name + " does not start: " + why);
    }
}
