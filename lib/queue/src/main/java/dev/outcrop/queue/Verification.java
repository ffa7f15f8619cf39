package dev.outcrop.queue;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.repair.FoundSegment;
import dev.outcrop.queue.internal.repair.GroupCheck;
import dev.outcrop.queue.internal.repair.SegmentCheck;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** Reads all files of a queue by the rules of {@code docs/queue-format.md}. */
final class Verification {
    private final Path directory;
    private final LongConsumer progress;
    private final List<QueueCheck.Slot> slots = new ArrayList<>();
    private final List<QueueCheck.Segment> segments = new ArrayList<>();
    private final List<QueueCheck.Group> groups = new ArrayList<>();
    private final List<QueueCheck.Damage> damages = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();

    /**
     * Prepares the verification of a locked queue.
     *
     * @param directory the queue's
     * @param progress  receives the bytes of segments that are done, at each segment
     */
    Verification(Path directory, LongConsumer progress) {
        this.directory = directory;
        this.progress = progress;
    }

    QueueCheck run() throws IOException {
        for (Path path : QueueDirectory.obstacles(directory)) {
            damage(path, 0, -1,
                    Files.isDirectory(path) ? "it is a directory" : "it is not a directory");
        }
        QueueFile.Slot slot = readSlots();
        if (slot == null) {
            slot = FoundSegment.assumed(directory);
        }
        if (slot == null) {
            notes.add("No segment was read: without the file '" + QueueFile.NAME
                    + "' only their headers can tell what belongs to the queue, and they do not all say the same");
        } else {
            readSegments(slot);
            readGroups(slot);
        }
        return new QueueCheck(directory, slots, segments, groups, damages, notes, List.of());
    }

