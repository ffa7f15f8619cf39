package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.FailureText;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.Locks;
import dev.outcrop.queue.internal.Nanos;
import dev.outcrop.queue.internal.StackNeed;
import dev.outcrop.queue.internal.append.Cursor;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A consumer group in use: which of its members holds which record, what is acknowledged, and how far it is. Thread-safe; each method throws {@link
 * IllegalStateException} after the queue was closed or the group deleted.
 */
public final class Group {
    private final Groups groups;
    private final Log log;
    private final Readers readers;
    private final String name;
    private final GroupFile file;
    /** Times are nanoseconds since then. */
    private final long began = System.nanoTime();

    private final ReentrantLock lock = new ReentrantLock();
    private final GroupReader reader;
    private final InFlight window;
    private final GroupMoves moving;
    private int consumers;
    /** Why the group cannot be used any more. */
    private volatile @Nullable String end;
    /** How often everything that consumers held was taken from them: by moving the group, and by its end. */
    private volatile int moves;
    private volatile long floorOffset;
    private volatile long floorPosition;

    public Group(Groups groups, Log log, Readers readers, String name, GroupFile file) {
        this.groups = groups;
        this.log = log;
        this.readers = readers;
        this.name = name;
        this.file = file;
        this.reader = new GroupReader(log, file);
        this.window = reader.window;
        this.moving = new GroupMoves(this, log, reader);
        file.failing(this::poison);
        publish();
    }

    /** What all files of the queue depend on cannot be brought to the disk: nothing can be given back any more, and whoever appends must know. */
    private void poison(IOException failure) {
        if (log.poison() == null) {
            RuntimeException _ = log.poison(Failures.poisoned("What consumer group " + name
                    + " has acknowledged could not be written to the disk (" + FailureText.of(failure)
                    + "), and what the kernel has kept of it is unknown. Nothing more is appended. Close the queue, see to the disk, and open"
                    + " it again", failure));
        }
    }

    // --- What there is ---

    /** What the group is called. */
    public String name() {
        return name;
    }

    /** Makes a member, which shares the group's records with the others. */
    public Member join() {
        StackNeed.LOCK.require();
        lock.lock();
        try {
            requireOpen();
            // From the start again, before the numbers become those that mean something else.
            consumers = consumers == Integer.MAX_VALUE ? 1 : consumers + 1;
            return new Member(this, consumers, moves);
        } finally {
            lock.unlock();
        }
    }

    /** How far the group is: all records before this one are acknowledged. */
    public long position() {
        StackNeed.LOCK.require();
        lock.lock();
        try {
            requireOpen();
            return window.floor();
        } finally {
            lock.unlock();
        }
    }

    /** How much there is to do. */
    public GroupLag lag() {
        StackNeed.LOCK.require();
        lock.lock();
        try {
            requireOpen();
            long records = log.nextOffset() - window.floor() - window.acknowledgedAhead();
            return records == 0
                    ? new GroupLag(0, 0, Long.MAX_VALUE)
                    : new GroupLag(records, Math.max(0, log.nextPosition() - reader.floorPosition()),
                            reader.floorTime());
        } finally {
            lock.unlock();
        }
    }

    /** How much is being done. */
    public int inFlight() {
        StackNeed.LOCK.require();
        lock.lock();
        try {
            requireOpen();
            return window.delivered();
        } finally {
            lock.unlock();
        }
    }

    // --- Moving ---

    /** How it is moved. */
    public GroupMoves moving() {
        return moving;
    }

