package dev.outcrop.queue.internal.repair;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.GroupLayout;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.Quarantine;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentHeader;
import dev.outcrop.queue.internal.files.SparseCopy;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Repairs a damaged queue. Each step leaves a queue that can be repaired again, and puts what it takes out into quarantine first; {@code
 * docs/queue-format.md}, section "Repair", lists them.
 */
public final class Repair {
    /** If more segments are missing, a name is wrong. */
    private static final long MOST_MISSING = 10_000;
    private static final int ZEROS = 1 << 16;
    /** Two random numbers of 64 bits differ in so few bits less than once in a billion times. */
    private static final int MOST_FLIPPED = 8;

    private final Path directory;
    private final Quarantine quarantine;
    private final SecureRandom random = new SecureRandom();
    private final List<String> done = new ArrayList<>();

    /** Prepares the repair of a locked queue. */
    public Repair(Path directory) throws IOException {
        this.directory = directory;
        this.quarantine = new Quarantine(directory);
    }

    /** Repairs the queue. Returns what was done. */
    public List<String> run() throws IOException {
        QueueFile.Slot slot = identity();
        for (Path path : QueueDirectory.obstacles(directory)) {
            done.add(path + ", which was in the way, was moved to " + quarantine.move(path));
        }
        putSegmentsInPlace(slot);
        long first = fillSegments(slot);
        repairGroups(slot.queueId(), first);
        try (QueueFile file = QueueFile.open(directory.resolve(QueueFile.NAME))) {
            QueueFile.Slot now = file.slot();
            // Not clean, so that the next opening looks for the end.
            file.write(new QueueFile.Slot(now.sequence() + 1, now.queueId(), now.segmentSize(),
                    Math.max(now.retired(), first), now.synced(), 0));
        }
        return done;
    }

    // --- The file "queue" ---

    private QueueFile.Slot identity() throws IOException {
        Path path = directory.resolve(QueueFile.NAME);
        boolean isThere = FoundSegment.isRegular(path);
        QueueFile.Slot slot = isThere ? QueueFile.read(path) : null;
        boolean hasItsSize = isThere && Files.size(path) == QueueLayout.PAGE && isReadable(path);
        if (slot != null) {
            requireOwn(path, slot);
        }
        if (slot != null && hasItsSize) {
            return slot;
        }
        QueueFile.Slot next = slot != null ? slot : FoundSegment.assumed(directory);
        if (next == null) {
            throw Failures.make().refused(path
                    + " is damaged, and the segments cannot tell what it said: none has a whole header, or they"
                    + " are of different queues. Move those that do not belong here to another place, and try again");
        }
        String aside = Files.exists(path, LinkOption.NOFOLLOW_LINKS) ? "; the old file is in " + aside(path) : "";
        if (hasItsSize) {
            // In place, because a tailer has it mapped.
            try (MappedFile file = MappedFile.open(path)) {
                next.write(file.memory());
                file.force(0, QueueLayout.PAGE);
            }
        } else {
            // At once: a file without the retired offset would make the next repair look for retired segments.
            QueueFile.create(path,
                    new QueueFile.Slot(0, next.queueId(), next.segmentSize(), next.retired(), next.synced(), 0));
            QueueDirectory.fsyncDirectory(directory);
        }
        done.add(path + " was written anew from " + (slot != null ? "its whole part" : "the headers of the segments")
                + aside);
        return Objects.requireNonNull(QueueFile.read(path));
    }

    /** Refuses a file {@code queue} that belongs to none of the segments: the segments must not be put aside because of that file. */
    private void requireOwn(Path path, QueueFile.Slot slot) throws IOException {
        List<Long> ids = FoundSegment.list(directory, slot).stream().map(FoundSegment::header).filter(Objects::nonNull)
                .map(header -> header.queueId()).toList();
        if (!ids.isEmpty() && !ids.contains(slot.queueId())) {
            throw Failures.make().refused(path
                    + " is of another queue than all segments beside it. If they are what you"
                    + " want to keep, move that file to another place, and try again: it is made anew from them."
                    + " Otherwise move the segments");
        }
    }

