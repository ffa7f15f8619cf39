package dev.outcrop.queue.internal.tailers;

import dev.outcrop.memory.MappedFile;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentHeader;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A position between two records of a queue that another process may be writing. It relies on the queue's files alone, and tells the writer
 * what it needs. For one thread.
 */
public final class TailerCursor implements AutoCloseable {
    /** How often to ask the file system whether the queue is there. */
    private static final long LOOK_NANOS = 100_000_000;

    private final Path directory;
    private final TailerFile registration;
    /** The position of a named tailer. */
    private final @Nullable TailerPosition done;
    private final Arena arena = Arena.ofConfined();
    /** A copy of the slots of the file {@code queue}, because the writer may write one of them. */
    private final MemorySegment slots = arena.allocate(2L * QueueLayout.SLOT, Long.BYTES);
    private @Nullable MappedFile identity;

    /** The present segment; null if there is none yet. */
    private @Nullable SegmentFile segment;
    private int position;
    private long offset;
    /** The next file, if the present one ends before {@link #nextOffset}. */
    private @Nullable Path nextPath;
    private long nextOffset = -1;

    private long lookedAt = System.nanoTime();
    private boolean hasFound;
    private int foundPosition;
    private int foundLength;
    private long foundTime;

    /** Makes a cursor that {@link #go} places. */
    public TailerCursor(Path directory, TailerFile registration, @Nullable TailerPosition done) {
        this.directory = directory;
        this.registration = registration;
        this.done = done;
    }

    /** The offset of the next record. */
    public long offset() {
        return offset;
    }

    /** Whether the last record is one for users, and nothing has moved this since. */
    public boolean hasFound() {
        return hasFound;
    }

    public long foundTime() {
        return foundTime;
    }

    /** The segment of the found record, until this moves. */
    public SegmentFile foundIn() {
        return Objects.requireNonNull(segment);
    }

    public int foundPosition() {
        return foundPosition;
    }

    public int foundLength() {
        return foundLength;
    }

    /** Lends the found record's payload, until the lifetime ends or this moves. */
    public MemorySegment lend(Arena lifetime) {
        return foundIn().lend(foundPosition, foundLength, lifetime);
    }

    /** Forgets the found record. */
    public void forget() {
        hasFound = false;
    }

    // --- Going through the records ---

    /** Moves over the next record of any kind, and remembers it if it is for users. Returns whether there was one. */
    public boolean advance() throws IOException {
        while (true) {
            if (segment == null) {
                go(offset);
            }
            SegmentFile in = segment;
            if (in == null) {
                return false;
            }
            if (isThere(in)) {
                int length = QueueLayout.length(in.commitWord(position));
                boolean isRecord = in.kind(position) == QueueLayout.KIND_RECORD;
                long time = in.time(position);
                int end = position + (int) QueueLayout.recordBytes(length);
                // No call from here on: there may be no stack for one, and then all of this must change or nothing.
                hasFound = isRecord;
                foundPosition = position;
                foundLength = length;
                foundTime = time;
                position = end;
                offset++;
                return true;
            }
            if (!moveOn(in) && !isThereByNow(in)) {
                return false;
            }
        }
    }

    /** Whether there is a whole record at the position, other than the end record. */
    private boolean isThere(SegmentFile in) {
        return isWhole(in, position, offset) && in.kind(position) != QueueLayout.KIND_END;
    }

    private static boolean isWholeEnd(SegmentFile in, int at, long expected) {
        return in.kind(at) == QueueLayout.KIND_END && isWhole(in, at, expected);
    }

    /** Whether there is a whole record of an offset, or the end record, at a place. */
    private static boolean isWhole(SegmentFile in, int at, long expected) {
        if (at > in.size - QueueLayout.PAYLOAD) {
            return false;
        }
        long word = in.commitWord(at);
        return in.isCommitted(word, expected) && in.isWhole(at, expected, QueueLayout.length(word));
    }

