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

/**
 * Brings records to the disk. A thread that comes while another thread is doing so waits for it, and then finds that its record was among
 * those that were written, or writes for all who came meanwhile: one write of the disk for many.
 */
public final class Syncer {
    private static final long FIRST_PAUSE_NANOS = 1_000;
    private static final long LONGEST_PAUSE_NANOS = 1_000_000;
    /** Of so many writes of a single record one is held back a little, for others that might share it. */
    private static final int ALONE = 32;
    /** How long a thread waits at a time for the one that writes. */
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
    /** Whether a thread looks at the committed prefix, or writes. Only that thread uses the fields that are not volatile. */
    private volatile boolean isLed;
    private final Followers followers = new Followers();
    /** A cursor at the end of the committed prefix, up to which is written next. */
    private final Cursor committed;
    /** Up to where in it everything is on the disk, with a lease. */
    private SegmentFile syncedIn;
    private long syncedPosition;
    /** What the file {@code queue} says that is durable. */
    private long saidSynced;
    /** A segment was begun, and its name may not be on the disk. */
    private boolean isNameNew = true;
    private volatile long durable;
    /** How many writes there were since the last one of several records. */
    private volatile int alone;
    /** A thread wanted to {@link #leave} a segment, and could not because of the one that leads. */
    private volatile boolean isLeaving;

    private Syncer(QueueDirectory directory, Log log, ObjLongConsumer<Metric> metrics, Cursor committed) {
        this.directory = directory;
        this.log = log;
        this.metrics = metrics;
        this.committed = committed;
        this.syncedIn = committed.segment();
        this.syncedPosition = 0;
        this.durable = committed.offset();
        this.saidSynced = directory.file().slot().synced();
    }

    /** A syncer for a log that was just recovered. */
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
                    // And looks again, as the others do.
                    continue;
                }
                if (me == null || me.isWoken()) {
                    me = followers.add(offset);
                    // And looks again: a thread that is writing may not have seen this one.
                } else {
                    // Not for longer: the thread that is to wake this one may have had no stack for it.
                    isInterrupted |= Uninterrupted.park(this, FOLLOWING_NANOS);
                }
            }
        } finally {
            Uninterrupted.interruptAgain(isInterrupted);
        }
    }

    /**
     * Virtual threads that were woken together wait behind this one, some of them for this very carrier, which writing keeps: they append
     * before it writes. Not while no other thread comes, because yielding has a price; but now and then: no other thread can come as
     * long as a single carrier is kept. Before leading, because it may take long until this thread goes on.
     */
    @SuppressWarnings("ThreadPriorityCheck") // It is a hint: nothing depends on it.
    private void letOthersAppend() {
        if (alone % ALONE == 0 && Thread.currentThread().isVirtual()) {
            Thread.yield();
        }
    }

    /** Begins to lead; returns false if another thread does. */
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

    /** Leads, writes for all who have come so far, and ends to lead. Returns false if another thread leads. */
    private boolean writeFor(long offset) {
        boolean isLeading = false;
        boolean isDone = false;
        try {
            // Within: between this and a try there must be no call, which could fail for lack of stack.
            isLeading = lead();
            if (!isLeading) {
                return false;
            }
            if (durable < offset) {
                if (!log.isClosed()) {
                    // Closing writes all there is, too.
                    directory.expectDurable();
                }
                requireUnpoisoned();
                awaitCommitted(offset);
                requireUnpoisoned();
                write();
            }
            // Still leading: what they append next while this goes on gets into one write, and not each into its own.
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
            throw Failures.poisoned(String.valueOf(poison.getMessage()), poison);
        }
    }

    /** Others may still be copying what they have claimed before. */
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
            // On to the next one.
        }
        return committed.offset();
    }

    private void write() {
        SyncEvent event = FlightRecording.isThere() ? new SyncEvent() : null;
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
                // After the header, which is part of the range above, and before anything in it is called durable.
                QueueDirectory.fsyncDirectory(directory.directory());
                isNameNew = false;
            }
        } catch (IOException e) {
            try {
                throw unwrittenRecords(e);
            } finally {
                // What the kernel could not write it may take for written from now on. The next opening tries again.
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
        // Which segment it is also changes in leave().
        if (syncedIn.baseOffset >= saidSynced && durable > saidSynced) {
            // Once in each segment: one of which nothing is said to be on the disk may be put aside by the next opening after a power cut.
            saySynced(0);
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

    /** Writes down from where a recovery has to read. */
    private void saySynced(long cleanPosition) {
        try {
            // Without a lambda: linking one needs memory, and fails for good if there is none.
            directory.writeSynced(durable, cleanPosition);
        } catch (IOException e) {
            throw unwritten("The queue's own file", e);
        }
        saidSynced = durable;
    }

    /** Changes the file {@code queue}, durably. If that fails, the queue is poisoned. */
    public void writeFile(UnaryOperator<QueueFile.Slot> change) {
        try {
            directory.writeFile(change);
        } catch (IOException e) {
            throw unwritten("The queue's own file", e);
        }
    }

    /** Waits until the name of a segment is on the disk. If that fails, the queue is poisoned. */
    public void bringName(long baseOffset) {
        if (durable > baseOffset) {
            // As a record in it is.
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
            return log.poison(Failures.poisoned(what + " could not be written to the disk: " + FailureText.of(e), e));
        } catch (OutOfMemoryError | StackOverflowError | LinkageError _) {
            return log.poisonUnsaid();
        }
    }

    private RuntimeException unwrittenRecords(IOException e) {
        try {
            return log.poison(Failures.poisoned("The records from " + durable
                    + " on could not be written to the disk ("
                    + FailureText.of(e)
                    + "), and what the kernel has kept of them is unknown. Nothing more is appended. Close the queue, "
                    + "see to the disk, and open it again", e));
        } catch (OutOfMemoryError | StackOverflowError | LinkageError _) {
            return log.poisonUnsaid();
        }
    }

    /**
     * Lets go of a segment that is about to be given back, because all of it was acknowledged: it need not be written any more.
     *
     * @return whether it is let go of
     */
    public boolean leave(SegmentFile segment) {
        // Before the attempt: a thread that leads looks after giving it back.
        isLeaving = true;
        if (!lead()) {
            // Another thread is writing; when it is done, it has this called again.
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

    /** In an orderly close, after the last append: writes all there is, and that a recovery need not read anything. */
    public void sayClean() {
        awaitLead();
        try {
            requireUnpoisoned();
            // Also if all records are on the disk: the last segment may have none yet.
            awaitCommitted(log.nextOffset());
            write();
            saySynced(syncedPosition);
        } finally {
            isLed = false;
            followers.wakeAll();
        }
    }

    /**
     * Waits until all producers have committed what they have claimed, also in a poisoned queue. Nothing may be claimed from now on. Otherwise
     * the next opening would give a place away to which a producer still copies. Does not wait for a thread that has failed between claiming
     * and committing.
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
            return !log.isAllCommitted(committed);
        } catch (InternalError | IndexOutOfBoundsException e) {
            // A page cannot be read, or holds something else than was written: what is committed behind it is not known.
            return false;
        } finally {
            isLed = false;
            followers.wakeAll();
        }
    }

    /** Lets go of all segments. */
    public void close() {
        // A thread that has brought records to the disk may still be writing that down.
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
