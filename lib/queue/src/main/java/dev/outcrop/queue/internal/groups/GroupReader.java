package dev.outcrop.queue.internal.groups;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.append.Cursor;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.files.GroupLayout;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentTail;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The position of a consumer group in the log: the records that it takes next, new or given back, and its floor. Not thread-safe: the
 * group's lock guards it.
 */
public final class GroupReader {
    private static final long PAUSE_NANOS = 50_000;

    public final InFlight window = new InFlight();
    private final Log log;
    private final GroupFile file;
    /** The position of the record at the window's end. */
    private Cursor cursor;
    /** The segment with the record at the floor. */
    private SegmentFile floorSegment;

    /** Keeps the files of withdrawn records until a later record is acknowledged. */
    private boolean keepsWithdrawn;
    /** New records are not taken before they are so old. */
    private long delayMillis;
    /** When the next new record may be taken; 0 if that is not known. */
    private long dueMillis;

    /**
     * The run that a consumer reads without the lock. It begins at the cursor, apart from the records of the run that were delivered since.
     */
    private @Nullable Batch run;
    /** The consumer of the run. */
    private int runner;
    /** The last batch was full, so a run is worth while. */
    private boolean isBehind;

    // The record that take() has found.
    private SegmentFile takenFrom;
    private long takenOffset;
    private int takenPosition;
    private int takenLength;

    /** Begins where the group's file says. */
    public GroupReader(Log log, GroupFile file) {
        this.log = log;
        this.file = file;
        long offset = file.floor();
        while ((file.acknowledged(offset / GroupLayout.WORD_OFFSETS) >>> offset & 1) != 0) {
            offset++;
        }
        this.cursor = log.cursor(offset);
        this.floorSegment = cursor.segment();
        this.takenFrom = floorSegment;
        window.start(cursor.offset());
        restore();
    }

    /** Restores the acknowledgements of an earlier opening, ahead of the floor. */
    private void restore() {
        long first = window.floor() / GroupLayout.WORD_OFFSETS;
        for (long block = first; block < first + GroupLayout.WORDS; block++) {
            for (int bits = file.acknowledged(block); bits != 0; bits &= bits - 1) {
                long offset = block * GroupLayout.WORD_OFFSETS + Integer.numberOfTrailingZeros(bits);
                if (offset >= window.floor()) {
                    window.restore(offset);
                }
            }
        }
    }

    // --- Moving ---

    /** Waits until the claimed records before an offset are committed. Needs no lock. */
    void awaitRecordsBefore(long offset) {
        cursorBefore(Math.max(offset, log.firstOffset())).close();
    }

    /** Opens a cursor before the record of a claimed offset, and waits for producers that still copy records before it. */
    Cursor cursorBefore(long offset) {
        Cursor there = log.cursor(offset);
        boolean isInterrupted = false;
        try {
            while (there.offset() < offset) {
                if (!there.skip()) {
                    // Not poisoned either: then some records are never committed.
                    log.requireOpen();
                    // Clears interrupts meanwhile, because spinning might keep the carrier that a copying thread needs.
                    isInterrupted |= Uninterrupted.park(this, PAUSE_NANOS);
                }
            }
            return there;
        } catch (Throwable e) {
            there.close();
            throw e;
        } finally {
            Uninterrupted.interruptAgain(isInterrupted);
        }
    }

    /** Finds the first record that was appended at a time or later. Returns its offset, or that behind the last record. */
    long firstNotBefore(long millis) {
        SegmentFile segment = log.first();
        SegmentFile next = segment.next;
        while (next != null && next.created < millis) {
            segment = next;
            next = segment.next;
        }
        try (Cursor scan = log.cursor(segment.baseOffset)) {
            while (scan.next()) {
                if (scan.foundTime() >= millis) {
                    return scan.foundOffset();
                }
            }
            return scan.offset();
        }
    }

    /** Moves to a cursor, which this owns from now on. */
    void moveTo(Cursor there) {
        cursor.close();
        cursor = there;
        dueMillis = 0;
        run = null;
        floorSegment = there.segment();
        window.start(there.offset());
    }

    // --- Taking ---

    /** The present segment, leased. */
    public SegmentFile segment() {
        return cursor.segment();
    }

