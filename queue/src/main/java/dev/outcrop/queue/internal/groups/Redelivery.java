package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.Nanos;
import dev.outcrop.queue.internal.append.Readers;
import java.time.Duration;

/** Returns records to their group that its members have not acknowledged, at once or later. Thread-safe, by the group's lock. */
public final class Redelivery {
    private final Group group;
    private final InFlight window;
    private final WaitQueue line;
    private final Readers readers;

    Redelivery(Group group, InFlight window, WaitQueue line, Readers readers) {
        this.group = group;
        this.window = window;
        this.line = line;
        this.readers = readers;
    }

    public boolean giveBack(Member member, long offset, Duration delay) {
        return giveBack(member, offset, Member.ANY_DELIVERY, delay);
    }

    /** As above, unless the record was delivered again since a delivery. */
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

    /** With the lock: whether a member holds a record; see {@link Member#holds}. */
    boolean holds(Member member, long offset, int delivery) {
        group.wakeWaiting();
        return member.holds(window, group.moves(), offset, delivery);
    }

    /** Gives back what could not be put away, unless the group was moved since. */
    void giveBackLeaving(int moves, long offset, Duration delay) {
        synchronized (group) {
            try {
                if (isUsable() && isLeaving(moves, offset)) {
                    giveBackLater(offset, delay);
                }
            } catch (StackOverflowError | OutOfMemoryError e) {
                group.isBroken = true;
                throw e;
            }
        }
        readers.wake();
    }

    private void giveBackLater(long offset, Duration delay) {
        try {
            window.giveBack(offset, group.nanos() + Nanos.of(delay));
        } catch (OutOfMemoryError e) {
            // Too early is better than never.
            window.giveBack(offset);
        }
    }

    /** What could not be put away is in the hands again of the member that has rejected it, unless the group was moved since. */
    void keepLeaving(Member member, int moves, long offset) {
        synchronized (group) {
            try {
                if (isUsable() && isLeaving(moves, offset)) {
                    keepLeaving(member, offset);
                }
            } catch (StackOverflowError | OutOfMemoryError e) {
                group.isBroken = true;
                throw e;
            }
        }
        readers.wake();
    }

    private void keepLeaving(Member member, long offset) {
        if (member.isClosed()) {
            window.giveBack(offset);
        } else {
            window.stay(offset, member.number, later(window.deadlineOf(offset)));
            // It may have acknowledged all that it had meanwhile, which was not this one.
            member.lowestHeld = Math.min(member.lowestHeld, offset);
        }
    }

    // What gives back has no lambdas: making one may fail, outside of the lock, and then other threads go on as if all was given back.

    /** Called first with the lock: whether the group can still be changed. */
    private boolean isUsable() {
        group.catchUp();
        return group.isUsable();
    }

    /** The deadline in place of one that may have passed while a record was being put away. */
    private long later(long before) {
        return before == Deadlines.NONE ? before : Math.max(before, group.newDeadline());
    }

    private boolean isLeaving(int moves, long offset) {
        return group.moves() == moves && window.isLeaving(offset);
    }

    /** Gives a member more time for a record; see {@link InFlight#extend}. */
    public boolean extend(Member member, long offset, Duration time) {
        return extend(member, offset, Member.ANY_DELIVERY, time);
    }

    /** As above, unless the record was delivered again since a delivery. */
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
            // A thread that waits for it may have to do so for less long.
            readers.wake();
        }
        return isHeld;
    }

    /** Whether a time of {@link Batch#deadline} has passed. */
    public boolean isPast(long deadline) {
        return deadline != Deadlines.NONE && group.nanos() >= deadline;
    }

    /** Gives back what a member was not shown in time. */
    public void giveBackUnshown(Member member) {
        synchronized (group) {
            try {
                if (isUsable() && member.batch.moves == group.moves()) {
                    group.endRunHeld(member);
                    member.giveBackUnshown(window);
                }
            } catch (StackOverflowError | OutOfMemoryError e) {
                group.isBroken = true;
                throw e;
            }
        }
        readers.wake();
    }

    /** Gives back what a member still holds of its poll. Does nothing if the group has ended. */
    public void giveBackShown(Member member) {
        synchronized (group) {
            try {
                if (isUsable() && member.batch.moves == group.moves()) {
                    group.endRunHeld(member);
                    member.uncount(window);
                    member.batch.giveBack(member, window);
                }
            } catch (StackOverflowError | OutOfMemoryError e) {
                group.isBroken = true;
                throw e;
            }
        }
        readers.wake();
    }

    /** Gives back all that a consumer holds. Does nothing if the group has ended. */
    public void giveBackAll(Member member) {
        try {
            synchronized (group) {
                try {
                    if (isUsable()) {
                        giveBackAllHeld(member);
                    }
                } catch (StackOverflowError | OutOfMemoryError e) {
                    group.isBroken = true;
                    throw e;
                }
            }
        } finally {
            // Also if there was nothing: another thread may wait in the consumer that is being closed. Wakes the group's others, too.
            line.wakeAll(member);
        }
    }

    private void giveBackAllHeld(Member member) {
        group.membership.leave(member);
        if (member.moves == group.moves()) {
            group.endRunHeld(member);
            member.uncount(window);
            member.giveBack(window, member.lowestHeld(window, group.moves()), window.end());
        }
    }
}
