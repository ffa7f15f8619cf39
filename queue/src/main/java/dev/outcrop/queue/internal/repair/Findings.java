package dev.outcrop.queue.internal.repair;

import dev.outcrop.queue.internal.files.QueueFile;
import java.nio.file.Path;
import java.util.List;

/**
 * What was found in the files of a queue.
 *
 * @param slots    those of the file {@code queue} that are whole, the one that counts first
 * @param segments those that could be read, in the order of their offsets
 * @param groups   the consumer groups
 * @param damages  everything that is not as it was written, in the order in which it was found
 * @param notes    what is unusual and no damage
 */
public record Findings(List<QueueFile.Slot> slots, List<Segment> segments, List<Group> groups, List<Damage> damages,
        List<String> notes) {
    /** A segment: from where to where, what is in it, and where its records end. */
    public record Segment(Path file, long baseOffset, long endOffset, long records, long withdrawn, long bytes,
            long generation) {
    }

    /**
     * A group: whole slots, an offset before which all is acknowledged, whole words, how many records from there on are, and the first one
     * that is not.
     */
    public record Group(Path file, String name, int slots, long floor, long words, long ahead, long reached) {
    }

    /** What is wrong where; the offset is -1 if that cannot be said. */
    public record Damage(Path file, long position, long offset, String what) {
    }
}
