package dev.outcrop.queue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A file that has a segment's name, and what there is to say about it from outside.
 *
 * @param path   of the file
 * @param offset in its name
 * @param size   of the file
 * @param header what it begins with; null if that is not whole
 * @param state  whether it is what its name says
 */
record FoundSegment(Path path, long offset, long size, SegmentFile.@Nullable Header header, State state) {
    enum State {
        /** It is. */
        FITS,
        /** It is, but is shorter or longer than it was. */
        CUT,
        /** It was one once: all of it is retired. */
        RETIRED,
        /** It is one of this queue with another name. */
        MISPLACED,
        /** It is one of another queue. */
        FOREIGN,
        /** It has no header. */
        HEADLESS
    }

    /** All files with a segment's name, in the order of their offsets. */
    static List<FoundSegment> list(Path directory, QueueFile.Slot slot) throws IOException {
        List<Path> paths = QueueDirectory.segments(directory);
        List<FoundSegment> found = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            Path path = paths.get(i);
            boolean isRetired = i + 1 < paths.size() && QueueDirectory.offset(paths.get(i + 1)) <= slot.retired();
            long offset = QueueDirectory.offset(path);
            long size = Files.size(path);
            SegmentFile.Header header = header(path);
            found.add(new FoundSegment(path, offset, size, header,
                    isRetired ? State.RETIRED : state(offset, size, header, slot)));
        }
        return found;
    }

    private static State state(long offset, long size, SegmentFile.@Nullable Header header, QueueFile.Slot slot) {
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

    /** The header that a file begins with, whatever its size; null if it is not whole. */
    private static SegmentFile.@Nullable Header header(Path path) throws IOException {
        try (KeptInterrupt _ = new KeptInterrupt();
                Arena arena = Arena.ofConfined();
                FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            MemorySegment head = arena.allocate(QueueLayout.HEADER, Long.BYTES);
            ByteBuffer bytes = head.asByteBuffer();
            int read = 0;
            while (read >= 0 && bytes.hasRemaining()) {
                try {
                    read = channel.read(bytes);
                } catch (IOException e) {
                    // A bad sector: there is no more to be had.
                    read = -1;
                }
            }
            if (bytes.hasRemaining() || head.get(QueueLayout.LONG, QueueLayout.MAGIC) != QueueLayout.SEGMENT_MAGIC
                    || head.get(QueueLayout.INT, QueueLayout.HEADER_VERSION) != QueueLayout.VERSION
                    || head.get(QueueLayout.INT, QueueLayout.HEADER_CRC) != QueueLayout.crc(head, 0,
                            QueueLayout.HEADER_CRC)) {
                return null;
            }
            return new SegmentFile.Header(head.get(QueueLayout.LONG, QueueLayout.QUEUE_ID),
                    head.get(QueueLayout.LONG, QueueLayout.GENERATION),
                    head.get(QueueLayout.LONG, QueueLayout.BASE_OFFSET),
                    head.get(QueueLayout.LONG, QueueLayout.SEGMENT_SIZE),
                    head.get(QueueLayout.LONG, QueueLayout.CREATED));
        }
    }

    /**
     * What the file {@code queue} may have said, as far as the segments tell: nothing is taken for retired that is there, or for synced.
     *
     * @return null if they do not all say the same, or there are none
     */
    static QueueFile.@Nullable Slot assumed(Path directory) throws IOException {
        QueueFile.Slot assumed = null;
        for (Path path : QueueDirectory.segments(directory)) {
            SegmentFile.Header header = header(path);
            if (header == null) {
                continue;
            }
            if (assumed == null) {
                long first = QueueDirectory.offset(path);
                assumed = new QueueFile.Slot(0, header.queueId(), header.segmentSize(), first, first, 0);
            } else if (header.queueId() != assumed.queueId() || header.segmentSize() != assumed.segmentSize()) {
                return null;
            }
        }
        return assumed;
    }

    boolean isReadable() {
        return state == State.FITS || state == State.CUT;
    }

    /** Whether it is what a power cut leaves of a segment that was begun last: a name whose file was not written yet. */
    boolean isUnfinished(boolean isLast, QueueFile.Slot slot) {
        return isLast && !isReadable() && offset >= slot.promised() && slot.cleanPosition() == 0;
    }

    String what() {
        return switch (state) {
            case FITS -> "a segment";
            case CUT -> "it has " + size + " bytes instead of " + known().segmentSize();
            case RETIRED -> "a segment all of whose records are retired";
            case MISPLACED ->
                "it belongs elsewhere: its header is that of the segment of record " + known().baseOffset();
            case FOREIGN -> "it belongs to another queue: its header says queue " + Long.toHexString(known().queueId())
                    + " with segments of " + known().segmentSize() + " bytes";
            case HEADLESS -> "it does not begin with the header of a segment of version " + QueueLayout.VERSION;
        };
    }

    private SegmentFile.Header known() {
        return Objects.requireNonNull(header);
    }
}
