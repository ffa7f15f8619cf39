package dev.outcrop.queue.internal.append;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.files.QueueDirectory;
import dev.outcrop.queue.internal.files.QueueFile;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Objects;
import java.util.function.ObjLongConsumer;
import java.util.function.UnaryOperator;
import jdk.jfr.FlightRecorder;

/**
 * Writes records to the disk. Threads that come while one writes wait for it, and then either find their records written, or one of them
 * writes for all: group commit.
 */
public final class Syncer {
    private static final long FIRST_PAUSE_NANOS = 1_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;
    /** One of this many writes of a single record is held back a little, so that other records may share it. */
    private static final int ALONE = 32;
    /** How long a follower waits at a time. */
    private static final long FOLLOWING_NANOS = 100_000_000;
    private static final VarHandle LED;

    static {
        try {
            LED = MethodHandles.lookup().findVarHandle(Syncer.class, "isLed", boolean.class);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("Syncer.isLed", e);
        }
    }

    private final QueueDirectory directory;
    private final Log log;
    private final ObjLongConsumer<Metric> metrics;
    /** Whether a thread leads: only the leading thread moves the committed prefix, writes, and uses the fields that are not volatile. */
    private volatile boolean isLed;
    private final Followers followers = new Followers();
    /** The end of the committed prefix, up to which the next write goes. */
    private final Cursor committed;
    /** The segment in which the durable prefix ends, leased. */
    private SegmentFile syncedIn;
    private long syncedPosition;
    /** The durable offset in the file {@code queue}. */
    private long storedSynced;
    /** A segment was begun whose name may not be on the disk. */
    private boolean isNameNew = true;
    private volatile long durable;
    /** The number of writes since the last write of several records. */
    private volatile int alone;
    /** A thread could not {@link #leave} a segment because another one was leading. */
    private volatile boolean isLeaving;

    private Syncer(QueueDirectory directory, Log log, ObjLongConsumer<Metric> metrics, Cursor committed) {
        this.directory = directory;
        this.log = log;
        this.metrics = metrics;
        this.committed = committed;
        this.syncedIn = committed.segment();
        this.syncedPosition = 0;
        this.durable = committed.offset();
        this.storedSynced = directory.file().slot().synced();
    }

    /** Makes the syncer of a log that was just recovered. */
    public static Syncer of(QueueDirectory directory, Log log, ObjLongConsumer<Metric> metrics) {
        QueueFile.Slot slot = directory.file().slot();
        Cursor cursor = log.cursor(Math.max(slot.synced(), log.firstOffset()));
        if (!cursor.segment().lease()) {
            throw new IllegalStateException(cursor.segment() + " was given back while the queue was opened");
        }
        return new Syncer(directory, log, metrics, cursor);
    }

    /** All records before this offset are on the disk. */
    public long durable() {
        return durable;
    }

    /**
     * Waits until all records before an offset are on the disk.
     *
     * @throws QueuePoisonedException if that failed, now or at any time before
     */
    public void sync(long offset) {
        Followers.Follower me = null;
        boolean isInterrupted = false;
        if (durable < offset) {
            letOthersAppend();
        }
        try {
            while (durable < offset) {
                if (writeFor(offset)) {
                    continue;
                }
                if (me == null || me.isWoken()) {
                    me = followers.add(offset);
                    // Look again: a thread that is writing may not have seen this one.
                } else {
                    // Not longer: the thread that should wake this one may have had no stack for it.
                    isInterrupted |= Uninterrupted.park(this, FOLLOWING_NANOS);
                }
            }
        } finally {
            Uninterrupted.interruptAgain(isInterrupted);
        }
    }

