package dev.outcrop.queue.internal.append;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.Warnings;
import dev.outcrop.queue.internal.files.ChecksumCursor;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentTail;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The segments of an open queue, and how a record gets into them. Appending: claim an offset and a range by compare-and-set, copy, commit.
 * Producers wait for each other only where one segment ends and the next begins. Those that meet all the time let others go first.
 */
public final class Log {
    /** Every 256th record is timed. */
    private static final long TIMED = 255;
    /** The queue is poisoned by the first one, so there are hardly more than threads that appended at that moment. */
    private static final int MAX_ABANDONED = 1024;

    private final QueueDirectory files;
    private final Clock clock;
    private final QueueBounds room;
    private final Readers readers;
    private final ObjLongConsumer<Metric> metrics;
    /** Held to go on to the next segment, to give one back, and to close. */
    private final Object lock = new Object();
    private final ThreadLocal<boolean[]> writing = ThreadLocal.withInitial(() -> new boolean[1]);
    /**
     * The claims that are never going to be committed: of each the first offset, the offset behind it, and where it ends in its segment. Guarded
     * by the monitor of the array. Made in advance, because the thread that fails may have neither stack nor memory.
     */
    private final long[] abandoned = new long[3 * MAX_ABANDONED];

    /** Where the next one goes in {@link #abandoned}. */
    private int abandonedEnd;
    /** The poison of a thread that can make no other one. */
    final RuntimeException unfinished = withoutStack(Failures.poisoned(
            "A thread has run out of stack or memory, and could not finish what it had begun. Nothing more is appended. All records whose"
                    + " append has returned are in the queue. Close it, and open it again",
            null));
    /** The same of a thread that was told by the system that something is not on the disk. */
    private final RuntimeException unsaid = withoutStack(Failures.poisoned(
            "Something could not be written to the disk, and there was no memory or stack left to say what and why. Nothing more is"
                    + " appended. Close the queue, see to the disk, and open it again",
            null));

    private volatile SegmentFile first;
    private volatile SegmentFile current;
    private volatile boolean isClosed;
    volatile @Nullable RuntimeException poison;
    private volatile @Nullable Runnable retiring;
    /** The largest payload. */
    private final int largest;
    private final boolean isBounded;

    public Log(QueueDirectory files, Clock clock, QueueBounds room, Readers readers,
            ObjLongConsumer<Metric> metrics, SegmentFile first, SegmentFile current) {
        this.files = files;
        this.clock = clock;
        this.room = room;
        this.readers = readers;
        this.metrics = metrics;
        this.first = first;
        this.current = current;
        this.isBounded = room.isBounded();
        this.largest = current.size - QueueLayout.HEADER - QueueLayout.PAYLOAD;
    }

    public Clock clock() {
        return clock;
    }

    /** Of what is made before it is needed: the stack of that moment would mislead. */
    private static RuntimeException withoutStack(RuntimeException made) {
        made.setStackTrace(new StackTraceElement[0]);
        return made;
    }

    // --- Appending ---

    /**
     * Appends one record.
     *
     * @param <T>     of the source
     * @param length  bytes, checked by this method
     * @param writer  copies the payload; what it throws is thrown on, and the record is withdrawn
     * @param source  for the writer
     * @param second  for the writer, too
     * @param timeout how long to wait while the queue is full; negative for as long as it takes
     * @return the record's offset
     */
    public <T> long append(long length, PayloadWriter<T> writer, T source, @Nullable MemorySegment second,
            long timeout) {
        requireFits(length);
        return append(1, (int) QueueLayout.recordBytes(length), (int) length, writer, source, second, timeout);
    }

    /**
     * Appends records one behind the other; as above.
     *
     * @return the offset of the first one
     */
    public long append(AppendBatch batch, long timeout) {
        return append(batch.size(), batch.bytes(), 0, PayloadWriter.BATCH, batch, null, timeout);
    }

    private <T> long append(int records, int bytes, int length, PayloadWriter<T> writer, T source,
            @Nullable MemorySegment second, long timeout) {
        // Small, and all that is rare elsewhere, so that the JIT compiler makes one piece of it with its callers.
        long waitedSince = 0;
        while (true) {
            SegmentFile segment = current;
            long tail = segment.tail.get();
            if (isFree(segment, tail, records, bytes)
                    && write(segment, tail, records, bytes, length, writer, source, second)) {
                return segment.baseOffset + SegmentTail.records(tail);
            }
            waitedSince = makeFree(segment, tail, records, bytes, timeout, waitedSince);
        }
    }

