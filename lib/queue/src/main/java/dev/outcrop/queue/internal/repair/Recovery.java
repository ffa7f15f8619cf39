package dev.outcrop.queue.internal.repair;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.Quarantine;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentHeader;
import dev.outcrop.queue.internal.files.SegmentTail;
import dev.outcrop.queue.internal.tailers.Tailers;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds the content of a queue that is opened for writing; {@code docs/queue-format.md}, section "Recovery", describes it. */
public final class Recovery {
    private final QueueDirectory directory;
    private final QueueFile.Slot slot;
    private final List<SegmentFile> segments = new ArrayList<>();
    /** The latest time of all records that were read: later ones must not be older, even if the system's clock was set back. */
    private long latest;

    private Recovery(QueueDirectory directory) {
        this.directory = directory;
        this.slot = directory.file().slot();
    }

    /**
     * The content of a queue.
     *
     * @param segments linked to each other, at least one, of which the last one can be appended to
     * @param latest   time of a record, or of a segment
     */
    public record Recovered(List<SegmentFile> segments, long latest) {
    }

    /** Finds the segments, fills the gaps, and makes a first segment if there is none. */
    public static Recovered run(QueueDirectory directory) throws IOException {
        Recovery recovery = new Recovery(directory);
        try {
            recovery.findSegments();
            recovery.readAll();
            recovery.makeLastAppendable();
            return new Recovered(recovery.segments,
                    Math.max(recovery.latest, recovery.segments.getLast().created));
        } catch (Throwable e) {
            recovery.segments.forEach(SegmentFile::close);
            throw e;
        }
    }

    private void findSegments() throws IOException {
        Path moved = directory.directory().resolve(FoundSegment.MOVED);
        if (Files.exists(moved, LinkOption.NOFOLLOW_LINKS)) {
            throw Failures.make().corrupt(moved, 0, FoundSegment.INTERRUPTED);
        }
        List<Path> paths = QueueDirectory.segments(directory.directory());
        // Keeps what a tailer of an earlier writer reads.
        long needed = Tailers.lowestNeeded(directory.directory());
        List<Path> aside = new ArrayList<>();
        for (int i = 0; i < paths.size(); i++) {
            Path path = paths.get(i);
            long offset = QueueDirectory.offset(path);
            boolean isLast = i == paths.size() - 1;
            boolean isRetired = !isLast && QueueDirectory.offset(paths.get(i + 1)) <= slot.retired();
            if (isRetired && QueueDirectory.offset(paths.get(i + 1)) <= needed) {
                // The segment was retired: a power cut undid the change of its name, or came before the change.
                Files.delete(path);
                continue;
            }
            if (isLast && Files.size(path) == slot.segmentSize()) {
                // Otherwise looking for records, and appending, could fail for lack of space.
                MappedFile.reserve(path);
            }
            MappedFile file = MappedFile.open(path);
            SegmentHeader header = readHeader(file, offset);
            if (header != null && header.queueId() == slot.queueId() && header.baseOffset() == offset
                    && header.segmentSize() == slot.segmentSize()) {
                if (offset <= slot.retired() && !segments.isEmpty()
                        && header.previous() - 1 > segments.getLast().baseOffset) {
                    // A segment that only a tailer needs was given back, and a power cut undid giving back the segments before it.
                    leaveOut(aside);
                }
                add(SegmentFile.existing(file, (long) segments.size() * slot.segmentSize()));
                continue;
            }
            long size = file.memory().byteSize();
            file.close();
            if (isRetired) {
                // A power cut took the name under which it was in use again, so it is not what a tailer needs.
                leaveOut(aside);
                aside.add(path);
                continue;
            }
            // A power cut leaves no file of another queue: that file, or the file "queue", was put here.
            boolean isForeign = header != null && header.queueId() != slot.queueId();
            if (!isForeign && offset >= slot.promised() && slot.cleanPosition() == 0) {
                // A power cut came after its name and before its header, so nothing from here on was called durable. Moved from the last
                // one on, so that an interrupted opening leaves a prefix.
                for (Path behind : paths.subList(i, paths.size()).reversed()) {
                    directory.quarantine(behind);
                }
                break;
            }
            if (size != slot.segmentSize()) {
                throw Failures.make().corrupt(path, Math.min(size, slot.segmentSize()), offset,
                        "it has " + size + " bytes instead of " + slot.segmentSize());
            }
            throw Failures.make().corrupt(path, 0, offset, header == null
                    ? "it does not begin with the header of a segment of " + slot.segmentSize() + " bytes"
                    : "it belongs elsewhere: its header says segment " + header.baseOffset() + " of queue "
                            + Long.toHexString(header.queueId()) + ", but it is in queue "
                            + Long.toHexString(slot.queueId()));
        }
        requireStart();
        requireAllBetween();
        // Only now: in a queue that is refused, a repair may find a better place for them.
        for (Path path : aside) {
            directory.quarantine(path);
        }
    }

