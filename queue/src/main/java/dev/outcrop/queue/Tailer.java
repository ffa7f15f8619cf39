package dev.outcrop.queue;

import dev.outcrop.memory.MappedFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.VarHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue that another process writes, or this one, or none. It changes nothing that the writer or the consumer groups see, except that a
 * file of records which it is reading is not used again before it has read on; when its process ends, however that comes about, it holds
 * nothing back any more.
 *
 * <p>It sees records as soon as they are appended, before they are on the disk: after a power cut, records that it has shown may be gone, and
 * others have their offsets. Withdrawn records it leaves out. A damaged record can only be told from one that is still being appended once the
 * queue has said that it is on the disk, which is at the latest when the queue was closed.
 *
 * <pre>{@code
 * try (Tailer tailer = Tailer.open(directory)) {
 *     while (tailer.poll(Duration.ofSeconds(1))) {
 *         process(tailer.offset(), tailer.segment());
 *     }
 * }
 * }</pre>
 *
 * <p>For the thread that opened it. It needs write access to the directory {@code tailers} in that of the queue.
 */
public final class Tailer implements AutoCloseable {
    private static final long SHORTEST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 10_000_000;
    /** The part of the time that it has waited for, after which it looks again. */
    private static final int PAUSE_PART = 16;

    private final Path directory;
    private final Thread owner = Thread.currentThread();
    private final TailerFile registration;
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

    private boolean hasFound;
    private int foundPosition;
    private int foundLength;
    private long foundTime;
    private @Nullable Arena lent;
    private @Nullable MemorySegment payload;
    private boolean isClosed;

    private Tailer(Path directory, TailerFile registration) {
        this.directory = directory;
        this.registration = registration;
    }

    /**
     * Begins to read a queue, with the first record that is kept.
     *
     * @param directory the queue's
     * @return to be closed by the caller
     * @throws UncheckedIOException  if its files cannot be read, or this tailer's own cannot be written
     * @throws QueueException        if there is no queue in the directory
     * @throws QueueCorruptException if it is damaged
     */
    public static Tailer open(Path directory) {
        StackNeed.OPEN.require();
        Rehearsal.run();
        if (!Files.isRegularFile(directory.resolve(QueueFile.NAME))) {
            throw new QueueException("There is no queue in " + directory + ": it has no file '" + QueueFile.NAME + "'");
        }
        Tailer tailer = register(directory);
        try {
            tailer.seekToBeginning();
            return tailer;
        } catch (Throwable e) {
            tailer.close();
            throw e;
        }
    }

