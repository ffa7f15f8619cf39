package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.append.Cursor;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.Metric;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.groups.DeadLetters.Dead;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group in use: which of its members holds which record, what is acknowledged, and how far it is. Thread-safe; each method
 * throws {@link IllegalStateException} after the queue was closed or the group deleted.
 */
public final class Group {
    private final Groups groups;
    private final Log log;
    private final Readers readers;
    private final String name;
    private final GroupFile file;
    /** Times are nanoseconds since then. */
    private final long began;

    private final WaitQueue line;
    private final GroupReader reader;
    private final InFlight window;
    private final GroupSeek seeking;
    private final Acknowledgements acknowledgements;
    private final Redelivery redelivery;
    private final DeadLetters deadLetters;
    // Guarded by the lock.
    /** After so long a record comes again that was neither acknowledged nor given back; 0 for never. */
    private long visibleAgainNanos;
    final Membership membership;
    private int consumers;
    /** Why the group cannot be used any more. */
    private volatile @Nullable String end;
    /**
     * A thread that had no stack or memory left may have changed it half. Only ever set, and without a call, for which there might be no stack:
     * before the lock is released, so that no other thread acknowledges records that were taken and never shown.
     */
    public volatile boolean isBroken;
    /** Perhaps the system has said that the file is not on the disk, and the thread that was told had no stack left. */
    private volatile boolean isUnheard;
    /** How often everything that consumers held was taken from them: by moving the group, and by its end. */
    private volatile int moves;
    private volatile long floorOffset;
    private volatile long floorPosition;

    public Group(Groups groups, Log log, Readers readers, String name, GroupFile file) {
        this.groups = groups;
        this.log = log;
        this.readers = readers;
        this.began = log.clock().nanos();
        this.name = name;
        this.membership = new Membership(name);
        this.file = file;
        this.reader = new GroupReader(log, file);
        this.window = reader.window;
        this.line = new WaitQueue(readers);
        this.seeking = new GroupSeek(this, log, reader);
        this.acknowledgements = new Acknowledgements(this, log, window, file);
        this.redelivery = new Redelivery(this, window, line, readers);
        this.deadLetters = new DeadLetters(this, log, reader);
        file.failing(this::poison);
        publish();
    }

    /**
     * What all files of the queue depend on cannot be brought to the disk: nothing can be given back any more, and an appender must know.
     */
    private void poison(IOException failure) {
        if (log.poison() != null) {
            return;
        }
        try {
            RuntimeException _ = log.poison(Failures.poisoned("What consumer group " + name
                    + " has acknowledged could not be written to the disk (" + FailureText.of(failure)
                    + "), and what the kernel has kept of it is unknown. Nothing more is appended. Close the queue, see"
                    + " to the disk, and open it again", failure));
        } catch (OutOfMemoryError | StackOverflowError | LinkageError _) {
            RuntimeException _ = log.poisonUnsaid();
        }
    }

    // --- The lock: this object's monitor ---

    /** Reads or changes the group while no other thread does. */
    synchronized <T extends @Nullable Object> T locked(Supplier<T> work) {
        try {
            catchUp();
            return work.get();
        } catch (StackOverflowError e) {
            isBroken = true;
            throw e;
        }
    }

    /** Called first with the lock: so all that was shown is delivered. */
    void catchUp() {
        if (!isBroken) {
            reader.catchUp();
        }
    }

    // --- What there is ---

    /** The name of the group. */
    public String name() {
        return name;
    }

    /**
     * Delivers in another way from now on.
     *
     * @param visibleAgain   nanoseconds after which a record that was neither acknowledged nor given back comes again; 0 for never
     * @param delayMillis    after which a record is delivered that was appended
     * @param mostDeliveries after which a record is dead
     * @param handler        takes dead records; null if none ever is
     */
    public void use(long visibleAgain, long delayMillis, int mostDeliveries,
            @Nullable Function<Dead, @Nullable Exception> handler) {
        boolean _ = read(() -> {
            visibleAgainNanos = visibleAgain;
            deadLetters.use(mostDeliveries, handler);
            reader.delay(delayMillis);
            return true;
        });
        // It may be shorter.
        readers.wake();
    }

