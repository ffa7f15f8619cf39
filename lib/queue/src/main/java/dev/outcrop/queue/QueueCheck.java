package dev.outcrop.queue;

import java.nio.file.Path;
import java.util.List;

/**
 * The findings of {@link QueueFiles} in the files of a queue. {@link #toString()} describes them for people.
 *
 * @param directory the queue's
 * @param slots     the whole slots of the file {@code queue}, with the slot that counts first; normally two, and one in a new queue
 * @param segments  the readable segments, in the order of their offsets
 * @param groups    the consumer groups
 * @param damages   everything that is not as it was written, in the order in which it was found; empty if the queue is sound
 * @param notes     unusual findings that are no damage, such as records that were being appended when the process was killed
 * @param repairs   what {@link QueueFiles#repair} has done
 */
public record QueueCheck(Path directory, List<Slot> slots, List<Segment> segments, List<Group> groups,
        List<Damage> damages, List<String> notes, List<String> repairs) {
    /** Copies the lists. */
    public QueueCheck {
        slots = List.copyOf(slots);
        segments = List.copyOf(segments);
        groups = List.copyOf(groups);
        damages = List.copyOf(damages);
        notes = List.copyOf(notes);
        repairs = List.copyOf(repairs);
    }

    /**
     * A slot of the file {@code queue}.
     *
     * @param sequence      the higher one counts
     * @param queueId       the id in the segments and groups of this queue
     * @param segmentSize   bytes of each segment
     * @param retired       offset before which nothing is kept
     * @param synced        offset before which all is known to be on the disk
     * @param cleanPosition where the next record begins after an orderly close; otherwise 0
     */
    public record Slot(long sequence, long queueId, long segmentSize, long retired, long synced, long cleanPosition) {
        @Override
        public String toString() {
            return "records are kept from " + retired + " on, those before " + synced
                    + " are on the disk, " + (cleanPosition == 0 ? "not closed orderly" : "closed orderly")
                    + "; segments have " + segmentSize + " bytes";
        }
    }

    /**
     * A segment.
     *
     * @param file       its file
     * @param baseOffset offset of its first record
     * @param endOffset  offset behind its last record
     * @param records    how many whole records it has, without withdrawn ones
     * @param withdrawn  how many withdrawn records it has
     * @param bytes      position behind the last record
     * @param generation of this use of the file
     */
    public record Segment(Path file, long baseOffset, long endOffset, long records, long withdrawn, long bytes,
            long generation) {
        @Override
        public String toString() {
            return file.getFileName() + ": records " + baseOffset + " to before " + endOffset + ", " + records
                    + " whole"
                    + (withdrawn == 0 ? "" : ", " + withdrawn + " withdrawn") + ", " + bytes + " bytes";
        }
    }

    /**
     * A consumer group.
     *
     * @param file  its file
     * @param name  its name
     * @param slots how many of its two slots are whole
     * @param floor the first offset that it has not acknowledged
     * @param words how many words of acknowledgements are whole
     * @param ahead how many records behind the floor it has acknowledged
     */
    public record Group(Path file, String name, int slots, long floor, long words, long ahead) {
        @Override
        public String toString() {
            return name + ": has acknowledged all before record " + floor
                    + (ahead == 0 ? "" : ", and " + ahead + " behind it")
                    + (slots == 2 ? "" : "; " + slots + " of 2 slots are whole");
        }
    }

    /**
     * A part of a file that is not as it was written.
     *
     * @param file     the damaged file, or the one that is missing
     * @param position bytes from its start
     * @param offset   of the first record that is affected; -1 if it is not known
     * @param what     what is wrong
     */
    public record Damage(Path file, long position, long offset, String what) {
        @Override
        public String toString() {
            return file + " at byte " + position + (offset < 0 ? "" : ", record " + offset) + ": " + what;
        }
    }

    /**
     * Returns whether there is no damage.
     *
     * @return whether {@link #damages()} is empty
     */
    public boolean isSound() {
        return damages.isEmpty();
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("The queue ").append(directory);
        text.append(isSound()
                ? " is sound.\n"
                : " is damaged in " + damages.size() + (damages.size() == 1 ? " place.\n" : " places.\n"));
        // The second slot is out of date.
        append(text, "state", slots.subList(0, Math.min(1, slots.size())));
        append(text, "segments", segments);
        append(text, "groups", groups);
        append(text, "damages", damages);
        append(text, "notes", notes);
        append(text, "repairs", repairs);
        return text.toString();
    }

    QueueCheck repaired(List<String> done) {
        return new QueueCheck(directory, slots, segments, groups, damages, notes, done);
    }

    private static void append(StringBuilder text, String title, List<?> lines) {
        if (!lines.isEmpty()) {
            text.append(title).append(":\n");
            lines.forEach(line -> text.append("  ").append(line).append('\n'));
        }
    }
}
