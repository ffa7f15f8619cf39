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
 * A place between two records of a queue that another process may be writing, found and moved by what its files say and nothing else. What
 * is before it is not needed any more, which it tells the writer. For one thread.
 */
public final class TailerCursor implements AutoCloseable {
    /** Each look asks the file system. */
    private static final long LOOK_NANOS = 100_000_000;

    private final Path directory;
    private final TailerFile registration;
    /** Of a tailer with a name. */
    private final @Nullable TailerPosition done;
    /** Of {@link #slots}. */
    private final Arena arena = Arena.ofConfined();
    /** Where the slots of the file {@code queue} are copied to before they are looked at: the writer may write one of them meanwhile. */
    private final MemorySegment slots = arena.allocate(2L * QueueLayout.SLOT, Long.BYTES);
    private @Nullable MappedFile identity;

    /** Where to read on; null if there is no segment yet. */
    private @Nullable SegmentFile segment;
    private int position;
    private long offset;
    /** The file that comes behind the present one, if it ends before {@link #nextOffset}. */
    private @Nullable Path nextPath;
    private long nextOffset = -1;

    private long lookedAt = System.nanoTime();
    private boolean hasFound;
    private int foundPosition;
    private int foundLength;
    private long foundTime;

    /** Before the first record that {@link #go} finds. */
    public TailerCursor(Path directory, TailerFile registration, @Nullable TailerPosition done) {
        this.directory = directory;
        this.registration = registration;
        this.done = done;
    }

    /** Offset of the record that comes next. */
    public long offset() {
        return offset;
    }

    /** Whether the last record that this went over is one for users, and nothing has moved it since. */
    public boolean hasFound() {
        return hasFound;
    }

    public long foundTime() {
        return foundTime;
    }

    /** The segment of the found record, until this goes on. */
    public SegmentFile foundIn() {
        return Objects.requireNonNull(segment);
    }

    public int foundPosition() {
        return foundPosition;
    }

    public int foundLength() {
        return foundLength;
    }

    /** The found record's payload, until a lifetime ends, or this goes on. */
    public MemorySegment lend(Arena lifetime) {
        return foundIn().lend(foundPosition, foundLength, lifetime);
    }

    /** Nothing is found. */
    public void forget() {
        hasFound = false;
    }

    // --- Going through the records ---

    /** Goes behind the next record, whatever its kind, and remembers it if it is for users. Returns whether there was one. */
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
                // Without a call from here on: for one there may be no stack, and then all of this must change or nothing.
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

    /** Whether there is a whole record, and not the end record, at the present place. */
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

    /** Goes to the segment that begins with the present offset, if there is one. */
    private boolean moveOn(SegmentFile from) throws IOException {
        Path path = nextPath;
        if (path == null || nextOffset != offset) {
            path = QueueDirectory.segment(directory, offset);
            nextPath = path;
            nextOffset = offset;
        }
        // It is not used again before this tailer has said that it no longer needs what is before it.
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
        // Behind the last look at the segment before.
        registration.needs(offset);
        return true;
    }

    /** After a vain look: whether the record came meanwhile. If it did not, and was on the disk, it is damaged. */
    private boolean isThereByNow(SegmentFile in) throws IOException {
        QueueFile.Slot slot = slot();
        if (slot == null || offset >= slot.synced()) {
            requireThere();
            return false;
        }
        // "synced" is written after the record: so the look at the record must come after that at "synced".
        VarHandle.acquireFence();
        if (isThere(in) || moveOn(in)) {
            return true;
        }
        // Not if the queue went, as all that comes behind this file did then.
        registration.requireThere(directory);
        Path path = QueueDirectory.segment(directory, offset);
        if (offset != in.baseOffset && Files.exists(path)) {
            throw Failures.corrupt(path, 0, offset,
                    "it does not begin with the header that belongs to its name");
        }
        throw Failures.corrupt(in.path, position, offset,
                "record " + offset + " was on the disk, and is not whole any more");
    }

