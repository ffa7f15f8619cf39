package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.Failures;
import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.append.Readers;
import dev.outcrop.queue.internal.files.SegmentFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/** Takes records from a group for its members. Thread-safe, by the group's lock. */
public final class Fetcher {
    private final Group group;
    private final Log log;
    private final Readers readers;
    private final GroupReader reader;
    private final InFlight window;
    private final WaitQueue line;
    // Made once: making a lambda needs memory and stack.
    private final Group.Change endingRun = (member, _, _) -> endRunHeld(member);
    private final Group.Change endingFoundRun = (member, _, _) -> endFoundRun(member);

    Fetcher(Group group, Log log, Readers readers, GroupReader reader, WaitQueue line) {
        this.group = group;
        this.log = log;
        this.readers = readers;
        this.reader = reader;
        this.window = reader.window;
        this.line = line;
    }

    // --- Batches ---

    /**
     * Takes records for a consumer.
     *
     * @param max     how many at most
     * @param isFirst whether nothing was shown before in the same call: only then can a failure be thrown
     */
    public void take(Member member, Batch batch, int max, boolean isFirst) {
        do {
            tryTake(member, batch, max, isFirst);
        } while (isFirst && batch.size == 0 && group.deadLetters().putNextAway(member, Long.MAX_VALUE));
    }

    private void tryTake(Member member, Batch batch, int max, boolean isFirst) {
        boolean isRetiring = false;
        batch.clear();
        synchronized (group) {
            try {
                // First, because it may fail. The next thread in the line needs this lock, so it looks after this one has taken records.
                line.leave();
                group.catchUp();
                // Its run was shown, or has ended.
                batch.run = 0;
                if (isFirst || group.isOpenFor(member)) {
                    isRetiring = takeBatch(member, batch, max, isFirst);
                }
            } catch (StackOverflowError e) {
                group.isBroken = true;
                throw e;
            }
        }
        batch.releaseBefore(group);
        if (isRetiring) {
            retire();
        }
    }

    /** Retires segments. The records that were taken must reach the caller even if this fails; the next crossing tries again. */
    private void retire() {
        try {
            log.retire();
        } catch (Throwable _) {
            return;
        }
    }

    /** Returns whether a segment may have become needless. */
    private boolean takeBatch(Member member, Batch batch, int max, boolean isFirst) {
        SegmentFile before = group.prepare(member);
        batch.moves = group.moves();
        batch.deadline = window.deadline();
        try {
            takeAll(member, batch, max);
        } catch (RuntimeException e) {
            if (!Failures.make().isCorruption(e) || (isFirst && batch.size == 0)) {
                boolean _ = group.isRetiring(before);
                throw e;
            }
            // The records before the damaged one are sound. The next poll finds it again.
        }
        return group.isRetiring(before);
    }

    private void takeAll(Member member, Batch batch, int max) {
        long first = window.end();
        if (reader.takeRun(member.number, batch, max, group.hasOneMember()) > 0) {
            member.lowestHeld = Math.min(member.lowestHeld, first);
        } else if (!batch.isLast && !group.deadLetters().isNextDead(Long.MAX_VALUE) && take(member, Long.MAX_VALUE)) {
            batch.take(reader.takenFrom(), reader.takenPosition(), reader.takenLength(), reader.takenOffset(),
                    reader.takenCount());
        }
    }

    /** Takes the next record for a member, if it is before an offset. With the group's lock held. */
    boolean take(Member member, long before) {
        if (!reader.take(member.number, before)) {
            return false;
        }
        member.lowestHeld = Math.min(member.lowestHeld, reader.takenOffset());
        return true;
    }

    // --- Runs ---

    /**
     * Finds the next records of a member's run, of which some were found before. Returns how many are found, or the same number at the
     * run's end.
     */
    public int find(Member member, int before) {
        Batch batch = member.batch;
        int found = batch.find();
        if (found == before) {
            group.change(endingFoundRun, member, 0, 0);
            if (batch.run > before) {
                found = batch.find();
                if (found == before) {
                    // They were there a moment ago: the disk has failed. The next poll says so.
                    group.redelivery().giveBackUnshown(member);
                }
            }
        }
        return found;
    }

    /** Ends a member's run: the member is shown nothing more of it, and other members may take the rest. */
    public void finish(Member member) {
        Batch batch = member.batch;
        if (batch.run > batch.shown) {
            group.change(endingRun, member, 0, 0);
        }
        batch.release(group);
        batch.clear();
    }

    /**
     * Ends a run if its next record is not there yet or must not be shown, unless another member had the rest of the run delivered to this
     * member.
     */
    private void endFoundRun(Member member) {
        reader.endFoundRun(member.batch);
    }

    /** Ends a member's run if there is one. With the group's lock held. */
    void endRunHeld(Member member) {
        reader.endRun(member.batch);
    }

    // --- Single records ---

    /**
     * Makes the public delivery of a record.
     *
     * @param <D> its type
     */
    public interface Delivering<D> {
        D deliver(int moves, long offset, int delivery, long millis, int deliveries, SegmentFile leased,
                MemorySegment payload, Arena lifetime);
    }

    /**
     * Takes one record for a member, and puts away dead ones before it.
     *
     * @param before only a record before this offset
     * @return null if there is none
     */
    public <D> @Nullable D takeOne(Member member, long before, Delivering<D> delivering) {
        D delivery;
        do {
            delivery = tryTakeOne(member, before, delivering);
        } while (delivery == null && group.deadLetters().putNextAway(member, before));
        return delivery;
    }

    private <D> @Nullable D tryTakeOne(Member member, long before, Delivering<D> delivering) {
        // Without a lambda: if linking one fails for lack of stack, no later call can do so either.
        D delivery = null;
        boolean isRetiring;
        synchronized (group) {
            try {
                line.leave();
                group.catchUp();
                SegmentFile from = group.prepare(member);
                try {
                    if (!group.deadLetters().isNextDead(before) && take(member, before)) {
                        delivery = deliver(delivering);
                    }
                } finally {
                    isRetiring = group.isRetiring(from);
                }
            } catch (StackOverflowError e) {
                group.isBroken = true;
                throw e;
            }
        }
        if (isRetiring) {
            retire();
        }
        return delivery;
    }

    /** Makes a delivery of the taken record, or gives the record back. */
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
            return delivering.deliver(group.moves(), offset, window.delivery(offset), segment.time(position),
                    reader.takenCount(), segment, segment.lend(position, reader.takenLength(), arena), arena);
        } catch (Throwable e) {
            // Out of memory: no consumer has got the record.
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
}