    /** Drops the segments found so far: all of them are retired, and not even a tailer can go on from them. */
    private void leaveOut(List<Path> aside) {
        for (SegmentFile segment : segments) {
            segment.close();
            aside.add(segment.path);
        }
        segments.clear();
    }

    private static @Nullable SegmentHeader readHeader(MappedFile file, long offset) {
        MemorySegment memory = file.memory();
        if (memory.byteSize() >= QueueLayout.HEADER && !Pages.areReadable(memory.asSlice(0, QueueLayout.HEADER))) {
            file.close();
            throw Failures.make().corrupt(file.path(), 0, offset, Pages.UNREADABLE);
        }
        return SegmentHeader.read(memory);
    }

    private void add(SegmentFile segment) {
        if (!segments.isEmpty()) {
            segments.getLast().next = segment;
        }
        segments.add(segment);
    }

    private void requireStart() throws IOException {
        if (!segments.isEmpty() && segments.getFirst().baseOffset <= slot.retired()) {
            return;
        }
        if (slot.promised() > 0 || !segments.isEmpty()) {
            throw Failures.make().corrupt(
                    QueueDirectory.segment(directory.directory(), slot.retired()), 0, slot.retired(),
                    "the segment with record " + slot.retired() + ", or one before it, is missing");
        }
        // None is there, and none is needed: a power cut came before the name of the first one.
    }

    /** Requires the segments that are known to be on the disk; see {@link #readAll} for later ones. */
    private void requireAllBetween() {
        for (int i = 1; i < segments.size(); i++) {
            long previous = segments.get(i).previous();
            if (isMissingBetween(segments.get(i - 1), segments.get(i)) && previous < slot.promised()) {
                throw Failures.make().corrupt(QueueDirectory.segment(directory.directory(), previous), 0, previous,
                        "the segment is missing; " + segments.get(i).path.getFileName() + " comes behind it");
            }
        }
    }

    /** Whether a segment's header names another one between the two. */
    private static boolean isMissingBetween(SegmentFile segment, @Nullable SegmentFile next) {
        return next != null && next.previous() > segment.baseOffset;
    }

    private void readAll() throws IOException {
        for (int i = 0; i < segments.size(); i++) {
            SegmentFile segment = segments.get(i);
            SegmentFile next = segment.next;
            if (next != null && next.baseOffset <= slot.promised()) {
                // Known to be complete; its readers check the records.
                segment.found(next.baseOffset - segment.baseOffset, segment.size, true);
            } else if (isMissingBetween(segment, next) || !read(segment, next == null ? -1 : next.baseOffset)) {
                // First, so that nothing is moved if this one is damaged.
                read(segment, -1);
                cutOffBehind(i);
            }
        }
    }

    /** Drops the segments behind one, because a power cut has taken the next: nothing from there on was called durable. */
    private void cutOffBehind(int last) throws IOException {
        List<SegmentFile> behind = segments.subList(last + 1, segments.size());
        for (SegmentFile segment : behind) {
            segment.close();
            directory.quarantine(segment.path);
        }
        behind.clear();
        segments.get(last).next = null;
    }

    /**
     * Reads a segment up to the offset of the next one, or to its end if that is -1. Also after an orderly close: only its records prove
     * that the last segment is the right one.
     *
     * @return false if it is not the segment before the next one
     */
    private boolean read(SegmentFile segment, long end) throws IOException {
        try {
            return readRecords(segment, end);
        } catch (InternalError e) {
            // It could be read just before.
            throw Failures.make().corrupt(segment.path, 0, segment.baseOffset, Pages.UNREADABLE, e);
        }
    }

