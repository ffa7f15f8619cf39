package dev.outcrop.queue.internal.repair;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file with the name of a segment.
 *
 * @param path   of the file
 * @param offset in its name
 * @param size   of the file
 * @param header what it begins with; null if that is not whole
 * @param state  whether it is what its name says
 */
public record FoundSegment(Path path, long offset, long size, @Nullable SegmentHeader header, State state) {
    /** The name of a segment during a repair, until its own place is free. The name stays if the repair is interrupted. */
    public static final String MOVED = "repair.moved";
    public static final String INTERRUPTED = "a repair was interrupted, which has put a segment here that belongs to the queue; repair it again";

    /** The fault of a symbolic link, which is not followed, and of a directory, a FIFO or a device. */
    public static final String NOT_REGULAR = "it is not a regular file";

    public enum State {
        /** It is what its name says. */
        FITS,
        /** As above, but shorter or longer than it was. */
        CUT,
        /** All its records are retired. */
        RETIRED,
        /** A segment of this queue with another name. */
        MISPLACED,
        /** A segment of another queue. */
        FOREIGN,
        /** A file without a header. */
        HEADLESS,
        /** The disk cannot read its header. */
        UNREADABLE,
        /** A directory, say, or a symbolic link. */
        NO_FILE
    }

    /** Lists the files with a segment's name, in the order of their offsets. */
    public static List<FoundSegment> list(Path directory, QueueFile.Slot slot) throws IOException {
        List<Path> paths = QueueDirectory.segments(directory);
        List<FoundSegment> found = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            Path path = paths.get(i);
            boolean isRetired = i + 1 < paths.size() && QueueDirectory.offset(paths.get(i + 1)) <= slot.retired();
            FoundSegment file = of(path, slot);
            // Not if it has changed places with another file and has records that are not retired.
            boolean isKept = file.state == State.MISPLACED && file.known().baseOffset() >= slot.retired();
            found.add(isRetired && file.state != State.NO_FILE && !isKept
                    ? new FoundSegment(path, file.offset, file.size, file.header, State.RETIRED)
                    : file);
        }
        return found;
    }

    /** Examines a file. */
    static FoundSegment of(Path path, QueueFile.Slot slot) throws IOException {
        long offset = QueueDirectory.offset(path);
        if (!isRegular(path)) {
            return new FoundSegment(path, offset, 0, null, State.NO_FILE);
        }
        long size = Files.size(path);
        MemorySegment head = head(path);
        SegmentHeader header = head == null ? null : SegmentHeader.readAlone(head);
        return new FoundSegment(path, offset, size, header,
                head == null ? State.UNREADABLE : state(offset, size, header, slot));
    }

    public static boolean isRegular(Path path) {
        return Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS);
    }

    private static State state(long offset, long size, @Nullable SegmentHeader header, QueueFile.Slot slot) {
        if (header == null) {
            return State.HEADLESS;
        }
        if (header.queueId() != slot.queueId() || header.segmentSize() != slot.segmentSize()) {
            return State.FOREIGN;
        }
        if (header.baseOffset() != offset) {
            return State.MISPLACED;
        }
        return size == slot.segmentSize() ? State.FITS : State.CUT;
    }

    /** Reads the start of a file, with zeros behind its end; null if that cannot be read. */
    private static @Nullable MemorySegment head(Path path) throws IOException {
        return Uninterrupted.get(() -> headOnce(path));
    }

    private static @Nullable MemorySegment headOnce(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            MemorySegment head = Arena.ofAuto().allocate(QueueLayout.HEADER, Long.BYTES);
            ByteBuffer bytes = head.asByteBuffer();
            while (bytes.hasRemaining()) {
                try {
                    if (channel.read(bytes) < 0) {
                        return head;
                    }
                } catch (ClosedChannelException e) {
                    // By an interrupt, which is no bad sector.
                    throw e;
                } catch (IOException e) {
                    return null;
                }
            }
            return head;
        }
    }

    /**
     * Reconstructs the file {@code queue} as far as the segments tell. No existing segment counts as retired or synced.
     *
     * @return null if the segments do not all say the same, or there are none
     */
    public static QueueFile.@Nullable Slot assumed(Path directory) throws IOException {
        QueueFile.Slot assumed = null;
        List<Path> paths = QueueDirectory.segments(directory);
        for (Path path : paths) {
            MemorySegment head = isRegular(path) ? head(path) : null;
            SegmentHeader header = head == null ? null : SegmentHeader.readAlone(head);
            if (header == null) {
                continue;
            }
            if (assumed == null) {
                // The first file, also if its header is damaged: retired segments are deleted.
                long first = QueueDirectory.offset(paths.getFirst());
                assumed = new QueueFile.Slot(0, header.queueId(), header.segmentSize(), first, first, 0);
            } else if (header.queueId() != assumed.queueId() || header.segmentSize() != assumed.segmentSize()) {
                return null;
            }
        }
        return assumed;
    }

    /**
     * The offset before which the records of the segment before must end: where this one begins, or a missing one that its header names.
     */
    public long endOf(FoundSegment before) {
        long previous = header != null && isReadable() ? header.previous() - 1 : -1;
        return previous > before.offset ? Math.min(previous, offset) : offset;
    }

    public boolean isReadable() {
        return state == State.FITS || state == State.CUT;
    }

    /** Whether it may be a segment without a header, or with one that could not be read. */
    boolean mayBeHeadless() {
        return state == State.HEADLESS || state == State.UNREADABLE;
    }

    /** Whether it is what a power cut leaves of a new segment: a name, and a file that was not written yet. */
    public boolean isUnfinished(boolean isLast, QueueFile.Slot slot) {
        // Not if it cannot be read, or belongs to another queue: then a repair has to handle it.
        return isLast && (state == State.HEADLESS || state == State.MISPLACED) && offset >= slot.promised()
                && slot.cleanPosition() == 0;
    }

    public String what() {
        return switch (state) {
            case FITS -> "a segment";
            case CUT -> "it has " + size + " bytes instead of " + known().segmentSize();
            case RETIRED -> "a segment all of whose records are retired";
            case MISPLACED ->
                "it belongs elsewhere: its header is that of the segment of record " + known().baseOffset();
            case FOREIGN -> "it belongs to another queue: its header says queue " + Long.toHexString(known().queueId())
                    + " with segments of " + known().segmentSize() + " bytes";
            case UNREADABLE -> "its header cannot be read: the disk has failed";
            case NO_FILE -> NOT_REGULAR;
            case HEADLESS -> "it does not begin with the header of a segment of version " + QueueLayout.VERSION;
        };
    }

    private SegmentHeader known() {
        return Objects.requireNonNull(header);
    }
}