    /** How members acknowledge records. */
    public Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    /** How records are delivered again. */
    public Redelivery redelivery() {
        return redelivery;
    }

    /** The records that no consumer can handle. */
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    /** Makes a member, which shares the group's records with the others, unless it is to be alone. */
    public Member join(boolean alone) {
        return read(() -> {
            // From the start again, before the numbers become those that mean something else.
            int number = consumers == Integer.MAX_VALUE ? 1 : consumers + 1;
            // First: there may be no memory for it.
            Member made = new Member(this, number, moves);
            membership.enter(alone);
            consumers = number;
            return made;
        });
    }

    /** Returns what a supplier reads or changes while no other thread does. */
    public <T> T read(Supplier<T> reading) {
        return locked(() -> {
            requireOpen();
            return reading.get();
        });
    }

    /** The offset of the first record that is not acknowledged. */
    public long position() {
        return read(window::floor);
    }

    /** How many records consumers hold. */
    public int inFlight() {
        return read(() -> {
            wakeWaiting();
            return window.delivered();
        });
    }

    /** How many records are not acknowledged. While the group is {@linkplain #read read}. */
    public long unacknowledged() {
        return log.nextOffset() - window.floor() - window.acknowledgedAhead();
    }

    /** The bytes from the first record that is not acknowledged to the queue's end. While the group is {@linkplain #read read}. */
    public long unacknowledgedBytes() {
        return Math.max(0, log.nextPosition() - reader.floorPosition());
    }

    /** How long ago the first record that is not acknowledged was appended. While the group is {@linkplain #read read}. */
    public long unacknowledgedMillis() {
        long since = reader.floorTime();
        // The clock may have been set back.
        return since == Long.MAX_VALUE ? 0 : Math.max(0, log.clock().systemMillis() - since);
    }

    /** The offset that the next record gets. */
    public long nextOffset() {
        return log.nextOffset();
    }

    /** Whether a member can still be given records. */
    public boolean isOpenFor(Member member) {
        return end == null && !member.isClosed();
    }

    // --- Moving ---

    /** How the group is moved. */
    public GroupSeek seeking() {
        return seeking;
    }

    /** Moves the group; see {@link GroupSeek}. */
    long move(LongSupplier target, boolean isExact) {
        long reached;
        // First, so that what the group is going to need is not retired meanwhile.
        synchronized (groups.floors) {
            reached = read(() -> moveHeld(target.getAsLong(), isExact));
        }
        log.retire();
        readers.wake();
        return reached;
    }

    private long moveHeld(long offset, boolean isExact) {
        long kept = Math.max(offset, groups.firstKept());
        Cursor there = isExact ? reader.cursorBefore(kept) : log.cursor(kept);
        try {
            file.reset(there.offset());
        } catch (IOException e) {
            there.close();
            throw new UncheckedIOException(
                    "Consumer group " + name + " could not be moved durably: " + FailureText.of(e),
                    e);
        } catch (Throwable e) {
            there.close();
            throw e;
        }
        reader.moveTo(there);
        takeFromAll();
        publish();
        return there.offset();
    }

    /** Whatever consumers hold is not theirs any more. */
    private void takeFromAll() {
        // Only ever written with the lock held.
        int next = moves + 1;
        moves = next;
    }

    // --- Delivering ---

    /** How often consumers lost what they held. */
    public int moves() {
        return moves;
    }

    /** Whether what was delivered after so many moves can still be acknowledged; also if the group has ended, so that who tries is told. */
    public boolean isCurrent(int delivered) {
        return moves == delivered || end != null;
    }

    /**
     * Waits until a consumer has reason to try again, which may be an exception, or a time has come. A caller that is told so tries to
     * take, and leaves the line by that; or by {@link #leaveLine()}.
     */
    public boolean await(Member member, long deadline) throws InterruptedException {
        return line.await(member, new Look(member), deadline);
    }