    /** Moves to the segment that begins with the present offset, if there is one. */
    private boolean moveOn(SegmentFile from) throws IOException {
        Path path = nextPath;
        if (path == null || nextOffset != offset) {
            path = QueueDirectory.segment(directory, offset);
            nextPath = path;
            nextOffset = offset;
        }
        // The file is not used again before this tailer has released what is before it.
        if (offset == from.baseOffset || !Files.exists(path)) {
            return false;
        }
        SegmentFile next = openSegment(path, offset);
        if (next == null) {
            return false;
        }
        segment = next;
        position = QueueLayout.HEADER;
        from.close();
        // After the last read of the segment before.
        registration.needs(offset);
        return true;
    }

    /** Looks again whether the record is there. If it is not, and was on the disk, it is damaged. */
    private boolean isThereByNow(SegmentFile in) throws IOException {
        QueueFile.Slot slot = slot();
        if (slot == null || offset >= slot.synced()) {
            requireThere();
            return false;
        }
        // "synced" is written after the record, so the record must be read after "synced".
        VarHandle.acquireFence();
        if (isThere(in) || moveOn(in)) {
            return true;
        }
        // Not if the queue was deleted.
        registration.requireThere(directory);
        Path path = QueueDirectory.segment(directory, offset);
        if (offset != in.baseOffset && Files.exists(path)) {
            throw Failures.make().corrupt(path, 0, offset,
                    "it does not begin with the header that belongs to its name");
        }
        throw Failures.make().corrupt(in.path, position, offset,
                "record " + offset + " was on the disk, and is no longer whole");
    }

    /** Checks now and then that the queue was not deleted. */
    private void requireThere() {
        long now = System.nanoTime();
        if (now - lookedAt >= LOOK_NANOS) {
            registration.requireThere(directory);
            lookedAt = now;
        }
    }

    // --- Going to a segment ---

    /**
     * Moves before an offset, or behind all records if there are fewer.
     *
     * <p>First it claims everything, then it reads what is retired, then it chooses a segment that is not: {@code docs/queue-format.md}
     * says why that is safe.
     */
    public void go(long target) throws IOException {
        registration.requireThere(directory);
        leave();
        registration.needs(0);
        openIdentity();
        QueueFile.Slot slot = slot();
        if (slot == null) {
            throw Failures.make().corrupt(directory.resolve(QueueFile.NAME), 0, "neither of its slots is whole");
        }
        // Retired records may be kept for a named tailer.
        long kept = done == null ? slot.retired() : Math.min(slot.retired(), done.committed());
        List<Path> paths = QueueDirectory.segments(directory);
        boolean isAny = !paths.isEmpty();
        if (isAny) {
            long first = QueueDirectory.offset(paths.getFirst());
            // After a power cut, the committed position may be behind the first file.
            kept = first <= slot.retired() ? Math.max(kept, first) : kept;
        }
        long from = Math.max(target, kept);
        Path best = null;
        for (Path path : paths) {
            if (QueueDirectory.offset(path) <= from) {
                best = path;
            }
        }
        offset = kept;
        if (best == null) {
            if (isAny || slot.synced() > 0) {
                throw Failures.make().corrupt(QueueDirectory.segment(directory, kept), 0, kept,
                        "the segment with record " + kept + ", or one before it, is missing");
            }
            // The writer has not made one yet.
            return;
        }
        offset = QueueDirectory.offset(best);
        SegmentFile found = openSegment(best, offset);
        if (found == null) {
            throw Failures.make().corrupt(best, 0, offset,
                    "it does not begin with the header that belongs to its name");
        }
        segment = found;
        position = QueueLayout.HEADER;
        registration.needs(offset);
        // A segment has no index.
        skip(found, from, slot.synced());
        while (offset < from && advance()) {
            // Also over records that came meanwhile.
        }
        hasFound = false;
    }

