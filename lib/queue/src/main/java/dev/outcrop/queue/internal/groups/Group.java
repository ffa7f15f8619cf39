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
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group of an open queue. Thread-safe; each method throws {@link IllegalStateException} after the queue was closed or the group
 * deleted.
 */
public final class Group {
    private final Groups groups;
    private final Log log;
    private final Readers readers;
    private final String name;
    private final GroupFile file;
    /** The zero of the group's times. */
    private final long began;

    private final WaitQueue line;
    private final GroupReader reader;
    private final InFlight window;
    private final GroupSeek seeking;
    private final Acknowledgements acknowledgements;
    private final Redelivery redelivery;
    private final DeadLetters deadLetters;
    private final Fetcher fetcher;
    // Guarded by the lock.
    /** The time after which a record that was neither acknowledged nor given back is delivered again; 0 for never. */
    private long visibleAgainNanos;
    /** The number of the last member that was made. */
    private int lastNumber;
    private int openMembers;
    /** The only open member wants no others. */
    private boolean isExclusive;
    /** The reason if the group has ended. */
    private volatile @Nullable String end;
    /**
     * A thread without stack or memory may have left a change of the group half done. Set before the lock is released, so that no other
     * thread acknowledges records that were never shown. Set without a call, for which there may be no stack.
     */
    public volatile boolean isBroken;
    /** A thread without stack may have been told that the file is not on the disk. */
    private volatile boolean isUnheard;
    /** How often all records were taken from the consumers: by moving the group, and by its end. */
    private volatile int moves;
    private volatile long floorOffset;
    private volatile long floorPosition;

    public Group(Groups groups, Log log, Readers readers, String name, GroupFile file) {
        this.groups = groups;
        this.log = log;
        this.readers = readers;
        this.began = log.clock().nanos();
        this.name = name;
        this.file = file;
        this.reader = new GroupReader(log, file);
        this.window = reader.window;
        this.line = new WaitQueue(readers);
        this.seeking = new GroupSeek(this, log, reader);
        this.acknowledgements = new Acknowledgements(this, log, window, file);
        this.redelivery = new Redelivery(this, window, line, readers);
        this.deadLetters = new DeadLetters(this, log, reader);
        this.fetcher = new Fetcher(this, log, readers, reader, line);
        file.failing(this::poison);
        publish();
    }

    /** Poisons the queue, because the group's file cannot be forced: nothing can be given back from now on. */
    private void poison(IOException failure) {
        if (log.poison() != null) {
            return;
        }
        try {
            RuntimeException _ = log.poison(Failures.make().poisoned("What consumer group " + name
                    + " has acknowledged could not be written to the disk (" + FailureText.of(failure)
                    + "), and the kernel may have kept only a part of that. Nothing more is appended. Close the queue, see"
                    + " to the disk, and open it again", failure));
        } catch (OutOfMemoryError | StackOverflowError | LinkageError _) {
            RuntimeException _ = log.poisonUnexplained();
        }
    }

    // --- The lock: this object's monitor ---

    /** Runs work while no other thread reads or changes the group. */
    synchronized <T extends @Nullable Object> T locked(Supplier<T> work) {
        try {
            catchUp();
            return work.get();
        } catch (StackOverflowError e) {
            isBroken = true;
            throw e;
        }
    }

    /** A change of the group for one of its members. These objects are made with the group: making a lambda needs memory and stack. */
    interface Change {
        void apply(Member member, int moves, long offset);
    }

    /**
     * Applies a change while no other thread reads or changes the group. Does nothing if the group has ended or is broken. The group is
     * broken if the change fails for lack of stack or memory.
     */
    synchronized void change(Change change, Member member, int changedMoves, long offset) {
        try {
            catchUp();
            if (isUsable()) {
                change.apply(member, changedMoves, offset);
            }
        } catch (StackOverflowError | OutOfMemoryError e) {
            isBroken = true;
            throw e;
        }
    }

    /** Delivers what the consumer of a run has found. Called first with the lock held. */
    void catchUp() {
        if (!isBroken) {
            reader.catchUp();
        }
    }

    // --- State ---

    /** The name of the group. */
    public String name() {
        return name;
    }

    /**
     * Changes how the group delivers.
     *
     * @param visibleAgain   nanoseconds after which a record that was neither acknowledged nor given back is delivered again; 0 for never
     * @param delayMillis    how old a record must be to be delivered
     * @param mostDeliveries after which a record is dead
     * @param handler        takes dead records; null for none
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

    /** How members take records. */
    public Fetcher fetcher() {
        return fetcher;
    }

    /** How records are delivered again. */
    public Redelivery redelivery() {
        return redelivery;
    }

    /** The records that no consumer can handle. */
    public DeadLetters deadLetters() {
        return deadLetters;
    }

    /**
     * Makes a member, which shares the group's records with the others unless it must be alone.
     *
     * @param keepsWithdrawn whether withdrawn records are kept until a later record is acknowledged; only if it must be alone
     */
    public Member join(boolean alone, boolean keepsWithdrawn) {
        return read(() -> {
            // Numbers start again before they become negative, which means something else.
            int number = lastNumber == Integer.MAX_VALUE ? 1 : lastNumber + 1;
            // First: there may be no memory for it.
            Member made = new Member(this, number, moves);
            requireRoomFor(alone);
            reader.keepWithdrawn(keepsWithdrawn);
            boolean _ = raise();
            openMembers++;
            isExclusive = alone;
            lastNumber = number;
            return made;
        });
    }

