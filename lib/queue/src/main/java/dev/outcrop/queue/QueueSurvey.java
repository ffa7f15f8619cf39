package dev.outcrop.queue;

import java.nio.file.Path;
import java.util.List;

/**
 * The content of a queue, which another process may be writing; see {@link QueueFiles#survey}.
 *
 * @param directory   the queue's
 * @param segmentSize bytes of each segment
 * @param firstOffset of the first record that is kept
 * @param nextOffset  the offset behind the last record that was there
 * @param synced      offset before which all is known to be on the disk
 * @param segments    the segments, in the order of their offsets; of the first segment, only the records that are kept
 * @param groups      the consumer groups, by their names
 */
public record QueueSurvey(Path directory, long segmentSize, long firstOffset, long nextOffset, long synced,
        List<QueueCheck.Segment> segments, List<Group> groups) {
    /** Copies the lists. */
    public QueueSurvey {
        segments = List.copyOf(segments);
        groups = List.copyOf(groups);
    }

    /**
     * A consumer group.
     *
     * @param name     its name
     * @param position offset of the first record that it has not acknowledged
     * @param ahead    how many records behind the position it has acknowledged
     * @param lag      how far it lags behind
     */
    public record Group(String name, long position, long ahead, Lag lag) {
    }
}