    private static Tailer register(Path directory) {
        try {
            Path queue = directory.toRealPath();
            return new Tailer(queue, TailerFile.register(queue));
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The queue " + directory + " cannot be tailed: there is no writing to its directory tailers: "
                            + FailureText.of(e),
                    e);
        }
    }

    // --- What users call ---

    /**
     * Goes on to the next record, if it is there.
     *
     * @return whether it was; then {@link #offset()}, {@link #time()} and {@link #segment()} are those of this record
     * @throws QueueCorruptException if it is damaged; asking again throws again, {@link #seek} goes elsewhere
     * @throws UncheckedIOException  if the files cannot be read
     */
    public boolean poll() {
        StackNeed.RELEASE.require();
        requireUsable();
        forget();
        try {
            while (advance()) {
                if (hasFound) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw unreadable(e);
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    /**
     * Goes on to the next record, or waits until it is there. Another process cannot wake it: it looks every millisecond, and the longer it has waited the
     * less often, down to every 10 ms.
     *
     * @param timeout how long to wait; not negative
     * @return as {@link #poll()}
     * @throws InterruptedException  if the thread is interrupted
     * @throws QueueCorruptException as {@link #poll()}
     * @throws UncheckedIOException  as {@link #poll()}
     */
    public boolean poll(Duration timeout) throws InterruptedException {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout must not be negative: " + timeout);
        }
        long start = System.nanoTime();
        long nanos = timeout.compareTo(Duration.ofNanos(Long.MAX_VALUE)) < 0 ? timeout.toNanos() : Long.MAX_VALUE;
        while (!poll()) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            long waited = System.nanoTime() - start;
            if (nanos - waited <= 0) {
                return false;
            }
            long pause = Math.clamp(waited / PAUSE_PART, SHORTEST_PAUSE_NANOS, LONGEST_PAUSE_NANOS);
            LockSupport.parkNanos(this, Math.min(nanos - waited, pause));
        }
        return true;
    }

    /**
     * The number of the record that {@link #poll()} has found.
     *
     * @return its offset
     * @throws IllegalStateException if it has found none
     */
    public long offset() {
        requireFound();
        return offset - 1;
    }

    /**
     * When the record that {@link #poll()} has found was appended.
     *
     * @return milliseconds since 1970-01-01 UTC
     * @throws IllegalStateException if it has found none
     */
    public long time() {
        requireFound();
        return foundTime;
    }

    /**
     * The payload of the record that {@link #poll()} has found, where it lies in the mapped file.
     *
     * @return read-only, for this thread; from the next poll, seek or close on, every access to it throws {@link IllegalStateException}
     * @throws IllegalStateException if it has found none
     */
    public MemorySegment segment() {
        StackNeed.RELEASE.require();
        requireFound();
        MemorySegment shown = payload;
        if (shown == null) {
            Arena lifetime = Arena.ofConfined();
            lent = lifetime;
            shown = Objects.requireNonNull(segment).lend(foundPosition, foundLength, lifetime);
            payload = shown;
        }
        return shown;
    }

    /**
     * The offset of the record, withdrawn ones included, that comes next.
     *
     * @return where {@link #poll()} goes on
     */
    public long nextOffset() {
        requireUsable();
        return offset;
    }

    /**
     * Goes before the record of an offset; before the first one that is kept if that is gone, and behind the last one if it is not there yet.
     *
     * @param offset of a record
     * @throws IllegalArgumentException if it is negative
     * @throws QueueCorruptException    if the files are damaged
     * @throws UncheckedIOException     if the files cannot be read
     */
    public void seek(long offset) {
        StackNeed.RELEASE.require();
        requireUsable();
        if (offset < 0) {
            throw new IllegalArgumentException("An offset cannot be " + offset);
        }
        forget();
        try {
            go(offset);
        } catch (IOException e) {
            throw unreadable(e);
        } catch (InternalError e) {
            throw cutOff(e);
        }
    }

    /**
     * Goes before the first record that is kept.
     *
     * @throws QueueCorruptException if the files are damaged
     * @throws UncheckedIOException  if they cannot be read
     */
    public void seekToBeginning() {
        seek(0);
    }

    /**
     * Goes behind the last record that is there.
     *
     * @throws QueueCorruptException if the files are damaged
     * @throws UncheckedIOException  if they cannot be read
     */
    public void seekToEnd() {
        seek(Long.MAX_VALUE);
    }

    /**
     * Goes before the first record that was appended at or after a time, or behind the last one if there is none. Reads at worst the records of
     * one whole file. {@link ConsumerGroup#seek(Instant)} says how exact the times are.
     *
     * @param time by the clock of whoever appended
     * @throws QueueCorruptException if a record that had to be read is damaged; {@link #poll()} throws the same then, and {@link #seek(long)} goes
     *                               elsewhere
     * @throws UncheckedIOException  if the files cannot be read
     */
    public void seek(Instant time) {
        StackNeed.FILES.require();
        requireUsable();
        long millis = Clock.millisNotBefore(time);
        forget();
        try {
            goTo(millis);
        } catch (IOException e) {
            throw unreadable(e);
        } catch (InternalError e) {
            throw cutOff(e);
        } finally {
            hasFound = false;
        }
    }

    /**
     * Lets go of the queue. Does nothing if that was done before.
     *
     * @throws UncheckedIOException if the file that says what this tailer needs cannot be deleted; it does not count any more all the same
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        StackNeed.FILES.require();
        requireOwner();
        forget();
        isClosed = true;
        leave();
        if (identity != null) {
            identity.close();
        }
        arena.close();
        try {
            registration.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The " + this + " cannot delete its file: " + FailureText.of(e), e);
        }
    }

    // --- Going through the records ---

    /** Goes behind the next record, whatever its kind, and remembers it if it is for users. Returns whether there was one. */
    private boolean advance() throws IOException {
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
                hasFound = in.kind(position) == QueueLayout.KIND_RECORD;
                foundPosition = position;
                foundLength = length;
                foundTime = in.time(position);
                position += (int) QueueLayout.recordBytes(length);
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
        // It is not used again before this tailer has said that it needs what is before it no more.
        if (offset == from.baseOffset || !Files.exists(path)) {
            return false;
        }
        StackNeed.FILES.require();
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
            return false;
        }
        // "synced" is written after the record: so the look at the record must come after that at "synced".
        VarHandle.acquireFence();
        if (isThere(in) || moveOn(in)) {
            return true;
        }
        Path path = QueueDirectory.segment(directory, offset);
        if (offset != in.baseOffset && Files.exists(path)) {
            throw new QueueCorruptException(path, 0, offset,
                    "it does not begin with the header that belongs to its name");
        }
        throw new QueueCorruptException(in.path, position, offset,
                "record " + offset + " was on the disk, and is not whole any more");
    }

    // --- Going to a segment ---

    /**
     * Goes before an offset, or behind all records if there are not so many.
     *
     * <p>First everything is claimed, then what is retired is looked at, then a segment is chosen that is not: see the document of the format for
     * why it is not taken away.
     */
    private void go(long target) throws IOException {
        StackNeed.FILES.require();
        leave();
        registration.needs(0);
        openIdentity();
        QueueFile.Slot slot = slot();
        if (slot == null) {
            throw new QueueCorruptException(directory.resolve(QueueFile.NAME), 0, "neither of its slots is whole");
        }
        long from = Math.max(target, slot.retired());
        Path best = null;
        boolean isAny = false;
        for (Path path : QueueDirectory.segments(directory)) {
            isAny = true;
            if (QueueDirectory.offset(path) <= from) {
                best = path;
            }
        }
        offset = slot.retired();
        if (best == null) {
            if (isAny || slot.synced() > 0) {
                throw new QueueCorruptException(QueueDirectory.segment(directory, slot.retired()), 0, slot.retired(),
                        "the segment with record " + slot.retired() + ", or one before it, is missing");
            }
            // The writer has not got that far yet.
            return;
        }
        offset = QueueDirectory.offset(best);
        SegmentFile found = openSegment(best, offset);
        if (found == null) {
            throw new QueueCorruptException(best, 0, offset,
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
    private void goTo(long millis) throws IOException {
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
                // Just being made, or damaged: whoever reads that far finds out.
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
     * Whether the record of an offset begins at a place that damaged ones have led to. If it is not known to be on the disk, it must be whole:
     * otherwise all of it may be what a power cut has left, and a recovery will put other records there.
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
            throw new QueueCorruptException(path, 0, base, Pages.UNREADABLE);
        }
        SegmentFile.Header header = SegmentFile.Header.read(file.memory());
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
            throw new QueueCorruptException(file.path(), file.memory().byteSize(), "it is shorter than it was");
        }
    }

    private QueueFile.@Nullable Slot slot() {
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

    /** Ends what was lent of the last record. */
    private void forget() {
        hasFound = false;
        payload = null;
        Arena lifetime = lent;
        lent = null;
        if (lifetime != null) {
            lifetime.close();
        }
    }

    // --- Misuse ---

    private void requireUsable() {
        if (isClosed) {
            throw new IllegalStateException("The tailer of queue " + directory + " is closed");
        }
        requireOwner();
    }

    private void requireOwner() {
        if (!Thread.currentThread().equals(owner)) {
            throw new WrongThreadException("The tailer of queue " + directory + " was opened by " + owner
                    + " and is for that thread alone; let each thread open its own");
        }
    }

    private void requireFound() {
        requireUsable();
        if (!hasFound) {
            throw new IllegalStateException("There is no record: poll() of the tailer of queue " + directory
                    + " was not called, or has returned false");
        }
    }

    private UncheckedIOException unreadable(IOException e) {
        return new UncheckedIOException("The queue " + directory + " cannot be read: " + FailureText.of(e), e);
    }

    /** The pages of a file that was cut off are not there any more. */
    private QueueCorruptException cutOff(InternalError e) {
        SegmentFile in = segment;
        Path path = in == null ? directory.resolve(QueueFile.NAME) : in.path;
        return new QueueCorruptException(path, position, in == null ? -1 : offset,
                "it cannot be read: it is shorter than it was, or the disk has failed", e);
    }

    @Override
    public String toString() {
        return "tailer of queue " + directory;
    }
}