    private void requireRoomFor(boolean alone) {
        if (isExclusive) {
            throw new IllegalStateException("Consumer group " + name
                    + " has an exclusive consumer, and can have no other until that is closed. Give this one a group of its own");
        }
        if (alone && openMembers > 0) {
            throw new IllegalStateException("Consumer group " + name + " cannot have an exclusive consumer: "
                    + openMembers
                    + (openMembers == 1 ? " other one is" : " others are")
                    + " open. Close what else consumes this group, or take another one");
        }
    }

    /** Whether the group has a single open member. With the lock held. */
    boolean hasOneMember() {
        return openMembers == 1;
    }

    /** Notes that a member is closed. A second call does nothing. With the lock held. */
    void leave(Member member) {
        if (!member.hasLeft) {
            member.hasLeft = true;
            openMembers--;
            isExclusive = false;
        }
    }

    /** As {@link #locked}, if the group is open. */
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

    /** The offset of the next new record. */
    public long passed() {
        return read(window::end);
    }

    /** How many records consumers hold. */
    public int inFlight() {
        return read(() -> {
            wakeWaiting();
            return window.delivered();
        });
    }

    /** How many records are not acknowledged. In {@link #read}. */
    public long unacknowledged() {
        return log.nextOffset() - window.floor() - window.acknowledgedAhead();
    }

    /** The bytes from the first record that is not acknowledged to the queue's end. In {@link #read}. */
    public long unacknowledgedBytes() {
        return Math.max(0, log.nextPosition() - reader.floorPosition());
    }

    /** The age of the first record that is not acknowledged. In {@link #read}. */
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
        // First, so that no segment that the group will need is retired meanwhile.
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

    /** Takes all records from the consumers. */
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

    /**
     * Whether records that were delivered after this many moves can still be acknowledged. Also true if the group has ended, so that the
     * caller gets its exception.
     */
    public boolean isCurrent(int delivered) {
        return moves == delivered || end != null;
    }

    /**
     * Waits until it is worth trying to take a record, or until a deadline. If this returns true, the caller tries to take a record, and
     * leaves the line by that or by {@link #leaveLine()}.
     */
    public boolean await(Member member, long deadline) throws InterruptedException {
        return line.await(member, new Look(member), deadline);
    }

    /** Leaves the line, if the thread is its first. */
    public void leaveLine() {
        line.leave();
    }

    /** Looks whether it is worth trying to take a record. */
    private final class Look implements WaitQueue.Look, Change {
        private final Member member;
        private long nanosLeft;

        private Look(Member member) {
            this.member = member;
        }

        @Override
        public boolean isOver() {
            return !isOpenFor(member);
        }

        @Override
        public long nanosLeft() {
            nanosLeft = 0;
            if (!isOver()) {
                change(this, member, 0, 0);
            }
            return nanosLeft;
        }

        @Override
        public void apply(Member looking, int unused, long none) {
            wakeWaiting();
            if (!reader.isWorthTrying()) {
                // Records that were given back with a delay, or kept for too long, become ready although no thread wakes this one.
                long due = window.firstDue();
                long left = due == Long.MAX_VALUE ? due : Math.max(1, due - nanos());
                nanosLeft = Math.min(left, reader.nanosLeft());
            }
        }
    }

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

    /** Prepares for taking. Returns the present segment. */
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

    /** The deadline for records that are delivered now. */
    long newDeadline() {
        return visibleAgainNanos == 0 ? Deadlines.NONE : Deadlines.after(nanos(), visibleAgainNanos);
    }

    /** Whether a segment may have become needless since {@link #prepare}. */
    boolean isRetiring(SegmentFile before) {
        boolean isCrossed = window.floor() != floorOffset && publish();
        return isCrossed || reader.segment() != before;
    }

    /** Releases a segment. Returns whether this may have been the last use that kept the segment. */
    public boolean release(SegmentFile segment) {
        segment.release();
        SegmentFile next = segment.next;
        return next != null && next.baseOffset <= floorOffset;
    }

    /** Starts giving back segments that are not needed. Without any lock. */
    public void retire() {
        log.retire();
    }

    // --- How far it is ---

    /** Raises the floor after acknowledging. Returns whether a segment may have become needless. */
    boolean raise() {
        boolean wasFull = window.end() >= window.limit();
        window.raise();
        if (wasFull && window.end() < window.limit()) {
            // Wakes threads that waited because the window was full.
            readers.wake();
        }
        return window.floor() != floorOffset && publish();
    }

    /** Publishes the floor. Returns whether it is in another segment than before. */
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

    /** The offset before which the group needs nothing. A broken group continues from its file. */
    long needlessBefore() {
        return isBroken ? Math.min(floorOffset, file.floor()) : floorOffset;
    }

    // --- The group's file and its end ---

    /** Forces what is acknowledged to the disk. */
    void force() throws IOException {
        force(true);
    }

    /**
     * Forces the floor to the disk. A power cut may lose acknowledgements behind it, so no later acknowledgement has to wait for the disk.
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
            // Also for a broken group, because the acknowledgements in its file count.
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

    /** Ends the group. Open deliveries can still be read. */
    public void end(String why) {
        try {
            endOnce(why);
        } finally {
            line.wakeAll();
        }
    }

    private synchronized void endOnce(String why) {
        if (end == null) {
            // First: there may be no memory for the longer text.
            end = why;
            try {
                end = "Consumer group " + name + " can no longer be used: " + why;
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
            throw Failures.make().poisoned("Consumer group " + name
                    + " can no longer be used: a thread has run out of stack or"
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