    /** Nothing if the thread is not the first in the line. */
    public void leaveLine() {
        line.leave();
    }

    private final class Look implements WaitQueue.Look {
        private final Member member;

        private Look(Member member) {
            this.member = member;
        }

        @Override
        public boolean isOver() {
            return !isOpenFor(member);
        }

        @Override
        public long nanosLeft() {
            return isOver() ? 0 : Group.this.nanosLeft();
        }
    }

    /** 0 if it is worth trying. */
    private synchronized long nanosLeft() {
        try {
            catchUp();
            if (!isUsable()) {
                return 0;
            }
            wakeWaiting();
            if (reader.isWorthTrying()) {
                return 0;
            }
            // Records that were given back with a delay, or kept for too long, come although no thread wakes this one.
            long due = window.firstDue();
            long left = due == Long.MAX_VALUE ? due : Math.max(1, due - nanos());
            return Math.min(left, reader.nanosLeft());
        } catch (StackOverflowError e) {
            isBroken = true;
            throw e;
        }
    }

    /** Since the group was made. */
    long nanos() {
        return log.clock().nanos() - began;
    }

    void wakeWaiting() {
        if (window.firstDue() != Long.MAX_VALUE) {
            long before = window.timeouts();
            window.wake(nanos());
            long late = window.timeouts() - before;
            if (late > 0) {
                log.metrics().accept(Metric.TIMEOUT, late);
            }
        }
    }

    /**
     * Takes records for a consumer.
     *
     * @param max     how many at most
     * @param isFirst whether nothing was shown before in the same call: only then can a failure be thrown
     */
    public void take(Member member, Batch batch, int max, boolean isFirst) {
        do {
            tryTake(member, batch, max, isFirst);
        } while (isFirst && batch.size == 0 && deadLetters.putNextAway(member, Long.MAX_VALUE));
    }

    private void tryTake(Member member, Batch batch, int max, boolean isFirst) {
        boolean isRetiring = false;
        batch.clear();
        synchronized (this) {
            try {
                // First, as it may fail. Who is next looks for records with this lock, so after this thread has taken some.
                line.leave();
                catchUp();
                // Its run was shown, or has ended.
                batch.run = 0;
                if (isFirst || isOpenFor(member)) {
                    isRetiring = takeBatch(member, batch, max, isFirst);
                }
            } catch (StackOverflowError e) {
                isBroken = true;
                throw e;
            }
        }
        batch.releaseBefore(this);
        if (isRetiring) {
            try {
                log.retire();
            } catch (Throwable _) {
                // The records that were taken must reach the caller. The next call that crosses a segment tries again.
            }
        }
    }

    /** Returns whether a segment may have become needless. */
    private boolean takeBatch(Member member, Batch batch, int max, boolean isFirst) {
        SegmentFile before = prepare(member);
        batch.moves = moves;
        batch.deadline = window.deadline();
        try {
            takeAll(member, batch, max);
        } catch (RuntimeException e) {
            if (!Failures.isCorruption(e) || (isFirst && batch.size == 0)) {
                boolean _ = isRetiring(before);
                throw e;
            }
            // What comes before it is not damaged. The next poll finds it again.
        }
        return isRetiring(before);
    }

    private void takeAll(Member member, Batch batch, int max) {
        long first = window.end();
        if (reader.takeRun(member.number, batch, max, membership.isOne()) > 0) {
            member.lowestHeld = Math.min(member.lowestHeld, first);
        } else if (!batch.isLast && !deadLetters.isNextDead(Long.MAX_VALUE) && take(member, Long.MAX_VALUE)) {
            batch.take(reader.takenFrom(), reader.takenPosition(), reader.takenLength(), reader.takenOffset(),
                    reader.takenCount());
        }
    }

    /** Finds the next records of a member's run in which so many were found. Returns how many are; as many if it ends there. */
    public int find(Member member, int before) {
        Batch batch = member.batch;
        int found = batch.find();
        if (found == before && mayGoOn(batch)) {
            found = batch.find();
            if (found == before) {
                // They were there a moment ago: the disk has failed. Who takes them again is told so.
                redelivery.giveBackUnshown(member);
            }
        }
        return found;
    }

