package dev.outcrop.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.Arena;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads all records of a queue once, with as many {@linkplain #consumer() consumers} as one likes, which share them: each record goes to one of
 * them, until it is acknowledged. What is acknowledged is remembered in a file and survives the end of the process, however it ends; to survive
 * that of the machine too it must have been written to the disk, which the queue does before it gives records up. So after a power cut,
 * acknowledged records may be delivered again.
 *
 * <p>Records are acknowledged in any order. All before the {@linkplain #position() position} are; behind it, the group tells apart some 65,536
 * records, exactly between 65,505 and 65,536. Further ones are not delivered before the one at the position is acknowledged.
 *
 * <p>A new group begins with the first record that is kept. Get groups from {@link Queue#group}; they end with the queue. All methods are
 * thread-safe, and throw {@link IllegalStateException} after the queue was closed or the group deleted.
 */
public final class ConsumerGroup {
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
    private int consumers;
    /** Why the group cannot be used any more. */
    private volatile @Nullable String end;
    /** How often everything that consumers held was taken from them: by moving the group, and by its end. */
    private volatile int moves;
    private volatile long floorOffset;
    private volatile long floorPosition;

    ConsumerGroup(Groups groups, Log log, Readers readers, String name, GroupFile file) {
        this.groups = groups;
        this.log = log;
        this.readers = readers;
        this.name = name;
        this.file = file;
        this.reader = new GroupReader(log, file);
        this.window = reader.window;
        file.failing(this::poison);
        publish();
    }

    /** What all files of the queue depend on cannot be brought to the disk: nothing can be given back any more, and whoever appends must know. */
    private void poison(IOException failure) {
        if (log.poison() == null) {
            QueueException _ = log.poison(new QueuePoisonedException("What consumer group " + name
                    + " has acknowledged could not be written to the disk (" + FailureText.of(failure)
                    + "), and what the kernel has kept of it is unknown. Nothing more is appended. Close the queue, see to the disk, and open"
                    + " it again", failure));
        }
    }

    // --- What there is ---

    /**
     * What the group is called.
     *
     * @return its name
     */
    public String name() {
        return name;
    }

    /**
     * Makes a consumer, which shares the group's records with its other consumers.
     *
     * @return to be closed by the caller
     */
    public Consumer consumer() {
        StackNeed.LOCK.require();
        lock.lock();
        try {
            requireOpen();
            // From the start again, before the numbers become those that mean something else.
            consumers = consumers == Integer.MAX_VALUE ? 1 : consumers + 1;
            return new Consumer(this, consumers, moves);
        } finally {
            lock.unlock();
        }
    }

    /**
     * How far the group is: all records before this one are acknowledged.
     *
     * @return the offset of the first record that is not acknowledged, or that of the next record to be appended
     */
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

    /**
     * How much there is to do.
     *
     * @return the number of records that are not acknowledged, delivered or not; with those that were withdrawn, because whoever appended
     *         them failed or was killed, until a consumer has come to where they are
     */
    public long lag() {
        StackNeed.LOCK.require();
        lock.lock();
        try {
            requireOpen();
            return log.nextOffset() - window.floor() - window.acknowledgedAhead();
        } finally {
            lock.unlock();
        }
    }

    /**
     * How much is being done.
     *
     * @return the number of records that consumers hold: delivered, and neither acknowledged nor given back
     */
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

    /**
     * Moves the group: its consumers go on with the record of an offset, whatever they held or had acknowledged. What they hold is not
     * theirs any more, and acknowledging it has no effect. Records before the offset count as acknowledged, those from there on do not. When
     * this returns, the disk knows.
     *
     * @param offset not negative, at most {@link Queue#nextOffset()}; waits for those who are still copying records before it
     * @return the offset, or that of the first record that is kept, if that is higher
     * @throws IllegalArgumentException if the offset is out of range
     * @throws IllegalStateException    also if called by a {@link RecordWriter}
     * @throws QueuePoisonedException   if a record before the offset may never be there, because writing to the disk has failed
     * @throws QueueCorruptException    if a record before the offset is damaged so that nobody knows where the next one begins
     * @throws UncheckedIOException     if the disk fails; after the next start, the group may be where it was or where it was to go
     */
    public long seek(long offset) {
        StackNeed.FILES.require();
        log.requireNoWriter("move a group of");
        if (offset < 0) {
            throw new IllegalArgumentException("An offset cannot be " + offset);
        }
        long next = log.nextOffset();
        if (offset > next) {
            throw new IllegalArgumentException("Consumer group " + name + " cannot go on with record " + offset
                    + ": the next record to be appended is " + next);
        }
        // Before anything is locked: whoever is copying one of them may need a lock of this group's, or of all.
        reader.awaitRecordsBefore(offset);
        return move(() -> offset, true);
    }

    /**
     * Moves the group to the first record that is kept; see {@link #seek(long)}.
     *
     * @return its offset
     */
    public long seekToBeginning() {
        return move(() -> 0, false);
    }

    /**
     * Moves the group behind the last record; see {@link #seek(long)}. Records that are being appended at this moment may still be delivered.
     *
     * @return the offset of the next record that consumers will get
     */
    public long seekToEnd() {
        return move(log::nextOffset, false);
    }

    /**
     * Moves the group to the first record that was appended at or after a time, or behind the last record if there is none; see
     * {@link #seek(long)}. Reads a whole file of the queue at worst. Records know their time to some 10 ms, or, while the queue's own thread
     * waits for the disk, to as long as that takes; and one that was being appended when a
     * file was full may be in it with a later time than the first ones of the next file.
     *
     * @param time by the system's clock
     * @return the offset of the next record that consumers will get
     * @throws QueueCorruptException if a record that had to be read is damaged; the group was not moved
     */
    public long seek(Instant time) {
        long millis = Clock.millisNotBefore(time);
        return move(() -> reader.firstNotBefore(millis), false);
    }

    private long move(LongSupplier target, boolean isExact) {
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
    int moves() {
        return moves;
    }

    /** Whether what was delivered after so many moves can still be acknowledged; also if the group has ended, so that who tries is told. */
    boolean isCurrent(int delivered) {
        return moves == delivered || end != null;
    }

    /** Waits until a consumer has reason to try again, which may be an exception, or a time has come. */
    boolean await(Consumer consumer, long deadline) throws InterruptedException {
        return readers.await(() -> nanosLeft(consumer), deadline);
    }

    /** 0 if it is worth trying. Looks, but does neither read nor wait: producers may be waiting for whoever calls this. */
    private long nanosLeft(Consumer consumer) {
        if (!lock.tryLock()) {
            return end != null || consumer.isClosed() ? 0 : Readers.Arrival.SOON;
        }
        try {
            if (end != null || consumer.isClosed()) {
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
    void take(Consumer consumer, Batch batch, int max, boolean isFirst) {
        boolean isRetiring;
        batch.clear();
        lock.lock();
        try {
            if (!isFirst && (end != null || consumer.isClosed())) {
                return;
            }
            SegmentFile before = prepare(consumer);
            batch.moves = moves;
            try {
                takeAll(consumer, batch, max);
            } catch (QueueCorruptException e) {
                if (isFirst && batch.size == 0) {
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

    private void takeAll(Consumer consumer, Batch batch, int max) {
        long first = window.end();
        if (reader.takeRun(consumer.number, batch, max) > 0) {
            consumer.lowestHeld = Math.min(consumer.lowestHeld, first);
        } else if (!batch.isLast && take(consumer)) {
            batch.take(reader.takenFrom(), reader.takenPosition(), reader.takenLength(), reader.takenOffset(),
                    reader.takenCount());
        }
    }

    /** Takes one record for a consumer; null if there is none. */
    @Nullable
    Delivery takeOne(Consumer consumer) {
        StackNeed.TAKE.require();
        Delivery delivery = null;
        boolean isRetiring;
        lock.lock();
        try {
            SegmentFile before = prepare(consumer);
            try {
                if (take(consumer)) {
                    delivery = deliver(consumer);
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
    private Delivery deliver(Consumer consumer) {
        SegmentFile segment = reader.takenFrom();
        long offset = reader.takenOffset();
        int position = reader.takenPosition();
        boolean isLeased = false;
        Arena arena = null;
        try {
            Batch.lease(segment);
            isLeased = true;
            arena = Arena.ofConfined();
            return new Delivery(consumer, moves, offset, segment.time(position), reader.takenCount(), segment,
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
    private SegmentFile prepare(Consumer consumer) {
        consumer.requireOpen();
        requireOpen();
        if (consumer.moves != moves) {
            consumer.moves = moves;
            consumer.lowestHeld = Long.MAX_VALUE;
        }
        wakeWaiting();
        return reader.segment();
    }

    /** After taking; returns whether a segment may have become needless. */
    private boolean isRetiring(SegmentFile before) {
        boolean isCrossed = window.floor() != floorOffset && publish();
        return isCrossed || reader.segment() != before;
    }

    private boolean take(Consumer consumer) {
        if (!reader.take(consumer.number)) {
            return false;
        }
        consumer.lowestHeld = Math.min(consumer.lowestHeld, reader.takenOffset());
        return true;
    }

    /** Ends the use of a segment by a delivery. Returns whether that may have been the last thing for which it was kept. */
    boolean release(SegmentFile segment) {
        segment.release();
        SegmentFile next = segment.next;
        return next != null && next.baseOffset <= floorOffset;
    }

    /** Some segments may be needed by nobody any more. Without any lock. */
    void retire() {
        log.retire();
    }

    // --- Acknowledging ---

    boolean acknowledge(Consumer consumer, long offset) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        lock.lock();
        try {
            requireOpen(consumer);
            if (!isHeld(consumer, offset)) {
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

    int acknowledge(Consumer consumer, long[] offsets) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        int acknowledged = 0;
        lock.lock();
        try {
            requireOpen(consumer);
            for (long offset : offsets) {
                boolean _ = isHeld(consumer, offset);
            }
            try {
                for (long offset : offsets) {
                    if (isHeld(consumer, offset)) {
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

    int acknowledgeUpTo(Consumer consumer, long offset) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        int acknowledged = 0;
        lock.lock();
        try {
            requireOpen(consumer);
            if (offset < 0) {
                throw new IllegalArgumentException("An offset cannot be " + offset);
            }
            long from = lowestHeld(consumer);
            long to = Math.min(offset, window.end() - 1);
            try {
                for (long block = from / GroupFile.WORD_OFFSETS; block <= to / GroupFile.WORD_OFFSETS; block++) {
                    int bits = window.heldBits(block, from, to, consumer.number)
                            & ~consumer.batch.unshownBits(block, moves);
                    if (bits != 0) {
                        file.acknowledge(block, bits, window.floor());
                        window.acknowledge(block, bits);
                        acknowledged += Integer.bitCount(bits);
                    }
                }
                consumer.lowestHeld = Math.max(from, Math.min(to + 1, consumer.batch.firstUnshown(moves)));
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

    long floorOffset() {
        return floorOffset;
    }

    long floorPosition() {
        return floorPosition;
    }

    // --- Giving back ---

    boolean giveBack(Consumer consumer, long offset, Duration delay) {
        StackNeed.RELEASE.require();
        if (delay.isNegative()) {
            throw new IllegalArgumentException("A record cannot be delivered again after " + delay);
        }
        lock.lock();
        try {
            requireOpen(consumer);
            if (!isHeld(consumer, offset)) {
                return false;
            }
            if (delay.isZero()) {
                window.giveBack(offset);
            } else {
                window.giveBack(offset, System.nanoTime() - began + Consumer.nanos(delay));
            }
        } finally {
            lock.unlock();
        }
        readers.wake();
        return true;
    }

    /** Gives back what a consumer holds of its batch, and of so many runs of records. Does nothing if the group has ended. */
    void giveBack(Consumer consumer, long[] runs, int count) {
        Locks.lockSurely(lock);
        try {
            Batch batch = consumer.batch;
            if (end != null || batch.moves != moves) {
                return;
            }
            uncount(consumer);
            for (int i = 0; i < count; i++) {
                giveBackHeld(consumer, runs[2 * i], runs[2 * i + 1]);
            }
            giveBackHeld(consumer, batch.first, batch.first + batch.size);
        } finally {
            lock.unlock();
        }
        readers.wake();
    }

    private void giveBackHeld(Consumer consumer, long from, long to) {
        for (long offset = from; offset < to; offset++) {
            if (isHeldNow(consumer, offset)) {
                window.giveBack(offset);
            }
        }
    }

    /** Gives back all that a consumer holds. Does nothing if the group has ended. */
    void giveBackAll(Consumer consumer) {
        lock.lock();
        try {
            if (end != null || consumer.moves != moves) {
                return;
            }
            uncount(consumer);
            for (long offset = lowestHeld(consumer); offset < window.end(); offset++) {
                if (window.state(offset) == consumer.number) {
                    window.giveBack(offset);
                }
            }
        } finally {
            lock.unlock();
            // Also if there was nothing: another thread may wait in the consumer that is being closed.
            readers.wake();
        }
    }

    /** What was taken for a consumer and not shown to it was not delivered. */
    private void uncount(Consumer consumer) {
        Batch batch = consumer.batch;
        for (int i = batch.shown; i < batch.size; i++) {
            if (isHeldNow(consumer, batch.first + i)) {
                window.uncount(batch.first + i);
            }
        }
    }

    private boolean isHeldNow(Consumer consumer, long offset) {
        return offset >= window.floor() && offset < window.end() && window.state(offset) == consumer.number;
    }

    /** Whether a consumer holds a record; false if it did, as far as one can know, and has acknowledged it, or the group was moved. */
    private boolean isHeld(Consumer consumer, long offset) {
        if (consumer.moves == moves && isHeldNow(consumer, offset)) {
            return true;
        }
        boolean isAcknowledged = offset >= 0 && (offset < window.floor()
                || (offset < window.end() && window.state(offset) == InFlight.ACKNOWLEDGED));
        if (isAcknowledged || consumer.moves != moves) {
            return false;
        }
        throw new IllegalArgumentException("Record " + offset + " is not in the hands of this consumer of group " + name
                + ": it was not delivered to it, or it has given it back");
    }

    private long lowestHeld(Consumer consumer) {
        return consumer.moves != moves
                ? window.end()
                : Math.max(window.floor(), Math.min(consumer.lowestHeld, window.end()));
    }

    // --- The group's file and its end ---

    /** Waits until what is acknowledged is on the disk. */
    void force() throws IOException {
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
    void end(String why) {
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

    private void requireOpen(Consumer consumer) {
        consumer.requireOpen();
        requireOpen();
    }

    @Override
    public String toString() {
        return "consumer group " + name;
    }
}