    /** Puts a copy of a file into quarantine before the file is written anew, or moves it there if it is not a regular file. */
    private Path aside(Path path) throws IOException {
        return FoundSegment.isRegular(path) ? quarantine.copy(path, 0, Files.size(path)) : quarantine.move(path);
    }

    private static boolean isReadable(Path path) throws IOException {
        try (MappedFile file = MappedFile.openReadOnly(path, QueueLayout.PAGE)) {
            return Pages.areReadable(file.memory());
        }
    }

    // --- Misplaced and damaged files ---

    private void putSegmentsInPlace(QueueFile.Slot slot) throws IOException {
        List<FoundSegment> misplaced = new ArrayList<>();
        List<FoundSegment> found = FoundSegment.list(directory, slot);
        FoundSegment before = null;
        for (int i = 0; i < found.size(); i++) {
            FoundSegment file = found.get(i);
            long next = next(found, i);
            if (file.state() == FoundSegment.State.RETIRED) {
                continue;
            }
            if (file.isReadable() || (file.mayBeHeadless() && writeHeader(file, before, next, slot))) {
                resize(file, slot);
                before = file;
            } else if (file.state() == FoundSegment.State.MISPLACED) {
                misplaced.add(file);
            } else {
                putAside(file);
            }
        }
        Path moved = directory.resolve(FoundSegment.MOVED);
        if (Files.exists(moved, LinkOption.NOFOLLOW_LINKS)) {
            FoundSegment file = FoundSegment.of(moved, slot);
            if (file.state() == FoundSegment.State.MISPLACED) {
                misplaced.add(file);
            } else {
                putAside(file);
            }
        }
        putInPlace(misplaced, slot);
    }

    private void putAside(FoundSegment file) throws IOException {
        done.add(file.path() + " was moved to " + quarantine.move(file.path()) + ": " + file.what());
    }

    /** Renames files one after the other, so that each is always where it was, where it belongs, or {@link FoundSegment#MOVED}. */
    private void putInPlace(List<FoundSegment> misplaced, QueueFile.Slot slot) throws IOException {
        while (!misplaced.isEmpty()) {
            FoundSegment next = find(misplaced,
                    file -> isKept(file, slot) && !Files.exists(place(file), LinkOption.NOFOLLOW_LINKS));
            if (next != null) {
                putInPlace(next, slot);
            } else {
                next = find(misplaced, file -> !isKept(file, slot) || in(place(file), misplaced) == null);
                if (next == null && Files.exists(directory.resolve(FoundSegment.MOVED))) {
                    next = misplaced.getLast();
                }
                if (next == null) {
                    // Files have changed places with each other.
                    next = inCircle(misplaced);
                    Path moved = Files.move(next.path(), directory.resolve(FoundSegment.MOVED),
                            StandardCopyOption.ATOMIC_MOVE);
                    QueueDirectory.fsyncDirectory(directory);
                    misplaced.add(new FoundSegment(moved, next.offset(), next.size(), next.header(), next.state()));
                } else {
                    putAside(next);
                }
            }
            misplaced.remove(next);
        }
    }

    private void putInPlace(FoundSegment file, QueueFile.Slot slot) throws IOException {
        SegmentHeader header = Objects.requireNonNull(file.header());
        Path place = Files.move(file.path(), place(file), StandardCopyOption.ATOMIC_MOVE);
        QueueDirectory.fsyncDirectory(directory);
        done.add(file.path() + " was moved to " + place + ", where it belongs by its header");
        resize(new FoundSegment(place, header.baseOffset(), file.size(), header, FoundSegment.State.FITS), slot);
    }

    private static @Nullable FoundSegment find(List<FoundSegment> files, Predicate<FoundSegment> which) {
        return files.stream().filter(which).findFirst().orElse(null);
    }

    private static boolean isKept(FoundSegment misplaced, QueueFile.Slot slot) {
        return Objects.requireNonNull(misplaced.header()).baseOffset() >= slot.retired();
    }