    /**
     * A run may be at its end: what comes next is not there yet, or is not to be shown.
     *
     * @return whether it is not, because the rest was delivered to its member while another one took what lies behind
     */
    private synchronized boolean mayGoOn(Batch batch) {
        try {
            catchUp();
            return reader.mayGoOn(batch);
        } catch (StackOverflowError e) {
            isBroken = true;
            throw e;
        }
    }

    /** Shows a member nothing more of its run; other members may take the rest. */
    public void finish(Member member) {
        Batch batch = member.batch;
        if (batch.run > batch.shown) {
            endRun(batch);
        }
        batch.release(this);
        batch.clear();
    }

    private synchronized void endRun(Batch batch) {
        try {
            catchUp();
            reader.endRun(batch);
        } catch (StackOverflowError e) {
            isBroken = true;
            throw e;
        }
    }

    /** Ends a member's run if there is one. With the lock held. */
    void endRunHeld(Member member) {
        reader.endRun(member.batch);
    }

    /**
     * Makes of a taken record what users are given.
     *
     * @param <D> of that
     */
    public interface Delivering<D> {
        D deliver(int moves, long offset, int delivery, long millis, int deliveries, SegmentFile leased,
                MemorySegment payload, Arena lifetime);
    }

    /**
     * Takes one record for a member, and puts away those before it that are dead.
     *
     * @param before only those before this offset
     * @return null if there is none
     */
    public <D> @Nullable D takeOne(Member member, long before, Delivering<D> delivering) {
        D delivery;
        do {
            delivery = tryTakeOne(member, before, delivering);
        } while (delivery == null && deadLetters.putNextAway(member, before));
        return delivery;
    }

    private <D> @Nullable D tryTakeOne(Member member, long before, Delivering<D> delivering) {
        D delivery = null;
        boolean isRetiring;
        synchronized (this) {
            try {
                line.leave();
                catchUp();
                SegmentFile from = prepare(member);
                try {
                    if (!deadLetters.isNextDead(before) && take(member, before)) {
                        delivery = deliver(delivering);
                    }
                } finally {
                    isRetiring = isRetiring(from);
                }
            } catch (StackOverflowError e) {
                isBroken = true;
                throw e;
            }
        }
        if (isRetiring) {
            try {
                log.retire();
            } catch (Throwable _) {
                // As in tryTake.
            }
        }
        return delivery;
    }

    /** Makes a delivery of what was taken, or gives it back. */
    private <D> D deliver(Delivering<D> delivering) {
        SegmentFile segment = reader.takenFrom();
        long offset = reader.takenOffset();
        int position = reader.takenPosition();
        boolean isLeased = false;
        Arena arena = null;
        try {
            Batch.lease(segment);
            isLeased = true;
            arena = Arena.ofConfined();
            return delivering.deliver(moves, offset, window.delivery(offset), segment.time(position),
                    reader.takenCount(), segment, segment.lend(position, reader.takenLength(), arena), arena);
        } catch (Throwable e) {
            // Out of memory: no consumer has got it.
            window.uncount(offset);
            window.giveBack(offset);
            if (isLeased) {
                segment.release();
            }
            if (arena != null) {
                arena.close();
            }
            readers.wake();
            throw e;
        }
    }

    /** Before taking; returns the segment that the group is in. */
    SegmentFile prepare(Member member) {
        member.requireOpen();
        requireOpen();
        if (member.moves != moves) {
            member.moves = moves;
            member.lowestHeld = Long.MAX_VALUE;
        }
        wakeWaiting();
        window.deadline(newDeadline());
        return reader.segment();
    }

    /** Until when a record may be kept that is delivered now. */
    long newDeadline() {
        return visibleAgainNanos == 0 ? Deadlines.NONE : Deadlines.after(nanos(), visibleAgainNanos);
    }