    /** Moves the group; see {@link GroupMoves}. */
    long move(LongSupplier target, boolean isExact) {
        StackNeed.FILES.require();
        long reached;
        // First, so that what the group is going to need is not retired meanwhile.
        groups.holdFloors();
        try {
            lock.lock();
            try {
                requireOpen();
                reached = moveHeld(target.getAsLong(), isExact);
            } finally {
                lock.unlock();
            }
        } finally {
            groups.releaseFloors();
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

    /** Waits until a consumer has reason to try again, which may be an exception, or a time has come. */
    public boolean await(Member member, long deadline) throws InterruptedException {
        return readers.await(() -> nanosLeft(member), deadline);
    }

    /** 0 if it is worth trying. Looks, but does neither read nor wait: producers may be waiting for whoever calls this. */
    private long nanosLeft(Member member) {
        if (!lock.tryLock()) {
            return end != null || member.isClosed() ? 0 : Readers.Arrival.SOON;
        }
        try {
            if (end != null || member.isClosed()) {
                return 0;
            }
            wakeWaiting();
            if (reader.isWorthTrying()) {
                return 0;
            }
            // What was given back with a delay comes although nobody wakes us.
            return window.isAnyWaiting()
                    ? Math.max(1, window.firstDue() - (System.nanoTime() - began))
                    : Long.MAX_VALUE;
        } finally {
            lock.unlock();
        }
    }

    private void wakeWaiting() {
        if (window.isAnyWaiting()) {
            window.wake(System.nanoTime() - began);
        }
    }

    /**
     * Takes records for a consumer.
     *
     * @param max     how many at most
     * @param isFirst whether nothing was shown before in the same call: only then is there somebody to be told what went wrong
     */
    public void take(Member member, Batch batch, int max, boolean isFirst) {
        boolean isRetiring;
        batch.clear();
        lock.lock();
        try {
            if (!isFirst && (end != null || member.isClosed())) {
                return;
            }
            SegmentFile before = prepare(member);
            batch.moves = moves;
            try {
                takeAll(member, batch, max);
            } catch (RuntimeException e) {
                if (!Failures.isCorruption(e) || (isFirst && batch.size == 0)) {
                    throw e;
                }
                // What comes before it is not damaged. The next poll finds it again.
            } finally {
                isRetiring = isRetiring(before);
            }
        } finally {
            lock.unlock();
        }
        batch.releaseBefore(this);
        if (isRetiring) {
            log.retire();
        }
    }

    private void takeAll(Member member, Batch batch, int max) {
        long first = window.end();
        if (reader.takeRun(member.number, batch, max) > 0) {
            member.lowestHeld = Math.min(member.lowestHeld, first);
        } else if (!batch.isLast && take(member)) {
            batch.take(reader.takenFrom(), reader.takenPosition(), reader.takenLength(), reader.takenOffset(),
                    reader.takenCount());
        }
    }

    /**
     * Makes of a taken record what users are given.
     *
     * @param <D> of that
     */
    public interface Delivering<D> {
        D deliver(int moves, long offset, long millis, int deliveries, SegmentFile leased, MemorySegment payload,
                Arena lifetime);
    }

    /** Takes one record for a member; null if there is none. */
    public <D> @Nullable D takeOne(Member member, Delivering<D> delivering) {
        StackNeed.TAKE.require();
        D delivery = null;
        boolean isRetiring;
        lock.lock();
        try {
            SegmentFile before = prepare(member);
            try {
                if (take(member)) {
                    delivery = deliver(delivering);
                }
            } finally {
                isRetiring = isRetiring(before);
            }
        } finally {
            lock.unlock();
        }
        if (isRetiring) {
            log.retire();
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
            return delivering.deliver(moves, offset, segment.time(position), reader.takenCount(), segment,
                    segment.lend(position, reader.takenLength(), arena), arena);
        } catch (Throwable e) {
            // Out of memory: nobody has got it.
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
    private SegmentFile prepare(Member member) {
        member.requireOpen();
        requireOpen();
        if (member.moves != moves) {
            member.moves = moves;
            member.lowestHeld = Long.MAX_VALUE;
        }
        wakeWaiting();
        return reader.segment();
    }

    /** After taking; returns whether a segment may have become needless. */
    private boolean isRetiring(SegmentFile before) {
        boolean isCrossed = window.floor() != floorOffset && publish();
        return isCrossed || reader.segment() != before;
    }

    private boolean take(Member member) {
        if (!reader.take(member.number)) {
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

    /** Some segments may be needed by nobody any more. Without any lock. */
    public void retire() {
        log.retire();
    }

    // --- Acknowledging ---

    public boolean acknowledge(Member member, long offset) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        lock.lock();
        try {
            requireOpen(member);
            if (!member.holds(window, moves, offset)) {
                return false;
            }
            // The file first: if it fails, nothing has happened.
            file.acknowledge(offset / GroupFile.WORD_OFFSETS, 1 << (int) offset, window.floor());
            window.acknowledge(offset);
            isCrossed = raise();
        } finally {
            lock.unlock();
        }
        if (isCrossed) {
            log.retire();
        }
        return true;
    }

    public int acknowledge(Member member, long[] offsets) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        int acknowledged = 0;
        lock.lock();
        try {
            requireOpen(member);
            for (long offset : offsets) {
                boolean _ = member.holds(window, moves, offset);
            }
            try {
                for (long offset : offsets) {
                    if (member.holds(window, moves, offset)) {
                        file.acknowledge(offset / GroupFile.WORD_OFFSETS, 1 << (int) offset, window.floor());
                        window.acknowledge(offset);
                        acknowledged++;
                    }
                }
            } finally {
                // Also what was acknowledged before one failed.
                isCrossed = raise();
            }
        } finally {
            lock.unlock();
        }
        if (isCrossed) {
            log.retire();
        }
        return acknowledged;
    }

    public int acknowledgeUpTo(Member member, long offset) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        int acknowledged;
        lock.lock();
        try {
            requireOpen(member);
            if (offset < 0) {
                throw new IllegalArgumentException("An offset cannot be " + offset);
            }
            try {
                acknowledged = member.acknowledgeUpTo(window, file, moves, offset);
            } finally {
                // Also what was acknowledged before one failed.
                isCrossed = raise();
            }
        } finally {
            lock.unlock();
        }
        if (isCrossed) {
            log.retire();
        }
        return acknowledged;
    }

    /** After acknowledging; returns whether a segment may have become needless. */
    private boolean raise() {
        boolean wasFull = window.end() >= window.limit();
        window.raise();
        if (wasFull && window.end() < window.limit()) {
            // Whoever waits because nothing more could be delivered, though there is more.
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

    // --- Giving back ---

    public boolean giveBack(Member member, long offset, Duration delay) {
        StackNeed.RELEASE.require();
        if (delay.isNegative()) {
            throw new IllegalArgumentException("A record cannot be delivered again after " + delay);
        }
        lock.lock();
        try {
            requireOpen(member);
            if (!member.holds(window, moves, offset)) {
                return false;
            }
            if (delay.isZero()) {
                window.giveBack(offset);
            } else {
                window.giveBack(offset, System.nanoTime() - began + Nanos.of(delay));
            }
        } finally {
            lock.unlock();
        }
        readers.wake();
        return true;
    }

    /** Gives back what a consumer holds of its batch, and of so many runs of records. Does nothing if the group has ended. */
    public void giveBack(Member member, long[] runs, int count) {
        Locks.lockSurely(lock);
        try {
            Batch batch = member.batch;
            if (end != null || batch.moves != moves) {
                return;
            }
            member.uncount(window);
            for (int i = 0; i < count; i++) {
                member.giveBack(window, runs[2 * i], runs[2 * i + 1]);
            }
            member.giveBack(window, batch.first, batch.first + batch.size);
        } finally {
            lock.unlock();
        }
        readers.wake();
    }

    /** Gives back all that a consumer holds. Does nothing if the group has ended. */
    public void giveBackAll(Member member) {
        lock.lock();
        try {
            if (end != null || member.moves != moves) {
                return;
            }
            member.uncount(window);
            member.giveBack(window, member.lowestHeld(window, moves), window.end());
        } finally {
            lock.unlock();
            // Also if there was nothing: another thread may wait in the consumer that is being closed.
            readers.wake();
        }
    }

    // --- The group's file and its end ---

    /** Waits until what is acknowledged is on the disk. */
    public void force() throws IOException {
        long reached;
        int before;
        lock.lock();
        try {
            if (end != null) {
                return;
            }
            reached = window.floor();
            before = moves;
            file.beforeForce(reached, window.end());
        } finally {
            lock.unlock();
        }
        file.force();
        lock.lock();
        try {
            if (end == null && before == moves) {
                file.afterForce(reached);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Ends the group's use, in this process; deliveries that are open can still be read. */
    public void end(String why) {
        lock.lock();
        try {
            if (end == null) {
                end = "Consumer group " + name + " cannot be used any more: " + why;
                takeFromAll();
                reader.close();
                file.close(window.floor());
            }
        } finally {
            lock.unlock();
        }
        readers.wake();
    }

    private void requireOpen() {
        if (end != null) {
            throw new IllegalStateException(end);
        }
    }

    private void requireOpen(Member member) {
        member.requireOpen();
        requireOpen();
    }

    @Override
    public String toString() {
        return "consumer group " + name;
    }
}
