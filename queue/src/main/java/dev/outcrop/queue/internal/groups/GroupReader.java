package dev.outcrop.queue.internal.groups;

import dev.outcrop.memory.Uninterrupted;
import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.append.Cursor;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.files.Pages;
import dev.outcrop.queue.internal.files.QueueLayout;
import dev.outcrop.queue.internal.files.SegmentFile;
import dev.outcrop.queue.internal.files.SegmentTail;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Where a consumer group is in the log: what it takes next, new or given back, and where its floor is. Not thread-safe: the group's lock
 * guards it.
 */
public final class GroupReader {
    private static final long PAUSE_NANOS = 50_000;

    public final InFlight window = new InFlight();
    private final Log log;
    private final GroupFile file;
    /** Before the record at the window's end. */
    private Cursor cursor;
    /** The segment with the record at the floor. */
    private SegmentFile floorSegment;

    /** New records are not taken before they are so old. */
    private long delayMillis;
    /** When the next one is; 0 if that is not known. */
    private long dueMillis;

    /** What a consumer is reading without the lock: it begins where the cursor is, but for what was delivered of it since. */
    private @Nullable Batch run;
    /** Who that is. */
    private int runner;
    /** The last batch was full: there is so much to be read that a run is worth while. */
    private boolean isBehind;

    // What take() found.
    private SegmentFile takenFrom;
    private long takenOffset;
    private int takenPosition;
    private int takenLength;

    /** Goes on where the group's file says. */
    public GroupReader(Log log, GroupFile file) {
        this.log = log;
        this.file = file;
        long offset = file.floor();
        while ((file.acknowledged(offset / GroupFile.WORD_OFFSETS) >>> offset & 1) != 0) {
            offset++;
        }
        this.cursor = log.cursor(offset);
        this.floorSegment = cursor.segment();
        this.takenFrom = floorSegment;
        window.start(cursor.offset());
        restore();
    }

    /** Remembers what was acknowledged in an earlier run, ahead of the floor. */
    private void restore() {
        long first = window.floor() / GroupFile.WORD_OFFSETS;
        for (long block = first; block < first + GroupFile.WORDS; block++) {
            for (int bits = file.acknowledged(block); bits != 0; bits &= bits - 1) {
                long offset = block * GroupFile.WORD_OFFSETS + Integer.numberOfTrailingZeros(bits);
                if (offset >= window.floor()) {
                    window.restore(offset);
                }
            }
        }
    }

    // --- Moving ---

    /** Waits until the records before an offset are there, which are claimed. Needs no lock. */
    void awaitRecordsBefore(long offset) {
        cursorBefore(Math.max(offset, log.firstOffset())).close();
    }