    /** After taking; returns whether a segment may have become needless. */
    private boolean isRetiring(SegmentFile before) {
        boolean isCrossed = window.floor() != floorOffset && publish();
        return isCrossed || reader.segment() != before;
    }

    boolean take(Member member, long before) {
        if (!reader.take(member.number, before)) {
            return false;
        }
        member.lowestHeld = Math.min(member.lowestHeld, reader.takenOffset());
        return true;
    }

    /** Ends the use of a segment by a delivery. Returns whether that may have been the last thing for which it was kept. */
    public boolean release(SegmentFile segment) {
        segment.release();
        SegmentFile next = segment.next;
        return next != null && next.baseOffset <= floorOffset;
    }

    /** Has segments given back that are not needed. Without any lock. */
    public void retire() {
        log.retire();
    }

    // --- How far it is ---

    /** After acknowledging; returns whether a segment may have become needless. */
    boolean raise() {
        boolean wasFull = window.end() >= window.limit();
        window.raise();
        if (wasFull && window.end() < window.limit()) {
            // A thread that waits because nothing more could be delivered, though there is more.
            readers.wake();
        }
        return window.floor() != floorOffset && publish();
    }

    /** Says how far the group is. Returns whether that is in another segment than before. */
    private boolean publish() {
        boolean isCrossed = reader.findFloor();
        floorPosition = reader.floorPosition();
        floorOffset = window.floor();
        groups.moved();
        return isCrossed;
    }

    public long floorOffset() {
        return floorOffset;
    }

    public long floorPosition() {
        return floorPosition;
    }

    /** Before this offset nothing is needed for the group. If it is broken, as far as its file says: it goes on from there. */
    long needlessBefore() {
        return isBroken ? Math.min(floorOffset, file.floor()) : floorOffset;
    }

    // --- The group's file and its end ---

    /** Waits until what is acknowledged is on the disk, and stays there. */
    void force() throws IOException {
        force(true);
    }

    /**
     * Waits until it is on the disk how far the group is. It may lose what is acknowledged behind that, in a power cut: so no later acknowledgement has to wait for the disk.
     */
    void forceFloor() throws IOException {
        force(false);
    }

    private void force(boolean isPromise) throws IOException {
        int before = moves;
        long reached = locked(() -> isUsable() ? beforeForce(isPromise) : -1L);
        if (isUnheard) {
            requireOpen();
        }
        try {
            // Of a broken group too, as it is: the acknowledgements in it count.
            file.force();
        } catch (StackOverflowError e) {
            isUnheard = true;
            isBroken = true;
            throw e;
        }
        boolean _ = locked(() -> {
            if (isUsable() && before == moves && reached >= 0) {
                file.afterForce(reached);
            }
            return true;
        });
    }

    private long beforeForce(boolean isPromise) {
        long reached = window.floor();
        file.beforeForce(reached, isPromise ? window.end() : reached);
        return reached;
    }

    /** Ends the group's use, in this process; deliveries that are open can still be read. */
    public void end(String why) {
        try {
            endOnce(why);
        } finally {
            line.wakeAll();
        }
    }

    private synchronized void endOnce(String why) {
        if (end == null) {
            // First: there may be no memory for more.
            end = why;
            try {
                end = "Consumer group " + name + " cannot be used any more: " + why;
                takeFromAll();
                if (!isBroken) {
                    reader.close();
                }
            } finally {
                file.close(isBroken ? file.floor() : window.floor());
            }
        }
    }

    boolean isUsable() {
        return end == null && !isBroken;
    }

    void requireOpen() {
        if (end != null) {
            throw new IllegalStateException(end);
        }
        if (isBroken) {
            throw Failures
                    .poisoned("Consumer group " + name + " cannot be used any more: a thread has run out of stack or"
                            + " memory while it changed it. What was acknowledged is. Close the queue, and open it again",
                            null);
        }
    }

    void requireOpen(Member member) {
        member.requireOpen();
        requireOpen();
    }

    @Override
    public String toString() {
        return "consumer group " + name;
    }
}