    /** The files that are mapped may be those of a queue that was deleted, to which no process appends. */
    private void requireThere() {
        long now = System.nanoTime();
        if (now - lookedAt >= LOOK_NANOS) {
            registration.requireThere(directory);
            lookedAt = now;
        }
    }

    // --- Going to a segment ---

    /**
     * Goes before an offset, or behind all records if there are not so many.
     *
     * <p>First everything is claimed, then what is retired is looked at, then a segment is chosen that is not: see the document of the
     * format for why it is not taken away.
     */
    public void go(long target) throws IOException {
        registration.requireThere(directory);
        leave();
        registration.needs(0);
        openIdentity();
        QueueFile.Slot slot = slot();
        if (slot == null) {
            throw Failures.corrupt(directory.resolve(QueueFile.NAME), 0, "neither of its slots is whole");
        }
        // What is retired may still be kept for a name.
        long kept = done == null ? slot.retired() : Math.min(slot.retired(), done.committed());
        List<Path> paths = QueueDirectory.segments(directory);
        boolean isAny = !paths.isEmpty();
        if (isAny) {
            long first = QueueDirectory.offset(paths.getFirst());
            // After a power cut, what is committed may be less than it was when the files before the first one were given back.
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
                throw Failures.corrupt(QueueDirectory.segment(directory, kept), 0, kept,
                        "the segment with record " + kept + ", or one before it, is missing");
            }
            // The writer has not got that far yet.
            return;
        }
        offset = QueueDirectory.offset(best);
        SegmentFile found = openSegment(best, offset);
        if (found == null) {
            throw Failures.corrupt(best, 0, offset,
                    "it does not begin with the header that belongs to its name");
        }
        segment = found;
        position = QueueLayout.HEADER;
        registration.needs(offset);
        // One record after another: a segment has no index.
        skip(found, from, slot.synced());
        while (offset < from && advance()) {
            // What came meanwhile, or that there is damage which nothing can be found behind.
        }
        hasFound = false;
    }

    /** Goes before the first record of a time or later, or behind all. */
    public void goTo(long millis) throws IOException {
        // First to the first one that is kept: so none of those behind it is given back before the right one is found.
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
                // Just being made, or damaged: a reader that comes so far finds out.
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

    /** Goes through a segment up to an offset, also behind damaged records: their committed words say where the next ones are. */
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
     * Whether the record of an offset begins at a place that damaged ones have led to. If it is not known to be on the disk, it must be
     * whole: otherwise all of it may be what a power cut has left, and a recovery will put other records there.
     */
    private static boolean isBehindDamage(SegmentFile in, int at, long expected, long synced) {
        if (expected < synced) {
            return at <= in.size - QueueLayout.PAYLOAD && in.isCommitted(in.commitWord(at), expected);
        }
        return expected == synced || isWhole(in, at, expected);
    }

    /** Opens the segment that begins with an offset. Returns null if it is none, or none yet. */
    private @Nullable SegmentFile openSegment(Path path, long base) throws IOException {
        MappedFile file = MappedFile.openReadOnly(path);
        if (file.memory().byteSize() >= QueueLayout.HEADER
                && !Pages.areReadable(file.memory().asSlice(0, QueueLayout.HEADER))) {
            file.close();
            throw Failures.corrupt(path, 0, base, Pages.UNREADABLE);
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
            throw Failures.corrupt(file.path(), file.memory().byteSize(), "it is shorter than it was");
        }
    }

    /** What the file {@code queue} says at this moment; null if it is damaged, or this was nowhere yet. */
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

    /** The pages of a file that was cut off are not there any more. */
    public RuntimeException cutOff(InternalError e) {
        SegmentFile in = segment;
        Path path = in == null ? directory.resolve(QueueFile.NAME) : in.path;
        return Failures.corrupt(path, position, in == null ? -1 : offset,
                "it cannot be read: it is shorter than it was, or the disk has failed", e);
    }

    /** Unmaps the files; the registration is another's. */
    @Override
    public void close() {
        leave();
        if (identity != null) {
            identity.close();
        }
        arena.close();
    }
}