    /** A cursor before the record of an offset, which is claimed; others may still be copying what comes before it. */
    Cursor cursorBefore(long offset) {
        Cursor there = log.cursor(offset);
        boolean isInterrupted = false;
        try {
            while (there.offset() < offset) {
                if (!there.skip()) {
                    // Also not poisoned: what could not be written then is never committed.
                    log.requireOpen();
                    // Without spinning after an interrupt, perhaps on the carrier that a thread that is copying needs.
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

    /** The offset of the first record that was appended at a time or later, or that behind the last record. */
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

    /** Goes on from a cursor, which is this reader's from now on. */
    void moveTo(Cursor there) {
        cursor.close();
        cursor = there;
        dueMillis = 0;
        run = null;
        floorSegment = there.segment();
        window.start(there.offset());
    }

    // --- Taking ---

    /** The segment that it is in, and holds a lease on. */
    public SegmentFile segment() {
        return cursor.segment();
    }

    /** Whether {@link #take} has something to do; looks, but does not read. */
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
            // The segment behind it is missing, which the cursor says.
            return true;
        }
        long word = segment.commitWord(position);
        return segment.isCommitted(word, offset) || segment.isSettled(offset);
    }

    /**
     * Takes the next record for a consumer.
     *
     * @param before only one before this offset
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
        // It was whole when it was delivered for the first time; who knows what has happened to the file since.
        try {
            word = segment.commitWord(position);
            if (!segment.isCommitted(word, offset) || !segment.isSound(position, offset, QueueLayout.length(word))) {
                throw Failures.corrupt(segment.path, position, offset, "record " + offset + " is not as it was");
            }
        } catch (InternalError e) {
            throw Failures.corrupt(segment.path, position, offset, Pages.UNREADABLE, e);
        }
        takenFrom = segment;
        takenOffset = offset;
        takenPosition = position;
        takenLength = QueueLayout.length(word);
    }

    /**
     * Takes new records for a consumer that follow each other, if nothing else is to be taken before.
     *
     * @param isAlone whether it is the group's only one
     * @return how many; 0 does not say that there are none, unless the batch does; {@link #take} knows
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
            // A page cannot be read. One by one, those before it are found, and what is wrong with it.
            batch.clear();
            return 0;
        }
        window.deliver(batch.positions(), batch.size, consumer);
        return batch.size;
    }

    /**
     * Goes on over records that follow each other in this segment, as far as they are whole, and takes them into a batch. Stops before
     * anything else, of which {@link Cursor#next(long)} knows what to do.
     *
     * @param batch empty; is told if nothing was committed behind them
     * @param most  how many at most
     */
    private void nextRun(Batch batch, int most) {
        SegmentFile segment = cursor.segment();
        long offset = cursor.offset();
        int position = cursor.positionInSegment();
        SegmentFile next = segment.next;
        // What lies behind the next one's first record is not of this segment: files were put here, and this one has more than it
        // is to have.
        int there = next == null ? most : (int) Math.min(most, next.baseOffset - offset);
        int count = batch.takeRun(segment, position, offset, there);
        int end = count > 0 ? batch.end() : position;
        batch.isLast = count < most && !batch.isFull() && segment.isNothing(end, offset + count);
        isBehind = batch.isFull();
        // Only now: what has failed until here is found again by a thread that goes on.
        cursor.passed(count, end);
    }

    // --- Runs ---

    /**
     * Leaves the next records to the only consumer, which finds them itself, without the lock: each one's header when it comes to it, and
     * no header twice. They are not delivered before it has found them, and no other consumer takes any meanwhile, but for {@link #mayTakeNew}.
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
        // Only what is claimed: what is appended from now on is for a consumer that comes meanwhile.
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

    /** What the consumer has found of its run is delivered to it. Before anybody looks at the window or the cursor. */
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
            // It has no deadline, whatever others have been given since.
            window.deliver(of.positions(), from, count, runner, Deadlines.NONE);
            cursor.passed(count, Batch.end(found));
            of.delivered = from + count;
        }
        if (of.delivered == of.run) {
            run = null;
        }
    }

    /**
     * Whether what comes next is for whoever takes it. If there is a run, what is committed of it is delivered first: its consumer is going
     * to find just that, because what is committed stays as it is.
     *
     * @return false if something in the run is not committed: there is nothing to be taken
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
                // Asked before the record is read: if that is not whole although it was committed, it never is.
                isFinal = from > segment.size - QueueLayout.PAYLOAD
                        || segment.isCommitted(segment.commitWord(from), offset) || segment.isSettled(offset);
                isWhole = segment.wholeRecords(from, offset, 1, 1, position, length, 0) > 0;
            } catch (InternalError e) {
                // A page cannot be read. Whoever takes the record finds out.
                isFinal = true;
                isWhole = false;
            }
            if (!isWhole) {
                if (isFinal) {
                    // Its consumer does not show it either.
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

    /** Whether more of a run was delivered to its consumer than that has found. If not, the run ends. */
    boolean mayGoOn(Batch of) {
        if (of.delivered > Batch.count(of.found())) {
            return true;
        }
        // Whether anything comes next is not looked at: perhaps it cannot be read, which a thread that takes it finds out.
        endRun(of);
        return false;
    }