    /** Whether so much may be claimed behind a tail. */
    private boolean isFree(SegmentFile segment, long tail, int records, int bytes) {
        int position = SegmentTail.position(tail);
        // Poisoned is not always sealed: a thread that had no stack left could do nothing but say so.
        return poison == null && !SegmentTail.isSealed(tail) && segment.pages.isReady(position + (long) bytes)
                && (!isBounded || room.has(segment.baseOffset + SegmentTail.records(tail) + records,
                        segment.start + position + bytes, records));
    }

    /** Does what keeps records from being claimed. Returns when waiting for room has begun, or 0. */
    private long makeFree(SegmentFile segment, long tail, int records, int bytes, long timeout, long waitedSince) {
        RuntimeException broken = poison;
        if (broken != null) {
            RuntimeException _ = poison(broken);
            requireOpen();
        }
        int position = SegmentTail.position(tail);
        if (SegmentTail.isSealed(tail)) {
            goOn(segment, tail);
            return waitedSince;
        }
        boolean fits = bytes <= segment.size - position;
        long endOffset = segment.baseOffset + SegmentTail.records(tail) + records;
        long end = segment.start + (fits ? position : segment.size + QueueLayout.HEADER) + bytes;
        // Before going on to the next segment: the end of this one would be given away for nothing.
        if (!room.has(endOffset, end, records)) {
            if (timeout != 0) {
                // Nothing behind this writer's record can be read, and so be acknowledged, before it is written.
                requireNoWriter("wait for room in");
            }
            long since = waitedSince;
            if (since == 0) {
                since = System.nanoTime();
                metrics.accept(Metric.FULL_WAIT, 1);
            }
            awaitRoom(records, endOffset, end, timeout, since);
            return since;
        }
        if (fits && !segment.pages.isReady(position + bytes)) {
            segment.pages.prepare(position + bytes);
        } else if (fits) {
            // Another producer was faster, or was let go first; on few processors it is best to let it get on.
            Thread.onSpinWait();
        } else {
            goOn(segment, tail);
        }
        return waitedSince;
    }

    private void awaitRoom(int records, long endOffset, long endPosition, long timeout, long since) {
        StallEvent event = FlightRecording.isThere() ? new StallEvent() : null;
        if (event != null) {
            event.begin();
        }
        long start = System.nanoTime();
        try {
            room.await(this, endOffset, endPosition, records, timeout, since);
        } finally {
            metrics.accept(Metric.STALL, System.nanoTime() - start);
            if (event != null) {
                event.commit(files.directory(), endOffset - records);
            }
        }
        requireOpen();
    }

    /**
     * Claims records behind a tail, copies and commits them. Returns false if another producer has claimed something meanwhile, or was
     * let go first.
     */
    private <T> boolean write(SegmentFile segment, long tail, int records, int bytes, int length,
            PayloadWriter<T> writer,
            T source, @Nullable MemorySegment second) {
        long offset = segment.baseOffset + SegmentTail.records(tail);
        int position = SegmentTail.position(tail);
        // Asking for the time costs as much as a small record, so only some are timed.
        long start = records == 1 && (offset & TIMED) == 0 ? System.nanoTime() : 0;
        // Before claiming, as it may have to be made, and there may be no memory.
        ChecksumCursor checksums = segment.checksumCursor();
        // Also before: so no record is older than the one before it, because nothing is claimed between.
        long time = clock.millis();
        if (checksums.contention.isMet(SegmentTail.records(tail), records, time)) {
            letOthersGoFirst();
            return false;
        }
        int kind = QueueLayout.KIND_WITHDRAWN;
        boolean isCommitted = false;
        Throwable failure = null;
        if (!segment.tail.compareAndSet(tail, tail + records * SegmentTail.ONE_RECORD + (bytes >>> 3))) {
            return false;
        }
        // No call between claiming and this: it could fail, for lack of stack. The method must stay below 325 bytes of code, or the JIT
        // compiler does not inline it.
        try {
            try {
                writer.fill(segment, position, length, source, second, time, checksums);
                segment.requireCopied(position, bytes);
                kind = QueueLayout.KIND_RECORD;
            } catch (Throwable e) {
                failure = e;
            }
            // A record that was not filled is withdrawn, so that those behind it can be read.
            writer.commit(segment, position, offset, length, kind, time, source, checksums);
            isCommitted = true;
            readers.wake();
        } catch (Throwable e) {
            if (!isCommitted) {
                // Without a call, for which there may be no stack.
                synchronized (abandoned) {
                    int i = abandonedEnd;
                    if (i < abandoned.length) {
                        abandoned[i] = offset;
                        abandoned[i + 1] = offset + records;
                        abandoned[i + 2] = position + bytes;
                        abandonedEnd = i + 3;
                    }
                }
                if (poison == null) {
                    poison = unfinished;
                }
                poisonBy(e, segment, offset);
            }
            throw e;
        }
        if (failure != null) {
            rethrow(failure);
        }
        if (start != 0) {
            timed(start);
        }
        return true;
    }

