package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.Nanos;
import dev.outcrop.queue.internal.append.Readers;
import java.time.Duration;

/** Returns records that members hold to their group, at once or later. Thread-safe, by the group's lock. */
public final class Redelivery {
    /** How long a record that could not be put away is left alone, so that others come first. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    private final Group group;
    private final InFlight window;
    private final WaitQueue line;
    private final Readers readers;
    // Made once: making a lambda needs memory and stack, and without them other threads would go on as if all was given back.
    private final Group.Change givingBackLeaving = (_, moves, offset) -> giveBackLeaving(moves, offset);
    private final Group.Change keepingLeaving = this::keepLeavingHeld;
    private final Group.Change givingBackUnshown = (member, _, _) -> giveBackUnshownHeld(member);
    private final Group.Change givingBackShown = (member, _, _) -> giveBackShownHeld(member);
    private final Group.Change givingBackAll = (member, _, _) -> giveBackAllHeld(member);

    Redelivery(Group group, InFlight window, WaitQueue line, Readers readers) {
        this.group = group;
        this.window = window;
        this.line = line;
        this.readers = readers;
    }

    // --- Single records ---

    /**
     * Gives a record back.
     *
     * @param delivery by which the member holds it, or {@link Member#ANY_DELIVERY}
     */
    public boolean giveBack(Member member, long offset, int delivery, Duration delay) {
        boolean isHeld = group.read(() -> {
            member.requireOpen();
            if (!member.holds(window, group.moves(), offset, delivery)) {
                return false;
            }
            if (!delay.isPositive()) {
                window.giveBack(offset);
            } else {
                window.giveBack(offset, group.nanos() + Nanos.of(delay));
            }
            return true;
        });
        if (isHeld) {
            readers.wake();
        }
        return isHeld;
    }

    /** Gives a member more time for a record; the parameters are those of {@link #giveBack}. */
    public boolean extend(Member member, long offset, int delivery, Duration time) {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("A record cannot be kept for another " + time
                    + ": to give it back, call giveBack");
        }
        boolean isHeld = group.read(() -> {
            member.requireOpen();
            if (!holds(member, offset, delivery)) {
                return false;
            }
            window.extend(offset, Deadlines.after(group.nanos(), Nanos.of(time)));
            return true;
        });
        if (isHeld) {
            // A waiting thread may now have to wait for a shorter time.
            readers.wake();
        }
        return isHeld;
    }

    /** Whether a member holds a record; see {@link Member#holds}. With the group's lock held. */
    boolean holds(Member member, long offset, int delivery) {
        group.wakeWaiting();
        return member.holds(window, group.moves(), offset, delivery);
    }

    /** Whether a time of {@link Batch#deadline} has passed. */
    public boolean isPast(long deadline) {
        return deadline != Deadlines.NONE && group.nanos() >= deadline;
    }

    // --- Records that could not be put away, unless the group was moved since ---

    /** Gives a record back after a pause. */
    void giveBackLeaving(Member member, int moves, long offset) {
        group.change(givingBackLeaving, member, moves, offset);
        readers.wake();
    }

    private void giveBackLeaving(int moves, long offset) {
        if (isLeaving(moves, offset)) {
            try {
                window.giveBack(offset, group.nanos() + Nanos.of(PAUSE));
            } catch (OutOfMemoryError e) {
                // Too early is better than never.
                window.giveBack(offset);
            }
        }
    }

    /** Makes the member that has rejected a record hold it again. */
    void keepLeaving(Member member, int moves, long offset) {
        group.change(keepingLeaving, member, moves, offset);
        readers.wake();
    }

    private void keepLeavingHeld(Member member, int moves, long offset) {
        if (!isLeaving(moves, offset)) {
            return;
        }
        if (member.isClosed()) {
            window.giveBack(offset);
        } else {
            // The deadline may have passed while the record was being put away.
            long before = window.deadlineOf(offset);
            window.stay(offset, member.number,
                    before == Deadlines.NONE ? before : Math.max(before, group.newDeadline()));
            // The member may have acknowledged all its other records meanwhile.
            member.lowestHeld = Math.min(member.lowestHeld, offset);
        }
    }

    private boolean isLeaving(int moves, long offset) {
        return group.moves() == moves && window.isLeaving(offset);
    }

    // --- All records of a poll, or of a member ---

    /** Gives back what a member was not shown in time. */
    public void giveBackUnshown(Member member) {
        group.change(givingBackUnshown, member, 0, 0);
        readers.wake();
    }

    private void giveBackUnshownHeld(Member member) {
        if (member.batch.moves == group.moves()) {
            group.fetcher().endRunHeld(member);
            member.giveBackUnshown(window);
        }
    }

    /** Gives back what a member still holds of its poll. */
    public void giveBackShown(Member member) {
        group.change(givingBackShown, member, 0, 0);
        readers.wake();
    }

    private void giveBackShownHeld(Member member) {
        if (member.batch.moves == group.moves()) {
            group.fetcher().endRunHeld(member);
            member.uncount(window);
            member.batch.giveBack(member, window);
        }
    }

    /** Gives back all that a member holds, which is closed. */
    public void giveBackAll(Member member) {
        try {
            group.change(givingBackAll, member, 0, 0);
        } finally {
            // Also if there was nothing to give back, because threads may wait in the closed consumer. Wakes the group's other threads,
            // too.
            line.wakeAll(member);
        }
    }

    private void giveBackAllHeld(Member member) {
        group.leave(member);
        if (member.moves == group.moves()) {
            group.fetcher().endRunHeld(member);
            member.uncount(window);
            member.giveBack(window, member.lowestHeld(window, group.moves()), window.end());
        }
    }
}