    /** Whether {@link #take} has something to do. Reads no payload. */
    boolean isWorthTrying() {
        if (window.firstReady() >= 0) {
            return true;
        }
        if (window.end() >= window.limit() || nanosLeft() != Long.MAX_VALUE) {
            return false;
        }
        SegmentFile segment = cursor.segment();
        long offset = cursor.offset();
        long tail = segment.tail.get();
        if (offset - segment.baseOffset >= SegmentTail.records(tail)) {
            return SegmentTail.isSealed(tail) && segment.next != null;
        }
        int position = cursor.positionInSegment();
        if (position > segment.size - QueueLayout.PAYLOAD) {
            // The next segment is missing; the cursor throws that.
            return true;
        }
        long word = segment.commitWord(position);
        return segment.isCommitted(word, offset) || segment.isSettled(offset);
    }

    /**
     * Takes the next record for a consumer.
     *
     * @param before only a record before this offset
     * @return whether there is one, and the window has room for it
     * @throws QueueCorruptException if it is damaged; asking again throws again
     */
    public boolean take(int consumer, long before) {
        long offset = window.firstReady();
        if (offset < 0) {
            return takeNew(consumer, before);
        }
        if (offset >= before) {
            return false;
        }
        takeAgain(offset);
        window.redeliver(offset, consumer);
        return true;
    }

    /** Finds a record that was delivered before. */
    void takeAgain(long offset) {
        SegmentFile segment = segmentOf(offset);
        int position = window.position(offset);
        long word;
        // It was sound at its first delivery, but the file may have been damaged since.
        try {
            word = segment.commitWord(position);
            if (!segment.isCommitted(word, offset) || !segment.isSound(position, offset, QueueLayout.length(word))) {
                throw Failures.make().corrupt(segment.path, position, offset, "record " + offset + " has changed");
            }
        } catch (InternalError e) {
            throw Failures.make().corrupt(segment.path, position, offset, Pages.UNREADABLE, e);
        }
        takenFrom = segment;
        takenOffset = offset;
        takenPosition = position;
        takenLength = QueueLayout.length(word);
    }

    /**
     * Takes new records that follow each other, unless others come before them.
     *
     * @param isAlone whether it is the group's only consumer
     * @return how many records; 0 does not mean that there are none, unless the batch says so; {@link #take} knows
     */
    int takeRun(int consumer, Batch batch, int most, boolean isAlone) {
        if (delayMillis > 0 || window.firstReady() >= 0 || !mayTakeNew()) {
            return 0;
        }
        long end = window.end();
        if (cursor.offset() != end || window.mayBeAcknowledged(end)) {
            return 0;
        }
        int some = (int) Math.min(Math.min(most, Batch.RECORDS), window.limit() - end);
        window.makeRoom(end + some - 1);
        try {
            if (isAlone && isBehind && window.deadline() == Deadlines.NONE && beginRun(consumer, batch, some)) {
                return batch.size;
            }
            nextRun(batch, some);
        } catch (InternalError e) {
            // A page cannot be read. Taking single records finds what is wrong with it.
            batch.clear();
            return 0;
        }
        window.deliver(batch.positions(), batch.size, consumer);
        return batch.size;
    }

    /**
     * Moves over sound records of this segment and takes them into a batch. Stops before anything else, which {@link Cursor#next(long)}
     * handles.
     *
     * @param batch empty; is told if nothing was committed behind them
     * @param most  how many at most
     */
    private void nextRun(Batch batch, int most) {
        SegmentFile segment = cursor.segment();
        long offset = cursor.offset();
        int position = cursor.positionInSegment();
        SegmentFile next = segment.next;
        // Records from the next segment's first offset on do not count: then files were put here, and this file has too many records.
        int there = next == null ? most : (int) Math.min(most, next.baseOffset - offset);
        int count = batch.takeRun(segment, position, offset, there);
        int end = count > 0 ? batch.end() : position;
        batch.isLast = count < most && !batch.isFull() && segment.mayBeUnwritten(end, offset + count);
        isBehind = batch.isFull();
        // Last: after a failure, the next attempt finds the same records.
        cursor.passed(count, end);
    }

    // --- Runs ---

    /**
     * Leaves the next records to the only consumer, which finds them itself, without the lock, and reads each header once, right before its
     * payload. They are delivered when they are found, and no other consumer takes any meanwhile, except through {@link #mayTakeNew}.
     *
     * @param most how many at most; the window has room for them
     * @return whether there are enough of them
     */
    private boolean beginRun(int consumer, Batch batch, int most) {
        SegmentFile segment = cursor.segment();
        long offset = cursor.offset();
        int position = cursor.positionInSegment();
        if (position > segment.size - QueueLayout.PAYLOAD) {
            return false;
        }
        long word = segment.commitWord(position);
        if (!segment.isCommitted(word, offset)) {
            return false;
        }
        SegmentFile next = segment.next;
        long there = next == null ? most : Math.min(most, next.baseOffset - offset);
        // Only claimed records: later ones are for a consumer that comes meanwhile.
        long claimed = SegmentTail.records(segment.tail.get()) - (offset - segment.baseOffset);
        int count = Batch.runOf(QueueLayout.length(word), Math.min(there, claimed));
        if (count == 0) {
            return false;
        }
        batch.beginRun(segment, position, offset, count);
        runner = consumer;
        run = batch;
        return true;
    }