    private Path place(FoundSegment misplaced) {
        return QueueDirectory.segment(directory, Objects.requireNonNull(misplaced.header()).baseOffset());
    }

    private static @Nullable FoundSegment in(Path place, List<FoundSegment> files) {
        return find(files, file -> file.path().equals(place));
    }

    /** Finds a file in a circle of files that have changed places. */
    private FoundSegment inCircle(List<FoundSegment> misplaced) {
        FoundSegment file = misplaced.getFirst();
        // So many steps lead into the circle.
        for (int i = 0; i < misplaced.size(); i++) {
            file = Objects.requireNonNull(in(place(file), misplaced));
        }
        return file;
    }

    /**
     * Writes a new header if a record's checksum proves the generation in the old one. Not if the records show that the name is wrong: the
     * same offsets in the segment before would be lost.
     */
    private boolean writeHeader(FoundSegment found, @Nullable FoundSegment before, long next, QueueFile.Slot slot)
            throws IOException {
        if (found.size() < QueueLayout.HEADER || (before != null && endOf(before, slot) > found.offset())) {
            return false;
        }
        MappedFile file = MappedFile.open(found.path(), slot.segmentSize());
        if (!Pages.areReadable(file.memory().asSlice(0, QueueLayout.HEADER))) {
            file.close();
            return false;
        }
        SegmentFile segment = SegmentFile.existing(file, 0);
        try {
            segment.findUnreadable();
            SegmentCheck check = new SegmentCheck(segment, found.offset(), next, segment.size, found.offset(), 0);
            if (check.earliest() == Long.MAX_VALUE || isForeign(segment.queueId, slot)
                    || !GapFiller.canBegin(segment, found.offset())) {
                return false;
            }
            Path copy = quarantine.copy(found.path(), 0, QueueLayout.HEADER);
            new SegmentHeader(slot.queueId(), segment.generation, found.offset(), slot.segmentSize(),
                    check.earliest())
                    .write(segment.file.memory());
            segment.force(0, QueueLayout.HEADER);
            done.add(found.path() + ": its header was written anew; the old one is in " + copy);
            return true;
        } finally {
            segment.close();
        }
    }

    /** The offset before which the records of a segment must end; -1 if that is not known. */
    private static long next(List<FoundSegment> found, int i) {
        return i + 1 < found.size() ? found.get(i + 1).endOf(found.get(i)) : -1;
    }

    /** Returns the offset behind the last record of a segment. */
    private static long endOf(FoundSegment found, QueueFile.Slot slot) throws IOException {
        SegmentFile segment = SegmentFile.existing(MappedFile.openReadOnly(found.path(), slot.segmentSize()), 0);
        try {
            segment.findUnreadable();
            return new SegmentCheck(segment, found.offset(), -1, segment.size, found.offset(), 0).offset();
        } finally {
            segment.close();
        }
    }

    /** Whether an id is another queue's, rather than a damaged one of this queue. */
    private static boolean isForeign(long id, QueueFile.Slot slot) {
        return id != 0 && Long.bitCount(id ^ slot.queueId()) > MOST_FLIPPED;
    }

    private void resize(FoundSegment found, QueueFile.Slot slot) throws IOException {
        long size = slot.segmentSize();
        if (found.size() == size) {
            return;
        }
        if (found.size() > size) {
            Path copy = quarantine.copy(found.path(), size, found.size());
            done.add(found.path() + ": " + (found.size() - size) + " bytes behind its end were moved to " + copy);
        } else {
            done.add(found.path() + ": " + (size - found.size()) + " bytes were missing at its end, and are 0 now");
        }
        Uninterrupted.run(() -> fit(found.path(), found.size(), size));
    }