    /** Throws what a record writer has thrown, which a writer in another language need not declare. */
    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void rethrow(Throwable e) throws E {
        throw (E) e;
    }

    private void timed(long start) {
        metrics.accept(Metric.APPEND, System.nanoTime() - start);
    }

    @SuppressWarnings("ThreadPriorityCheck") // nothing depends on it: with no other thread to run, this one goes on at once
    private void letOthersGoFirst() {
        // Nothing behind a writer's own record can be read before that is committed.
        if (!isInWriter()) {
            Thread.yield();
        }
    }

    /**
     * What was claimed is never going to be committed, and all behind it cannot be read. Before this is called, {@link #unfinished} is the
     * poison: that takes neither stack nor heap, of which there may be nothing left.
     */
    private void poisonBy(Throwable e, SegmentFile segment, long offset) {
        if (e instanceof InternalError) {
            // The file was cut off, or the disk is full where nothing could be reserved.
            throw poison(Failures.poisoned("Record " + offset + " could not be written to " + segment
                    + ": the file is shorter than it was, or its disk is full. Close the queue, see to that, and open it again",
                    e));
        }
        RuntimeException _ = poison(Failures.poisoned("Record " + offset + " could not be finished in " + segment
                + " (" + e
                + "). Nothing more is appended, because what comes behind it could not be read. Close the queue, and open it again",
                e));
    }

    /** Refuses a payload of a size that no record can have. */
    public void requireFits(long length) {
        if (length > largest) {
            throw new IllegalArgumentException("A record of " + length + " bytes is larger than the " + largest
                    + " bytes that fit into a file of this queue; make the queue with a larger QueueOptions.segmentSize");
        }
        if (length < 0) {
            throw new IllegalArgumentException("A record cannot have " + length + " bytes");
        }
    }

    /** Of payloads that are to be appended together. */
    public AppendBatch batch(List<MemorySegment> payloads) {
        AppendBatch batch = new AppendBatch(payloads, largest + QueueLayout.PAYLOAD);
        room.requirePossible(batch.size());
        return batch;
    }

    // --- Going on to the next segment ---

    /** Ends a segment and makes the next one current, or waits until another thread has done so. */
    private void goOn(SegmentFile full, long seen) {
        requireOpen();
        SegmentRollEvent event = FlightRecording.isThere() ? new SegmentRollEvent() : null;
        if (event != null) {
            event.begin();
        }
        long start = System.nanoTime();
        try {
            if (!goOnOnce(full, seen)) {
                return;
            }
        } finally {
            // Also of a thread that waited while another thread did it.
            metrics.accept(Metric.STALL, System.nanoTime() - start);
        }
        metrics.accept(Metric.ROLL, 1);
        if (event != null) {
            event.commit(files.directory(), current.baseOffset);
        }
        files.prepareAnother();
        // The segment before may be old or large enough to give back, and without a background thread no other thread asks.
        retire();
    }