    /** Delivers to the consumer what it has found of its run. Before the window or the cursor is used. */
    void catchUp() {
        Batch of = run;
        if (of != null) {
            deliverFound(of);
        }
    }

    private void deliverFound(Batch of) {
        long found = of.found();
        int from = of.delivered;
        int count = Batch.count(found) - from;
        if (count > 0) {
            // Without a deadline, whatever other deliveries have.
            window.deliver(of.positions(), from, count, runner, Deadlines.NONE);
            cursor.passed(count, Batch.end(found));
            of.delivered = from + count;
        }
        if (of.delivered == of.run) {
            run = null;
        }
    }

    /**
     * Returns whether any consumer may take the next record. First delivers the committed part of a run to its consumer, which will find
     * the same records.
     *
     * @return false if a record of the run is not committed: then there is nothing to take
     */
    private boolean mayTakeNew() {
        Batch of = run;
        return of == null || deliverRest(of);
    }

    private boolean deliverRest(Batch of) {
        SegmentFile segment = cursor.segment();
        int[] position = new int[1];
        int[] length = new int[1];
        while (of.delivered < of.run) {
            int from = cursor.positionInSegment();
            long offset = cursor.offset();
            boolean isFinal;
            boolean isWhole;
            try {
                // Before the record is read: a record that is committed and not sound now will never be sound.
                isFinal = from > segment.size - QueueLayout.PAYLOAD
                        || segment.isCommitted(segment.commitWord(from), offset) || segment.isSettled(offset);
                isWhole = segment.wholeRecords(from, offset, 1, 1, position, length, 0) > 0;
            } catch (InternalError e) {
                // A page cannot be read. The thread that takes the record finds out.
                isFinal = true;
                isWhole = false;
            }
            if (!isWhole) {
                if (isFinal) {
                    // The consumer of the run does not show it either.
                    endRun(of);
                }
                return isFinal;
            }
            window.deliver(position, 0, 1, runner, Deadlines.NONE);
            cursor.passed(1, from + (int) QueueLayout.recordBytes(length[0]));
            of.delivered++;
        }
        run = null;
        return true;
    }

    /** Ends a run, unless more of it was delivered to its consumer than the consumer has found. */
    void endFoundRun(Batch of) {
        if (of.delivered <= Batch.count(of.found())) {
            // Does not look for another record. If that record cannot be read, the thread that takes it finds out.
            endRun(of);
        }
    }

    /** Ends a run where it was delivered up to. The next record is for any consumer. */
    void endRun(Batch of) {
        if (run == of) {
            run = null;
            of.run = of.delivered;
            of.size = Math.min(of.size, of.delivered);
            // The next entry may be one that is not shown, which only the cursor handles.
            isBehind = false;
        }
    }

    private boolean takeNew(int consumer, long before) {
        if (nanosLeft() != Long.MAX_VALUE || !mayTakeNew()) {
            return false;
        }
        // Bounded, so that many withdrawn records do not make the window too large.
        for (long limit = limit(before); window.end() < limit; limit = limit(before)) {
            boolean isFound = false;
            boolean isThere = false;
            try {
                isFound = cursor.next(limit);
                isThere = isFound && !isEarly();
            } finally {
                if (!isThere) {
                    // Also before a damaged record, or one whose time could not be read. The records in between are withdrawn.
                    withdraw(isFound ? cursor.foundOffset() : cursor.offset());
                }
            }
            if (isThere) {
                if (deliver(consumer)) {
                    return true;
                }
            } else if (cursor.offset() < limit) {
                return false;
            }
        }
        return false;
    }

    private long limit(long before) {
        return Math.min(before, window.limit());
    }

    // --- A delay ---

    /** New records are not taken before they are so old. */
    void delay(long millis) {
        delayMillis = millis;
        dueMillis = 0;
    }