    private static void fit(Path path, long was, long size) throws IOException {
        if (was < size) {
            SparseCopy.requireRoom(path, size - was);
        }
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            channel.truncate(size);
            // By writing: unreserved space may be missing when the mapping is written to.
            for (long at = was; at < size;) {
                at += channel.write(ByteBuffer.allocate((int) Math.min(ZEROS, size - at)), at);
            }
            channel.force(true);
        }
    }

    // --- Records ---

    /** Fills all gaps. Returns the offset that the queue begins with. */
    private long fillSegments(QueueFile.Slot slot) throws IOException {
        List<FoundSegment> found = FoundSegment.list(directory, slot).stream()
                .filter(file -> file.state() == FoundSegment.State.FITS).toList();
        if (found.isEmpty()) {
            // Offsets must go on where they were.
            long next = Math.max(slot.retired(), slot.synced());
            makeSegment(next, next, System.currentTimeMillis());
            done.add("No segment was left; the queue goes on with record " + next);
            return next;
        }
        for (int i = 0; i < found.size(); i++) {
            requirePlausible(found.get(i).offset(), i + 1 < found.size() ? found.get(i + 1).offset() : slot.synced(),
                    slot);
        }
        long first = Math.max(found.getFirst().offset(), slot.retired());
        if (first > slot.retired()) {
            done.add("The queue begins with record " + first + " now: nothing was left of " + slot.retired() + " to "
                    + (first - 1));
        }
        long expected = found.getFirst().offset();
        for (int i = 0; i < found.size(); i++) {
            FoundSegment file = found.get(i);
            SegmentHeader header = Objects.requireNonNull(file.header());
            if (header.previous() - 1 > expected) {
                // So that a segment begins where this header names one.
                fillGap(expected, Math.min(header.previous() - 1, file.offset()), header.created(), slot);
                expected = Math.min(header.previous() - 1, file.offset());
            }
            fillGap(expected, file.offset(), header.created(), slot);
            expected = fillHoles(file, next(found, i), slot);
        }
        fillGap(expected, slot.synced(),
                Math.max(System.currentTimeMillis(), Objects.requireNonNull(found.getLast().header()).created()), slot);
        return first;
    }

    /** Fills the gaps of a segment. Returns the offset behind it. */
    private long fillHoles(FoundSegment found, long next, QueueFile.Slot slot) throws IOException {
        SegmentFile segment = SegmentFile.existing(MappedFile.open(found.path(), slot.segmentSize()), 0);
        try {
            SegmentCheck check = SegmentCheck.of(segment, found, next, slot);
            List<Path> copies = new ArrayList<>();
            for (SegmentCheck.Hole hole : check.holes()) {
                // The end of the last segment's records may be unknown.
                boolean isEndKnown = next >= 0 || slot.cleanPosition() != 0 || hole.end() < check.position();
                copies.add(quarantine.copy(found.path(), hole.position(), isEndKnown ? hole.end() : segment.size));
            }
            if (overwriteUnreadable(segment)) {
                segment.close();
                segment = SegmentFile.existing(MappedFile.open(found.path(), slot.segmentSize()), 0);
            }
            for (int i = 0; i < copies.size(); i++) {
                SegmentCheck.Hole hole = check.holes().get(i);
                // The only time that keeps segments in order.
                GapFiller.withdraw(segment, hole.position(), hole.offset(),
                        new GapFiller.Found(hole.end(), hole.next()),
                        segment.created);
                done.add(found.path() + ": records " + hole.offset() + " to " + (hole.next() - 1)
                        + " were withdrawn; the old bytes are in " + copies.get(i));
            }
            segment.force(0, segment.size);
            return check.offset();
        } finally {
            segment.close();
        }
    }

    /** Writes zeros to unreadable places: a disk replaces a bad sector when it is written as a whole. Returns whether there was any. */
    private boolean overwriteUnreadable(SegmentFile segment) throws IOException {
        if (segment.firstUnreadable(0, segment.size) < 0) {
            return false;
        }
        Uninterrupted.run(() -> overwriteAllUnreadable(segment));
        return true;
    }

    private void overwriteAllUnreadable(SegmentFile segment) throws IOException {
        try (FileChannel channel = FileChannel.open(segment.path, StandardOpenOption.WRITE,
                LinkOption.NOFOLLOW_LINKS)) {
            int end;
            for (int at = segment.firstUnreadable(0, segment.size); at >= 0; at = segment.firstUnreadable(end,
                    segment.size)) {
                end = segment.endOfUnreadable(at);
                // Page by page, because a partial write of a sector would have to read it.
                for (int page = at; page < end; page += Pages.SIZE) {
                    ByteBuffer zeros = ByteBuffer.allocate(Math.min(Pages.SIZE, end - page));
                    while (zeros.hasRemaining()) {
                        channel.write(zeros, page + zeros.position());
                    }
                }
                done.add(segment + ": " + (end - at) + " bytes at byte " + at + " could not be read, and are 0 now");
            }
            channel.force(true);
        }
    }

    private static long most(QueueFile.Slot slot) {
        return (slot.segmentSize() - QueueLayout.HEADER) / QueueLayout.PAYLOAD;
    }

    private void requirePlausible(long from, long to, QueueFile.Slot slot) {
        if ((to - from) / most(slot) > MOST_MISSING) {
            throw Failures.make()
                    .refused("Between record " + from + " and record " + to + " of " + directory + " more than "
                            + MOST_MISSING + " segments are missing; the one that begins with " + to
                            + " hardly belongs to this queue. Move it to another place, and try again");
        }
    }

    /** Makes segments of withdrawn records in place of missing ones: no more than there were, because each record has taken room. */
    private void fillGap(long from, long to, long millis, QueueFile.Slot slot) throws IOException {
        if (from >= to) {
            return;
        }
        long most = most(slot);
        for (long at = from; at < to; at += most) {
            makeSegment(at, Math.min(to, at + most), millis);
        }
        done.add("Records " + from + " to " + (to - 1)
                + " were missing, with their segments, and count as withdrawn now");
    }

    /** Makes a segment of withdrawn records. */
    private void makeSegment(long from, long to, long millis) throws IOException {
        QueueFile.Slot slot = Objects.requireNonNull(QueueFile.read(directory.resolve(QueueFile.NAME)));
        Path path = QueueDirectory.segment(directory, from);
        Path unfinished = path.resolveSibling("repair.new");
        Files.deleteIfExists(unfinished);
        MappedFile.create(unfinished, slot.segmentSize());
        SegmentFile segment = SegmentFile.begin(MappedFile.open(unfinished), unfinished,
                new SegmentHeader(slot.queueId(), random.nextLong(), from, slot.segmentSize(), millis), 0);
        try {
            int end = QueueLayout.HEADER + (int) (to - from) * QueueLayout.PAYLOAD;
            if (to > from) {
                GapFiller.withdraw(segment, QueueLayout.HEADER, from, new GapFiller.Found(end, to), millis);
                segment.writeEnd(end, to, millis);
            }
            segment.force(0, segment.size);
        } finally {
            segment.close();
        }
        Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
        QueueDirectory.fsyncDirectory(directory);
    }

    // --- Groups ---

    /** Replaces damaged files of groups. A group must not vanish, because it keeps the records that it has not read. */
    private void repairGroups(long queueId, long first) throws IOException {
        for (Path path : GroupCheck.files(directory)) {
            String damage = GroupCheck.read(path, queueId).damage();
            if (damage == null) {
                continue;
            }
            Path unfinished = path.resolveSibling("repair.new");
            Files.deleteIfExists(unfinished);
            MappedFile.create(unfinished, GroupLayout.SIZE);
            try (MappedFile file = MappedFile.open(unfinished)) {
                GroupLayout.writeSlot(file.memory(), 0, 0, queueId, first);
                file.force(0, GroupLayout.SIZE);
            }
            // Only now: if there is no space for the new file, the group must not vanish.
            Path copy = aside(path);
            Files.move(unfinished, path, StandardCopyOption.ATOMIC_MOVE);
            QueueDirectory.fsyncDirectory(directory.resolve("groups"));
            done.add(path + ": the group is given all records again, from " + first + " on; the old file is in "
                    + copy + " (" + damage + ")");
        }
    }
}