    private boolean readRecords(SegmentFile segment, long end) throws IOException {
        long offset = segment.baseOffset;
        int position = QueueLayout.HEADER;
        boolean isSealed = end >= 0;
        segment.findUnreadable();
        while (offset != end && position + QueueLayout.PAYLOAD <= segment.size) {
            long word = segment.foundWord(position);
            int length = QueueLayout.length(word);
            if (segment.isCommitted(word, offset) && segment.isWhole(position, offset, length)) {
                latest = Math.max(latest, segment.time(position));
                if (segment.kind(position) == QueueLayout.KIND_END) {
                    isSealed = true;
                    break;
                }
                offset++;
                position += (int) QueueLayout.recordBytes(length);
                continue;
            }
            int unreadable = segment.firstUnreadable(position, segment.size);
            if (unreadable >= 0) {
                // Otherwise neither lost nor later records would be reported.
                throw Failures.make().corrupt(segment.path, unreadable, offset, Pages.UNREADABLE);
            }
            if (offset < slot.promised()) {
                throw Failures.make().corrupt(segment.path, position, offset,
                        "record " + offset + " was on the disk, and is no longer whole");
            }
            if (end < 0 && isOrderlyEnd(position, offset) && !segment.isCommitted(word, offset)) {
                // Nothing was claimed behind it since the words there were cleared, durably. Looking would take long.
                break;
            }
            GapFiller.Found found = GapFiller.end(segment, position, offset, end);
            report(segment, position, offset, found);
            if (found == null) {
                if (end < 0) {
                    forget(segment, position, offset);
                }
                break;
            }
            GapFiller.withdraw(segment, position, offset, found, segment.created);
            offset = found.offset();
            position = found.position();
        }
        if (end >= 0 && offset != end && offset >= slot.promised()) {
            return false;
        }
        if (offset < slot.promised()) {
            throw Failures.make().corrupt(segment.path, position, offset,
                    "records " + offset + " to " + (slot.promised() - 1)
                            + " were on the disk, and are no longer there");
        }
        segment.found(offset - segment.baseOffset, isSealed ? segment.size : position, isSealed);
        return true;
    }

    /** Whether the queue was closed in order and ends here. A damaged slot may have said that it was opened since. */
    private boolean isOrderlyEnd(int position, long offset) {
        return directory.file().isWhole() && position == slot.cleanPosition() && offset == slot.synced();
    }

    private static void forget(SegmentFile segment, int position, long offset) throws IOException {
        GapFiller.forget(segment, position, offset);
        try {
            // Before the next orderly close, after which nothing looks for them. Also if there are none, because a killed opening may have
            // cleared them.
            segment.force(position, segment.size);
        } catch (IOException e) {
            // The kernel may regard pages as written that it could not write. The next opening tries again.
            segment.touch(position);
            throw e;
        }
    }

    /** Logs what is going to be withdrawn. A committed record that is not whole may have been called durable, so a copy is kept. */
    private void report(SegmentFile segment, int position, long offset, GapFiller.@Nullable Found end)
            throws IOException {
        long word = segment.commitWord(position);
        String which = end == null || end.offset() == offset + 1
                ? "record " + offset
                : "records " + offset + " to " + (end.offset() - 1);
        if (segment.isCommitted(word, offset)) {
            long to = end == null ? position + QueueLayout.recordBytes(QueueLayout.length(word)) : end.position();
            Path copy = new Quarantine(directory.directory()).copy(segment.path, position, Math.min(to, segment.size));
            System.getLogger("dev.outcrop.queue.Recovery").log(System.Logger.Level.WARNING,
                    segment.path + " at byte " + position + ": the checksum of record "
                            + offset + " does not fit its content; withdrawn: " + which + "; the old bytes are in "
                            + copy);
        } else if (end != null) {
            System.getLogger("dev.outcrop.queue.Recovery").log(System.Logger.Level.DEBUG,
                    segment.path + " at byte " + position + ": withdrawn: " + which
                            + ", which the thread that appended it did not finish");
        }
    }

    private void makeLastAppendable() throws IOException {
        if (segments.isEmpty()) {
            beginAnew(System.currentTimeMillis());
            return;
        }
        SegmentFile last = segments.getLast();
        long tail = last.tail.get();
        if (last.baseOffset + SegmentTail.records(tail) < slot.retired()) {
            // All was retired, and the last records did not reach the disk. Their offsets were given away all the same.
            deleteAll();
            beginAnew(now(last));
            return;
        }
        if (SegmentTail.isSealed(tail)) {
            // It names a next one, whose name did not reach the disk.
            add(directory.begin(last.baseOffset + SegmentTail.records(tail), last.baseOffset, last.start + last.size,
                    now(last)));
        }
    }

    /** Begins with the first offset that is not retired. */
    private void beginAnew(long millis) throws IOException {
        add(directory.begin(slot.retired(), -1, 0, millis));
        // Now: a power cut might take the name of this segment and not the name of the next one.
        QueueDirectory.fsyncDirectory(directory.directory());
    }

    private long now(SegmentFile last) {
        return Math.max(System.currentTimeMillis(), Math.max(latest, last.created));
    }

    private void deleteAll() throws IOException {
        for (SegmentFile segment : segments) {
            segment.close();
            Files.delete(segment.path);
        }
        segments.clear();
    }
}