    /**
     * Yields to virtual threads that were woken together and wait behind this one, so that they append before it writes; some of them wait
     * for this carrier. While no other thread comes, it yields only now and then, because yielding has a price; but without yielding, a
     * single carrier would keep all others away. It yields before leading, because it may take long until this thread runs again.
     */
    @SuppressWarnings("ThreadPriorityCheck") // It is a hint: nothing depends on it.
    private void letOthersAppend() {
        if (alone % ALONE == 0 && Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }

    /** Begins to lead; returns false if another thread leads. */
    private boolean lead() {
        return !isLed && LED.compareAndSet(this, false, true);
    }

    private void awaitLead() {
        boolean isInterrupted = false;
        while (!lead()) {
            isInterrupted |= Uninterrupted.park(this, LONGEST_PAUSE_NANOS);
        }
        try {
            Uninterrupted.interruptAgain(isInterrupted);
        } catch (StackOverflowError e) {
            isLed = false;
            throw e;
        }
    }

    /** Leads and writes for all threads that wait. Returns false if another thread leads. */
    private boolean writeFor(long offset) {
        boolean isLeading = false;
        boolean isDone = false;
        try {
            // Inside the try: a call in front of it could fail for lack of stack.
            isLeading = lead();
            if (!isLeading) {
                return false;
            }
            if (durable < offset) {
                if (!log.isClosed()) {
                    // Closing a queue writes, too.
                    directory.expectDurable();
                }
                requireUnpoisoned();
                awaitCommitted(offset);
                requireUnpoisoned();
                write();
            }
            // Still leading, so that what they append next gets into one write.
            followers.wake(durable);
            isDone = true;
            return true;
        } catch (StackOverflowError e) {
            // Perhaps the system has said that something is not on the disk. Without a call, for which there may be no stack.
            if (isLeading && log.poison == null) {
                log.poison = log.unfinished;
            }
            throw e;
        } finally {
            if (isLeading) {
                isLed = false;
                afterWriting(isDone);
            }
        }
    }

    private void afterWriting(boolean isDone) {
        if (isDone) {
            followers.wakeOne(this);
        } else {
            followers.wakeAll();
        }
        if (isLeaving) {
            isLeaving = false;
            log.retire();
        }
    }

    private void requireUnpoisoned() {
        RuntimeException poison = log.poison();
        if (poison != null) {
            throw Failures.make().poisoned(String.valueOf(poison.getMessage()), poison);
        }
    }

    /** Waits until all claims before an offset are committed. */
    private void awaitCommitted(long offset) {
        boolean isInterrupted = false;
        long pause = FIRST_PAUSE_NANOS;
        while (advance() < offset && log.poison() == null) {
            isInterrupted |= Uninterrupted.park(this, pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
        }
        Uninterrupted.interruptAgain(isInterrupted);
    }

    private long advance() {
        while (committed.skip()) {
        }
        return committed.offset();
    }

    private void write() {
        SyncEvent event = FlightRecorder.isInitialized() ? new SyncEvent() : null;
        if (event != null) {
            event.begin();
        }
        long start = System.nanoTime();
        long from = durable;
        try {
            while (syncedIn != committed.segment()) {
                syncedIn.force(syncedPosition, syncedIn.size);
                enter(Objects.requireNonNull(syncedIn.next));
            }
            syncedIn.force(syncedPosition, committed.position() - syncedIn.start);
            syncedPosition = committed.position() - syncedIn.start;
            if (isNameNew) {
                // After the header, which is in the range above, and before a record in it is called durable.
                QueueDirectory.fsyncDirectory(directory.directory());
                isNameNew = false;
            }
        } catch (IOException e) {
            try {
                throw unwrittenRecords(e);
            } finally {
                // The kernel may regard pages as written that it could not write. The next opening tries again.
                syncedIn.touch(syncedPosition);
            }
        }
        alone = committed.offset() - from > 1 ? 0 : alone + 1;
        durable = committed.offset();
        syncedIn.settle(durable);
        metrics.accept(Metric.SYNC, System.nanoTime() - start);
        if (event != null) {
            event.commit(directory.directory(), durable - from);
        }
        // The segment also changes in leave().
        if (syncedIn.baseOffset >= storedSynced && durable > storedSynced) {
            // Once in each segment: the next opening after a power cut may put aside a segment that nothing calls durable.
            storeSynced(0);
        }
    }

    private void enter(SegmentFile next) {
        if (!next.lease()) {
            throw new IllegalStateException(next + " was given back before what lies in front of it");
        }
        SegmentFile left = syncedIn;
        left.settle(next.baseOffset);
        syncedIn = next;
        syncedPosition = 0;
        isNameNew = true;
        left.release();
    }

    /** Stores the offset from which a recovery has to read. */
    private void storeSynced(long cleanPosition) {
        try {
            // Without a lambda: linking one needs memory, and is tried only once.
            directory.writeSynced(durable, cleanPosition);
        } catch (IOException e) {
            throw unwritten("The queue's own file", e);
        }
        storedSynced = durable;
    }

    /** Changes the file {@code queue}, durably. A failure poisons the queue. */
    public void writeFile(UnaryOperator<QueueFile.Slot> change) {
        try {
            directory.writeFile(change);
        } catch (IOException e) {
            throw unwritten("The queue's own file", e);
        }
    }

    /** Forces the name of a segment to the disk. A failure poisons the queue. */
    public void forceName(long baseOffset) {
        if (durable > baseOffset) {
            return;
        }
        try {
            QueueDirectory.fsyncDirectory(directory.directory());
        } catch (IOException e) {
            throw unwritten("The names of the queue's files", e);
        }
    }

    private RuntimeException unwritten(String what, IOException e) {
        try {
            return log.poison(
                    Failures.make().poisoned(what + " could not be written to the disk: " + FailureText.of(e), e));
        } catch (OutOfMemoryError | StackOverflowError | LinkageError _) {
            return log.poisonUnexplained();
        }
    }

    private RuntimeException unwrittenRecords(IOException e) {
        try {
            return log.poison(Failures.make().poisoned("The records from " + durable
                    + " on could not be written to the disk ("
                    + FailureText.of(e)
                    + "), and the kernel may have kept only a part of them. Nothing more is appended. Close the queue, "
                    + "see to the disk, and open it again", e));
        } catch (OutOfMemoryError | StackOverflowError | LinkageError _) {
            return log.poisonUnexplained();
        }
    }

    /**
     * Leaves a segment that is about to be given back, because all of it is acknowledged and need not be written.
     *
     * @return whether this no longer uses the segment
     */
    public boolean leave(SegmentFile segment) {
        // Before the attempt: a leading thread looks at this when it has finished.
        isLeaving = true;
        if (!lead()) {
            // The thread that is writing has this called again.
            return false;
        }
        isLeaving = false;
        try {
            SegmentFile next = segment.next;
            if (next == null) {
                return false;
            }
            do {
                committed.skipSettled();
            } while (committed.segment() == segment && committed.skip());
            if (committed.segment() == segment) {
                return false;
            }
            if (syncedIn == segment) {
                enter(next);
            }
            return true;
        } finally {
            isLed = false;
            followers.wakeOne(this);
        }
    }

    /** Writes all records, and stores that a recovery need not read any. For an orderly close, after the last append. */
    public void storeClean() {
        awaitLead();
        try {
            requireUnpoisoned();
            // Also if all records are on the disk: the last segment may have none yet.
            awaitCommitted(log.nextOffset());
            write();
            storeSynced(syncedPosition);
        } finally {
            isLed = false;
            followers.wakeAll();
        }
    }

    /**
     * Waits until all producers have committed what they have claimed, also in a poisoned queue. Otherwise the next opening would give away
     * a place to which a producer still copies. Nothing may be claimed from now on. Does not wait for a thread that has failed between
     * claiming and committing.
     */
    public void awaitCopied() {
        boolean isInterrupted = false;
        while (isAnyCopying()) {
            isInterrupted |= Uninterrupted.park(this, LONGEST_PAUSE_NANOS);
        }
        Uninterrupted.interruptAgain(isInterrupted);
    }

    private boolean isAnyCopying() {
        awaitLead();
        try {
            return !log.abandoned.isAllCommitted(committed);
        } catch (InternalError | IndexOutOfBoundsException e) {
            // A page cannot be read, or differs from what was written: it is not known which records behind it are committed.
            return false;
        } finally {
            isLed = false;
            followers.wakeAll();
        }
    }

    /** Releases all segments. */
    public void close() {
        // A thread that has written records may still be storing how far they are on the disk.
        awaitLead();
        try {
            committed.close();
            syncedIn.release();
        } finally {
            isLed = false;
            followers.wakeAll();
        }
    }
}