    /** Moves before the first record of a time or later, or behind all. */
    public void goTo(long millis) throws IOException {
        // First moves to the first record that is kept, so that no later file is given back meanwhile.
        go(0);
        if (segment == null) {
            return;
        }
        long start = offset;
        for (Path path : QueueDirectory.segments(directory)) {
            long base = QueueDirectory.offset(path);
            if (base <= start) {
                continue;
            }
            SegmentFile next = openSegment(path, base);
            if (next == null) {
                // Just being made, or damaged, which a reader finds when it gets there.
                break;
            }
            long created = next.created;
            next.close();
            if (created >= millis) {
                break;
            }
            start = base;
        }
        go(start);
        while (advance()) {
            if (hasFound && foundTime >= millis) {
                offset--;
                position = foundPosition;
                return;
            }
        }
    }

    /** Moves through a segment up to an offset, also over damaged records: their committed words tell where the next ones are. */
    private void skip(SegmentFile in, long target, long synced) {
        int at = position;
        long next = offset;
        boolean isSure = true;
        while (next < target && at <= in.size - QueueLayout.PAYLOAD) {
            long word = in.commitWord(at);
            long bytes = QueueLayout.recordBytes(QueueLayout.length(word));
            if (!in.isCommitted(word, next) || bytes > in.size - at || isWholeEnd(in, at, next)) {
                break;
            }
            isSure = in.isWhole(at, next, QueueLayout.length(word));
            at += (int) bytes;
            next++;
            if (isSure) {
                position = at;
                offset = next;
            }
        }
        if (!isSure && isBehindDamage(in, at, next, synced)) {
            position = at;
            offset = next;
        }
    }

    /**
     * Whether the record of an offset begins at a place behind damaged ones. If it is not known to be on the disk, it must be whole: it may
     * be what a power cut has left, and recovery will put other records there.
     */
    private static boolean isBehindDamage(SegmentFile in, int at, long expected, long synced) {
        if (expected < synced) {
            return at <= in.size - QueueLayout.PAYLOAD && in.isCommitted(in.commitWord(at), expected);
        }
        return expected == synced || isWhole(in, at, expected);
    }

    /** Opens the segment that begins with an offset. Returns null if the file is no segment, or not yet. */
    private @Nullable SegmentFile openSegment(Path path, long base) throws IOException {
        MappedFile file = MappedFile.openReadOnly(path);
        if (file.memory().byteSize() >= QueueLayout.HEADER
                && !Pages.areReadable(file.memory().asSlice(0, QueueLayout.HEADER))) {
            file.close();
            throw Failures.make().corrupt(path, 0, base, Pages.UNREADABLE);
        }
        SegmentHeader header = SegmentHeader.read(file.memory());
        QueueFile.Slot slot = slot();
        if (header == null || slot == null || header.queueId() != slot.queueId() || header.baseOffset() != base) {
            file.close();
            return null;
        }
        return SegmentFile.existing(file, 0);
    }

    private void openIdentity() throws IOException {
        MappedFile before = identity;
        identity = null;
        if (before != null) {
            before.close();
        }
        MappedFile file = MappedFile.openReadOnly(directory.resolve(QueueFile.NAME));
        identity = file;
        if (file.memory().byteSize() < slots.byteSize()) {
            throw Failures.make().corrupt(file.path(), file.memory().byteSize(), "it is shorter than it was");
        }
    }

    /** Reads the file {@code queue}; null if it is damaged, or was not opened. */
    public QueueFile.@Nullable Slot slot() {
        MappedFile file = identity;
        if (file == null) {
            return null;
        }
        MemorySegment.copy(file.memory(), 0, slots, 0, slots.byteSize());
        return QueueFile.Slot.read(slots);
    }

    private void leave() {
        SegmentFile in = segment;
        segment = null;
        if (in != null) {
            in.close();
        }
    }

    /** The exception for a page of a truncated file. */
    public RuntimeException cutOff(InternalError e) {
        SegmentFile in = segment;
        Path path = in == null ? directory.resolve(QueueFile.NAME) : in.path;
        return Failures.make().corrupt(path, position, in == null ? -1 : offset,
                "it cannot be read: it is shorter than it was, or the disk has failed", e);
    }

    /** Unmaps the files. The registration stays. */
    @Override
    public void close() {
        leave();
        if (identity != null) {
            identity.close();
        }
        arena.close();
    }
}