    /** Ends a run, if that is not over, where it was delivered up to: what comes next is for whoever takes it. */
    void endRun(Batch of) {
        if (run == of) {
            run = null;
            of.run = of.delivered;
            of.size = Math.min(of.size, of.delivered);
            // There may be something that is no record to be shown, of which only the cursor knows what to do.
            isBehind = false;
        }
    }

    private boolean takeNew(int consumer, long before) {
        if (nanosLeft() != Long.MAX_VALUE || !mayTakeNew()) {
            return false;
        }
        // Not farther, so that a long run of withdrawn records does not make the window larger than it is meant to be.
        for (long limit = limit(before); window.end() < limit; limit = limit(before)) {
            boolean isFound = false;
            boolean isThere = false;
            try {
                isFound = cursor.next(limit);
                isThere = isFound && !isEarly();
            } finally {
                if (!isThere) {
                    // Also before one that is damaged, or found without looking at its time. Those between are withdrawn.
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

    /** Goes back to before the record that the cursor has found if its time has not come. */
    private boolean isEarly() {
        if (delayMillis == 0) {
            return false;
        }
        long due;
        try {
            due = cursor.foundTime() + delayMillis;
        } catch (Throwable e) {
            // The file was cut off meanwhile, or the disk has failed: no consumer has got the record, so it is still to be found.
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

    /** How long it takes until the time of the next new record has come; {@link Long#MAX_VALUE} if it has, or is not known. */
    long nanosLeft() {
        long left = dueMillis == 0 ? 0 : dueMillis - log.clock().systemMillis();
        return left <= 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(left);
    }

    /** Gives the record that the cursor has found to a consumer; false if it is acknowledged already. */
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
            // Out of memory, or the disk has failed: no consumer has got it, so it is still to be found.
            cursor.unread();
            throw e;
        }
    }

    /** Counts the records from the window's end up to an offset as acknowledged, because they are withdrawn. */
    private void withdraw(long to) {
        for (long offset = window.end(); offset < to; offset++) {
            file.acknowledge(offset / GroupFile.WORD_OFFSETS, 1 << (int) offset, window.floor());
        }
        window.withdraw(to);
        window.raise();
    }

    /** The segment of what was taken, which cannot be given back before the group's lock is. */
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

    /** Looks in which segment the floor is. Returns whether it is another one than before. */
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
     * The segment with a record that was delivered. Of the one at the floor, it may be behind that which {@link #findFloor} has found, and
     * which is perhaps given back: it was not there yet when everything before it was acknowledged.
     */
    private SegmentFile segmentOf(long offset) {
        SegmentFile segment = floorSegment;
        for (SegmentFile next = segment.next; next != null && next.baseOffset <= offset; next = segment.next) {
            segment = next;
        }
        return segment;
    }

    /** Where the floor's record begins, or would, as {@link Cursor#position()} counts. */
    public long floorPosition() {
        return window.floor() < window.end()
                ? segmentOf(window.floor()).start + window.position(window.floor())
                : Math.max(cursor.position(), floorSegment.start + QueueLayout.HEADER);
    }

    /** When the record at the floor was appended; {@link Long#MAX_VALUE} if there is none to be seen. */
    long floorTime() {
        boolean isDelivered = window.floor() < window.end();
        SegmentFile segment = isDelivered ? segmentOf(window.floor()) : cursor.segment();
        int position = isDelivered ? window.position(window.floor()) : cursor.positionInSegment();
        SegmentFile next = segment.next;
        if (!isDelivered && next != null && next.baseOffset == cursor.offset()) {
            segment = next;
            position = QueueLayout.HEADER;
        }
        try {
            return position <= segment.size - QueueLayout.PAYLOAD
                    && segment.isCommitted(segment.commitWord(position), window.floor())
                            ? segment.time(position)
                            : Long.MAX_VALUE;
        } catch (InternalError e) {
            // A thread that takes the record finds out what is wrong with its file.
            return Long.MAX_VALUE;
        }
    }

    /** Lets go of the segment. */
    public void close() {
        run = null;
        cursor.close();
    }
}