    /** Returns whether this thread has made the next segment current. */
    private boolean goOnOnce(SegmentFile full, long seen) {
        synchronized (lock) {
            try {
                return goOnHeld(full, seen);
            } catch (StackOverflowError e) {
                // It is not known what it has begun. Without a call, for which there may be no stack, and before another thread gets the lock.
                if (poison == null) {
                    poison = unfinished;
                }
                throw e;
            }
        }
    }

    private boolean goOnHeld(SegmentFile full, long seen) {
        requireOpen();
        if (current != full) {
            return false;
        }
        long tail = full.tail.get();
        if (tail != seen) {
            // Others have appended smaller records meanwhile; it may still be that ours does not fit. Look again.
            return false;
        }
        SegmentFile next;
        // From here on nothing is claimed in it; a thread that tries waits for this lock.
        if (!full.tail.compareAndSet(tail, SegmentTail.sealed(tail))) {
            return false;
        }
        try {
            next = files.begin(full.baseOffset + SegmentTail.records(tail), full.baseOffset, full.start + full.size,
                    clock.millis());
        } catch (IOException | RuntimeException e) {
            // Nothing has happened yet: the next append tries again.
            full.tail.compareAndSet(SegmentTail.sealed(tail), tail);
            if (e instanceof IOException io) {
                throw Failures.refused("The queue cannot go on to its next file: " + FailureText.of(io)
                        + ". Nothing was appended; what is in the queue can be read. Try again when there is room on the disk",
                        io);
            }
            RuntimeException failure = (RuntimeException) e;
            throw Failures.isPoison(failure) ? poison(failure) : failure;
        }
        try {
            full.writeEnd(SegmentTail.position(tail), next.baseOffset, clock.millis());
        } catch (InternalError e) {
            // The file was cut off: what was in it may be lost, but nothing more is lost by going on.
            Warnings.log("dev.outcrop.queue.Log", "", full, " is shorter than it was: its end cannot be marked", e);
        }
        next.checkLike(full);
        // Volatile writes: a thread that sees the segment sees its header.
        full.next = next;
        current = next;
        full.forgetChecksumCursors();
        return true;
    }

    // --- Record writers ---

    /** Whether this thread is inside of a {@code RecordWriter} of this queue. */
    public boolean isInWriter() {
        return writing.get()[0];
    }

    /** Of this thread: whether it is inside, to be changed without a call that could fail. */
    public boolean[] inWriter() {
        return writing.get();
    }

    /** What waits for all that was appended would wait for this writer. */
    public void requireNoWriter(String what) {
        if (isInWriter()) {
            throw new IllegalStateException("A RecordWriter cannot " + what
                    + " its own queue: that would wait for its own record; do it after append has returned");
        }
    }

    // --- What there is ---

    public long firstOffset() {
        return first.baseOffset;
    }

    /** The offset that the next record will get. */
    public long nextOffset() {
        SegmentFile segment = current;
        return segment.baseOffset + SegmentTail.records(segment.tail.get());
    }

    /** Where the next record will begin, as {@link Cursor#position()} counts. */
    public long nextPosition() {
        SegmentFile segment = current;
        return segment.start + SegmentTail.position(segment.tail.get());
    }

    /** Where the queue is. */
    public Path directory() {
        return files.directory();
    }

    /** Is told what the queue counts and times. */
    public ObjLongConsumer<Metric> metrics() {
        return metrics;
    }

    public SegmentFile current() {
        return current;
    }

    /**
     * A cursor before the record of an offset, or before the first that there is if that one is gone, or behind the last one.
     *
     * @return to be closed by the caller
     */
    public Cursor cursor(long offset) {
        while (true) {
            // Each time: no lease is given out once the queue is closed.
            requireReadable();
            SegmentFile segment = first;
            while (segment.next != null && java.util.Objects.requireNonNull(segment.next).baseOffset <= offset) {
                segment = java.util.Objects.requireNonNull(segment.next);
            }
            if (segment.lease()) {
                Cursor cursor = new Cursor(segment, segment.baseOffset, QueueLayout.HEADER);
                try {
                    segment.requireLength();
                    while (cursor.offset() < offset && cursor.skip()) {
                        // One record after another: a segment has no index.
                    }
                    return cursor;
                } catch (Throwable e) {
                    cursor.close();
                    throw e;
                }
            }
            // It was given back meanwhile; then "first" has moved on.
            Thread.onSpinWait();
        }
    }

