package dev.outcrop.queue;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Nanos;
import dev.outcrop.queue.internal.append.Clock;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.tailers.TailerCursor;
import dev.outcrop.queue.internal.tailers.TailerFile;
import dev.outcrop.queue.internal.tailers.TailerPosition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads a queue, whether another process, this process or no process writes it. A tailer changes nothing that the writer or the consumer
 * groups see, except that the queue does not reuse a file before the tailer has read on from it. When the tailer's process ends, however it
 * ends, the tailer no longer holds any file back, unless it has a {@linkplain #open(Path, String) name}.
 *
 * <p>A tailer sees records as soon as they are appended, before they are on the disk. So after a power cut, records that it has shown may
 * be gone, and other records may have their offsets. It skips withdrawn records. It can tell a damaged record from a record that is still
 * being appended only once the queue has said that the record is on the disk, at the latest when the queue was closed.
 *
 * <pre>{@code
 * try (Tailer tailer = Tailer.open(directory)) {
 *     while (tailer.poll(Duration.ofSeconds(1))) {
 *         process(tailer.offset(), tailer.segment());
 *     }
 * }
 * }</pre>
 *
 * <p>Only the thread that opened a tailer may use it. It needs write access to the directory {@code tailers} in the queue's directory.
 */
public final class Tailer implements AutoCloseable {
    static {
        QueueFailures.install();
    }

    private static final long SHORTEST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 10_000_000;
    /** The part of the time waited so far after which it looks again. */
    private static final int PAUSE_PART = 16;

    private final Path directory;
    private final Thread owner = Thread.currentThread();
    private final TailerFile registration;
    private final @Nullable TailerPosition done;
    private final TailerCursor cursor;
    private final RecordView view = new RecordView(this::segment, this::segment);
    private @Nullable Arena lent;
    private @Nullable MemorySegment payload;
    private boolean isClosed;

    private Tailer(Path directory, TailerFile registration, @Nullable TailerPosition done) {
        this.directory = directory;
        this.done = done;
        this.registration = registration;
        this.cursor = new TailerCursor(directory, registration, done);
    }

    /**
     * Opens a tailer that begins with the first record that is kept.
     *
     * @param directory the queue's
     * @return the tailer, which the caller must close
     * @throws IllegalArgumentException if the path does not belong to the default file system
     * @throws UncheckedIOException     if the queue's files cannot be read, or the tailer's own files cannot be written
     * @throws QueueException           if there is no queue in the directory
     * @throws QueueCorruptException    if the queue is damaged
     */
    public static Tailer open(Path directory) {
        prepare(directory);
        return open(directory, queue -> new Tailer(queue, TailerFile.register(queue), null), Tailer::seekToBeginning);
    }

    /**
     * Opens a tailer that begins where the last tailer of the same name called {@link #commit()}, or with the first record that is kept if
     * there was none. From then on the queue keeps all later records for this name, also while no tailer of the name is open, until
     * {@link QueueFiles#deleteTailer} forgets the name. A tailer does not stop producers: the disk is the only limit.
     *
     * <p>So several processes can read a queue that another process writes, each with its own position, which survives the end of the
     * process, even a kill -9. After a power cut, a position may be an earlier one; the tailer then begins there, or with the first record
     * that is kept. To share records among several consumers, use a {@link ConsumerGroup} in the process that writes.
     *
     * @param directory the queue's
     * @param name      of the tailer; only one tailer of a name can be open at a time, in all processes
     * @return the tailer, which the caller must close
     * @throws IllegalArgumentException if the name is empty or too long for a file name, or the path does not belong to the default file
     *                                  system
     * @throws UncheckedIOException     if the queue's files cannot be read, or the tailer's own files cannot be written
     * @throws QueueLockedException     if a tailer of this name is open
     * @throws QueueException           if there is no queue in the directory
     * @throws QueueCorruptException    if the queue is damaged
     */
    public static Tailer open(Path directory, String name) {
        Objects.requireNonNull(name, "name");
        prepare(directory);
        return open(directory, queue -> named(queue, name), Tailer::seekToCommitted);
    }

    private static void prepare(Path directory) {
        QueueFiles.requireOfSystem(directory);
        if (!Files.isRegularFile(directory.resolve(QueueFile.NAME))) {
            throw QueueFiles.missing(directory, "it has no file '" + QueueFile.NAME + "'");
        }
    }

    private void create(String name) {
        try {
            TailerPosition.create(directory, name, cursor.offset());
        } catch (IOException e) {
            throw new UncheckedIOException("Tailer " + name + " of the queue " + directory + " cannot be made: "
                    + FailureText.of(e), e);
        }
    }

    private static Tailer named(Path queue, String name) throws IOException {
        TailerPosition position = TailerPosition.open(queue, name);
        while (position == null) {
            // Keeps all records meanwhile.
            try (Tailer first = open(queue)) {
                first.create(name);
            }
            position = TailerPosition.open(queue, name);
        }
        try {
            return new Tailer(queue, TailerFile.register(queue), position);
        } catch (Throwable e) {
            position.close();
            throw e;
        }
    }

    private interface Registration {
        Tailer run(Path queue) throws IOException;
    }

    private static Tailer open(Path directory, Registration registration, java.util.function.Consumer<Tailer> start) {
        Tailer tailer = register(directory, registration);
        try {
            start.accept(tailer);
            return tailer;
        } catch (Throwable e) {
            tailer.close();
            throw e;
        }
    }

    private static Tailer register(Path directory, Registration registration) {
        try {
            return registration.run(directory.toRealPath());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "The queue " + directory + " cannot be tailed: its directory tailers cannot be written: "
                            + FailureText.of(e),
                    e);
        }
    }

    // --- Reading ---

    /**
     * Moves to the next record, if there is one.
     *
     * @return whether there was one; then {@link #offset()}, {@link #time()} and {@link #segment()} belong to this record
     * @throws QueueCorruptException if the record is damaged; polling again throws again, but {@link #seek} can move elsewhere
     * @throws QueueException        if there is no next record, and the queue was deleted or moved
     * @throws UncheckedIOException  if the files cannot be read
     */
    public boolean poll() {
        requireUsable();
        forget();
        try {
            while (cursor.advance()) {
                if (cursor.hasFound()) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            throw unreadable(e);
        } catch (InternalError e) {
            throw cursor.cutOff(e);
        }
    }

    /**
     * Moves to the next record, or waits until it is there. Another process cannot wake the tailer, so the tailer looks every millisecond,
     * and less often the longer it has waited, down to every 10 ms.
     *
     * @param timeout how long to wait; not at all if it is negative
     * @return as {@link #poll()}
     * @throws InterruptedException  if the thread is interrupted
     * @throws QueueCorruptException as {@link #poll()}
     * @throws UncheckedIOException  as {@link #poll()}
     */
    public boolean poll(Duration timeout) throws InterruptedException {
        long start = System.nanoTime();
        long nanos = Nanos.of(Objects.requireNonNull(timeout, "timeout"));
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
     * Returns the offset of the record that {@link #poll()} has found.
     *
     * @return its offset
     * @throws IllegalStateException if it has found none
     */
    public long offset() {
        requireFound();
        return cursor.offset() - 1;
    }

    /**
     * Returns when the record that {@link #poll()} has found was appended.
     *
     * @return milliseconds since 1970-01-01 UTC
     * @throws IllegalStateException if it has found none
     */
    public long time() {
        requireFound();
        return cursor.foundTime();
    }

    /**
     * Returns the payload of the record that {@link #poll()} has found, where it lies in the mapped file.
     *
     * @return the payload, read-only, for this thread; from the next poll, seek or close on, every access throws
     *         {@link IllegalStateException}
     * @throws IllegalStateException if it has found none
     */
    public MemorySegment segment() {
        requireFound();
        MemorySegment shown = payload;
        if (shown == null) {
            Arena lifetime = Arena.ofConfined();
            lent = lifetime;
            shown = cursor.lend(lifetime);
            payload = shown;
        }
        return shown;
    }

    /**
     * Returns a view of the record that {@link #poll()} has found. The view reads the record in place, which leaves no garbage, whatever
     * the JIT compiler does.
     *
     * @return always the same object; from the next poll, seek or close on, it shows nothing until this method is called again
     * @throws IllegalStateException if it has found none
     */
    public RecordView view() {
        requireFound();
        view.show(cursor.foundIn(), cursor.foundPosition(), cursor.foundLength(), cursor.offset() - 1, 1, 0);
        return view;
    }

    /**
     * Returns the offset of the next record, withdrawn ones included.
     *
     * @return where {@link #poll()} goes on
     */
    public long nextOffset() {
        requireUsable();
        return cursor.offset();
    }

    /**
     * Moves before the record of an offset. If that record is gone, moves before the first record that is kept; if it is not there yet,
     * behind the last record.
     *
     * @param offset of a record
     * @throws IllegalArgumentException if it is negative
     * @throws QueueCorruptException    if the files are damaged
     * @throws UncheckedIOException     if the files cannot be read
     */
    public void seek(long offset) {
        requireUsable();
        if (offset < 0) {
            throw new IllegalArgumentException("An offset cannot be " + offset);
        }
        move(() -> cursor.go(offset));
    }

    private interface Move {
        void run() throws IOException;
    }

    private void move(Move move) {
        forget();
        try {
            move.run();
        } catch (IOException e) {
            throw unreadable(e);
        } catch (InternalError e) {
            throw cursor.cutOff(e);
        } finally {
            cursor.forget();
        }
    }

    /**
     * Moves before the first record that is kept.
     *
     * @throws QueueCorruptException if the files are damaged
     * @throws UncheckedIOException  if they cannot be read
     */
    public void seekToBeginning() {
        seek(0);
    }

    /**
     * Moves behind the last record that is there.
     *
     * @throws QueueCorruptException if the files are damaged
     * @throws UncheckedIOException  if they cannot be read
     */
    public void seekToEnd() {
        seek(Long.MAX_VALUE);
    }

    /**
     * Moves before the first record that was appended at or after a time, or behind the last one if there is none. Reads at worst the
     * records of one whole file. {@link ConsumerGroup#seek(Instant)} says how exact the times are.
     *
     * @param time by the clock of the process that appended
     * @throws QueueCorruptException if a record that had to be read is damaged; {@link #poll()} then throws too, but {@link #seek(long)}
     *                               can move elsewhere
     * @throws UncheckedIOException  if the files cannot be read
     */
    public void seek(Instant time) {
        requireUsable();
        long millis = Clock.millisNotBefore(Objects.requireNonNull(time, "time"));
        move(() -> cursor.goTo(millis));
    }

    // --- Position of a tailer with a name ---

    /**
     * Commits the position: all records before {@link #nextOffset()} are done. The next tailer of the same name begins there, however this
     * process ends, and earlier records are no longer kept for it. Costs a store to memory. After a {@link #seek(long)} back, the committed
     * position moves back, too.
     *
     * @throws IllegalStateException if this tailer has no name
     */
    public void commit() {
        requireNamed().commit(cursor.offset());
    }

    /**
     * Moves back to where {@link #commit()} was called last, by this tailer or an earlier one of its name.
     *
     * @throws IllegalStateException if this tailer has no name
     * @throws QueueCorruptException as {@link #seek(long)}
     * @throws UncheckedIOException  as {@link #seek(long)}
     */
    public void seekToCommitted() {
        seek(requireNamed().committed());
    }

    private TailerPosition requireNamed() {
        requireUsable();
        TailerPosition position = done;
        if (position == null) {
            throw new IllegalStateException("The tailer of queue " + directory
                    + " has no name, and so no position that is kept: open it with Tailer.open(directory, name)");
        }
        return position;
    }

    /**
     * Closes the tailer; the committed position of a named tailer stays. Closing twice is harmless.
     *
     * @throws UncheckedIOException if the file that says what this tailer needs cannot be deleted; the file no longer counts nevertheless
     */
    @Override
    public void close() {
        if (isClosed) {
            return;
        }
        requireOwner();
        forget();
        isClosed = true;
        cursor.close();
        try (TailerPosition _ = done) {
            registration.close();
        } catch (IOException e) {
            throw new UncheckedIOException("The " + this + " cannot delete its file: " + FailureText.of(e), e);
        }
    }

    /** Ends the segment and the view of the last record. */
    private void forget() {
        view.end();
        cursor.forget();
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
        if (!cursor.hasFound()) {
            throw new IllegalStateException("There is no record: poll() of the tailer of queue " + directory
                    + " was not called, or has returned false");
        }
    }

    private UncheckedIOException unreadable(IOException e) {
        return new UncheckedIOException("The queue " + directory + " cannot be read: " + FailureText.of(e), e);
    }

    @Override
    public String toString() {
        return "tailer of queue " + directory;
    }
}