    /** Reads the slots. Returns the one that counts, or null. */
    private QueueFile.@Nullable Slot readSlots() throws IOException {
        Path path = directory.resolve(QueueFile.NAME);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
            damage(path, 0, -1, "the file is missing");
            return null;
        }
        if (!FoundSegment.isRegular(path)) {
            damage(path, 0, -1, FoundSegment.NOT_REGULAR);
            return null;
        }
        try (MappedFile file = MappedFile.openReadOnly(path, QueueLayout.PAGE); Arena arena = Arena.ofConfined()) {
            long size = Files.size(path);
            if (size != QueueLayout.PAGE) {
                damage(path, 0, -1, "it has " + size + " bytes instead of " + QueueLayout.PAGE);
            }
            if (!Pages.areReadable(file.memory())) {
                damage(path, 0, -1, Pages.UNREADABLE);
                return null;
            }
            QueueFile.Slot newest = QueueFile.Slot.read(file.memory());
            if (newest == null) {
                damage(path, 0, -1, "neither of its slots is whole");
                return null;
            }
            slots.add(shown(newest));
            // Read each slot alone to find the other one.
            MemorySegment alone = arena.allocate(2L * QueueLayout.SLOT, Long.BYTES);
            for (long at = 0; at <= QueueLayout.SLOT; at += QueueLayout.SLOT) {
                alone.fill((byte) 0);
                MemorySegment.copy(file.memory(), at, alone, at, QueueLayout.SLOT);
                QueueFile.Slot slot = QueueFile.Slot.read(alone);
                if (slot != null && !slot.equals(newest)) {
                    slots.add(shown(slot));
                } else if (slot == null && alone.mismatch(arena.allocate(alone.byteSize())) >= 0) {
                    notes.add(path + ": the slot at " + at
                            + " is not whole, as when the process is killed while it writes it; the other one counts");
                }
            }
            return newest;
        }
    }

    private static QueueCheck.Slot shown(QueueFile.Slot slot) {
        return new QueueCheck.Slot(slot.sequence(), slot.queueId(), slot.segmentSize(), slot.retired(), slot.synced(),
                slot.cleanPosition());
    }

    private void readSegments(QueueFile.Slot slot) throws IOException {
        Path moved = directory.resolve(FoundSegment.MOVED);
        if (Files.exists(moved, LinkOption.NOFOLLOW_LINKS)) {
            damage(moved, 0, -1, FoundSegment.INTERRUPTED);
        }
        List<FoundSegment> found = FoundSegment.list(directory, slot);
        long expected = slot.retired();
        boolean isAny = false;
        long done = 0;
        for (int i = 0; i < found.size(); i++) {
            FoundSegment file = found.get(i);
            progress.accept(done);
            done += file.size();
            boolean isLast = i == found.size() - 1;
            if (file.state() == FoundSegment.State.RETIRED) {
                notes.add(file.path() + ": " + file.what());
                continue;
            }
            isAny = true;
            if (file.isUnfinished(isLast, slot)) {
                // The next opening puts it aside, and goes on behind the segment before.
                notes.add(file.path() + ": " + file.what() + ", as when a power cut comes while it is begun");
                continue;
            }
            if (file.offset() > expected) {
                addMissing(expected, file.offset());
            }
            if (file.isReadable()) {
                expected = read(file, next(found, i, slot), slot);
            } else {
                damage(file.path(), 0, file.offset(), file.what());
                expected = isLast ? Math.max(file.offset(), slot.promised()) : found.get(i + 1).endOf(file);
            }
        }
        if (expected < slot.promised()) {
            addMissing(expected, slot.promised());
        } else if (!isAny && slot.promised() > 0) {
            damage(QueueDirectory.segment(directory, expected), 0, expected,
                    "the segment in which the queue goes on is missing");
        }
    }

    /** The offset before which the records of a segment must end; -1 if that is not known. */
    private static long next(List<FoundSegment> found, int i, QueueFile.Slot slot) {
        if (i + 1 == found.size()) {
            return -1;
        }
        FoundSegment next = found.get(i + 1);
        return next.isUnfinished(i + 2 == found.size(), slot) ? -1 : next.endOf(found.get(i));
    }

    /** Reads a segment. Returns the offset behind its records. */
    private long read(FoundSegment found, long next, QueueFile.Slot slot) throws IOException {
        if (found.state() == FoundSegment.State.CUT) {
            damage(found.path(), Math.min(found.size(), slot.segmentSize()), -1, found.what());
        }
        MappedFile file = MappedFile.openReadOnly(found.path(), slot.segmentSize());
        try {
            return read(file, found, next, slot);
        } catch (InternalError e) {
            // It could be read before.
            damage(found.path(), 0, found.offset(), Pages.UNREADABLE);
            return next >= 0 ? next : Math.max(found.offset(), slot.promised());
        } finally {
            file.close();
        }
    }

    private long read(MappedFile file, FoundSegment found, long next, QueueFile.Slot slot) {
        SegmentFile segment = SegmentFile.existing(file, 0);
        SegmentCheck check = SegmentCheck.of(segment, found, next, slot);
        int end = 0;
        for (int at = segment.firstUnreadable(0, segment.size); at >= 0; at = segment.firstUnreadable(end,
                segment.size)) {
            end = segment.endOfUnreadable(at);
            damage(found.path(), at, -1,
                    end - at + " bytes cannot be read: the disk has failed");
        }
        for (SegmentCheck.Hole hole : check.holes()) {
            if (hole.isDamage()) {
                damage(found.path(), hole.position(), hole.offset(), hole.what());
            } else {
                notes.add(found.path() + " at byte " + hole.position() + ": " + hole.what()
                        + ", as when the process is killed while it appends; it is withdrawn when the queue is opened");
            }
        }
        if (check.isTorn()) {
            notes.add(found.path() + " at byte " + check.position() + ": the checksum of the last record, "
                    + check.offset()
                    + ", does not fit its content: torn by a power cut, or damaged if it had been called durable, which the file does not show;"
                    + " it is copied to quarantine and withdrawn when the queue is opened");
        }
        segments.add(new QueueCheck.Segment(found.path(), found.offset(), check.offset(), check.records(),
                check.withdrawn(), check.position(), segment.generation));
        if (next < 0 && slot.cleanPosition() != 0 && check.offset() >= slot.synced()
                && (check.offset() > slot.synced() || check.position() != slot.cleanPosition())) {
            damage(directory.resolve(QueueFile.NAME), 0, slot.synced(),
                    "it says that record " + slot.synced() + " is the next one and begins at byte "
                            + slot.cleanPosition()
                            + " of " + found.path() + ", but the last record there is " + (check.offset() - 1)
                            + " and ends at " + check.position());
        }
        return check.offset();
    }

    private void damage(Path file, long position, long offset, String what) {
        damages.add(new QueueCheck.Damage(file, position, offset, what));
    }

    private void addMissing(long from, long to) {
        damage(QueueDirectory.segment(directory, from), 0, from,
                "records " + from + " to " + (to - 1) + " are missing, with the segments that they were in");
    }

    private void readGroups(QueueFile.Slot slot) throws IOException {
        for (Path path : GroupCheck.files(directory)) {
            GroupCheck group = GroupCheck.read(path, slot.queueId());
            groups.add(new QueueCheck.Group(path, group.name(), group.slots(), group.floor(), group.words(),
                    group.ahead()));
            String damage = group.damage();
            if (damage != null) {
                damage(path, 0, -1, damage);
            }
        }
    }
}