    // --- Giving back ---

    /**
     * Takes the first segment out of the log, if there is one behind it that begins at or before an offset, and no reader has a lease.
     *
     * @return the segment, which is not used any more; or null
     */
    @Nullable
    public SegmentFile takeFirst(long before) {
        synchronized (lock) {
            SegmentFile segment = first;
            SegmentFile next = segment.next;
            if (isClosed || next == null || next.baseOffset > before || !segment.giveBack()) {
                return null;
            }
            first = next;
            return segment;
        }
    }

    /** What is to give segments back. */
    public void retiring(Runnable wake) {
        retiring = wake;
    }

    /** Has segments given back that are not needed. Cheap. */
    public void retire() {
        Runnable wake = retiring;
        if (wake != null) {
            try {
                wake.run();
            } catch (StackOverflowError e) {
                // It is not known what it has done, or what the system has said.
                if (poison == null) {
                    poison = unfinished;
                }
                throw e;
            }
        }
    }

    /** The first segment, behind which are the others. */
    public SegmentFile first() {
        return first;
    }

    // --- Ending ---

    /**
     * Whether all claimed records from a cursor on are committed, except those that never will be. Only when nothing more is claimed, and the
     * caller keeps the cursor's segment and those behind it mapped.
     */
    boolean isAllCommitted(Cursor from) {
        SegmentFile segment = from.segment();
        long offset = from.offset();
        int position = from.positionInSegment();
        while (true) {
            long end = segment.baseOffset + SegmentTail.records(segment.tail.get());
            while (offset < end) {
                long word = segment.commitWord(position);
                if (segment.isCommitted(word, offset)) {
                    position += (int) QueueLayout.recordBytes(QueueLayout.length(word));
                    offset++;
                    continue;
                }
                synchronized (abandoned) {
                    int i = abandonedClaim(offset);
                    if (i < 0) {
                        return false;
                    }
                    offset = abandoned[i + 1];
                    position = (int) abandoned[i + 2];
                }
            }
            SegmentFile next = segment.next;
            if (next == null) {
                return true;
            }
            segment = next;
            offset = next.baseOffset;
            position = QueueLayout.HEADER;
        }
    }

    /** Returns where the claim with an offset is in {@link #abandoned}, or -1. */
    private int abandonedClaim(long offset) {
        for (int i = 0; i < abandonedEnd; i += 3) {
            if (abandoned[i] <= offset && offset < abandoned[i + 1]) {
                return i;
            }
        }
        return -1;
    }

    public void requireOpen() {
        if (isClosed) {
            throw closed();
        }
        RuntimeException broken = poison;
        if (broken != null) {
            // A new one, whose stack is that of this caller.
            throw Failures.poisoned(String.valueOf(broken.getMessage()), broken);
        }
    }

    public void requireReadable() {
        if (isClosed) {
            throw closed();
        }
    }

    public boolean isClosed() {
        return isClosed;
    }

    @Nullable
    public RuntimeException poison() {
        return poison;
    }

    private IllegalStateException closed() {
        return new IllegalStateException("The queue " + files.directory() + " is closed");
    }

    /** Nothing more is claimed. With the lock held, so that no other segment becomes the current one. */
    private void seal() {
        long tail;
        do {
            tail = current.tail.get();
        } while (!SegmentTail.isSealed(tail) && !current.tail.compareAndSet(tail, SegmentTail.sealed(tail)));
    }

    /** Ends all appending; returns the failure to be thrown. */
    public RuntimeException poison(RuntimeException failure) {
        synchronized (lock) {
            RuntimeException known = poison;
            if (known == null || known.equals(unfinished)) {
                poison = failure;
            }
            // An appender finds no room from now on, and looks why.
            seal();
        }
        room.wakeAll();
        readers.wake();
        return failure;
    }

    /** As above, if there is neither memory nor stack to say what the disk has refused. */
    public RuntimeException poisonUnsaid() {
        return poison(unsaid);
    }

    /** Ends all appending; again does nothing more. */
    public void close() {
        // Before the lock, so that threads which append without a pause do not keep this one from it.
        isClosed = true;
        synchronized (lock) {
            seal();
        }
        room.wakeAll();
        readers.wake();
    }
}