    /** Moves the cursor back before the found record if the record is too young. */
    private boolean isEarly() {
        if (delayMillis == 0) {
            return false;
        }
        long due;
        try {
            due = cursor.foundTime() + delayMillis;
        } catch (Throwable e) {
            // The file was truncated, or the disk has failed. No consumer has got the record.
            cursor.unread();
            throw e;
        }
        if (due < 0 || due > log.clock().systemMillis()) {
            dueMillis = due < 0 ? Long.MAX_VALUE : due;
            cursor.unread();
            return true;
        }
        dueMillis = 0;
        return false;
    }

    /** How long it takes until the next new record is old enough; {@link Long#MAX_VALUE} if it is, or that is not known. */
    long nanosLeft() {
        long left = dueMillis == 0 ? 0 : dueMillis - log.clock().systemMillis();
        return left <= 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(left);
    }

    /** Delivers the found record to a consumer; returns false if it is acknowledged already. */
    private boolean deliver(int consumer) {
        try {
            withdraw(cursor.foundOffset());
            if (window.isEndAcknowledged()) {
                window.withdraw(window.end() + 1);
                window.raise();
                return false;
            }
            takenFrom = cursor.foundIn();
            takenOffset = cursor.foundOffset();
            takenPosition = cursor.foundPosition();
            takenLength = cursor.foundLength();
            window.deliver(takenPosition, consumer);
            return true;
        } catch (Throwable e) {
            // Out of memory, or the disk has failed. No consumer has got it, so it is found again.
            cursor.unread();
            throw e;
        }
    }

    /** Sets whether withdrawn records are kept until a later record is acknowledged. */
    void keepWithdrawn(boolean isKept) {
        keepsWithdrawn = isKept;
        if (!isKept) {
            window.acknowledgePassed(window.end());
        }
    }

    /** Acknowledges the withdrawn records from the window's end up to an offset, unless they are kept. */
    private void withdraw(long to) {
        if (keepsWithdrawn) {
            window.pass(to);
            return;
        }
        for (long offset = window.end(); offset < to; offset++) {
            file.acknowledge(offset / GroupLayout.WORD_OFFSETS, 1 << (int) offset, window.floor());
        }
        window.withdraw(to);
        window.raise();
    }

    /** The segment of the taken record, which is not given back while the group's lock is held. */
    SegmentFile takenFrom() {
        return takenFrom;
    }

    long takenOffset() {
        return takenOffset;
    }

    int takenPosition() {
        return takenPosition;
    }

    int takenLength() {
        return takenLength;
    }

    int takenCount() {
        return window.count(takenOffset);
    }

    // --- The floor ---

    /** Finds the segment of the floor. Returns whether it is another one than before. */
    boolean findFloor() {
        boolean isAnother = false;
        for (SegmentFile next = floorSegment.next; next != null
                && next.baseOffset <= window.floor(); next = floorSegment.next) {
            floorSegment = next;
            isAnother = true;
        }
        return isAnother;
    }

    /**
     * Finds the segment of a delivered record. The record at the floor may be in a segment behind the one that {@link #findFloor} has
     * found, because that segment did not exist when everything before it was acknowledged.
     */
    private SegmentFile segmentOf(long offset) {
        SegmentFile segment = floorSegment;
        for (SegmentFile next = segment.next; next != null && next.baseOffset <= offset; next = segment.next) {
            segment = next;
        }
        return segment;
    }

    /** The position of the floor's record, as {@link Cursor#position()} counts. */
    public long floorPosition() {
        long first = window.firstNotPassed();
        return first < window.end()
                ? segmentOf(first).start + window.position(first)
                : Math.max(cursor.position(), floorSegment.start + QueueLayout.HEADER);
    }

    /** When the record at the floor was appended; {@link Long#MAX_VALUE} if there is none. */
    long floorTime() {
        long first = window.firstNotPassed();
        boolean isDelivered = first < window.end();
        SegmentFile segment = isDelivered ? segmentOf(first) : cursor.segment();
        int position = isDelivered ? window.position(first) : cursor.positionInSegment();
        SegmentFile next = segment.next;
        if (!isDelivered && next != null && next.baseOffset == cursor.offset()) {
            segment = next;
            position = QueueLayout.HEADER;
        }
        try {
            return position <= segment.size - QueueLayout.PAYLOAD
                    && segment.isCommitted(segment.commitWord(position), first)
                            ? segment.time(position)
                            : Long.MAX_VALUE;
        } catch (InternalError e) {
            // The thread that takes the record finds out.
            return Long.MAX_VALUE;
        }
    }

    /** Releases the segment. */
    public void close() {
        run = null;
        cursor.close();
    }
}
