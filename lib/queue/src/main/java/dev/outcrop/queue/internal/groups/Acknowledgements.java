package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.append.Log;
import dev.outcrop.queue.internal.files.GroupLayout;

/** Acknowledges the records that members hold. Thread-safe, by the group's lock. */
public final class Acknowledgements {
    private final Group group;
    private final Log log;
    private final InFlight window;
    private final GroupFile file;

    Acknowledgements(Group group, Log log, InFlight window, GroupFile file) {
        this.group = group;
        this.log = log;
        this.window = window;
        this.file = file;
    }

    /**
     * Acknowledges a record.
     *
     * @param delivery by which the member holds it, or {@link Member#ANY_DELIVERY}
     */
    public boolean acknowledge(Member member, long offset, int delivery) {
        boolean isCrossed;
        synchronized (group) {
            try {
                group.catchUp();
                group.requireOpen(member);
                if (!member.mayAcknowledge(window, group.moves(), offset, delivery)) {
                    return false;
                }
                acknowledge(offset);
                isCrossed = group.raise();
            } catch (StackOverflowError e) {
                group.isBroken = true;
                throw e;
            }
        }
        if (isCrossed) {
            log.retire();
        }
        return true;
    }

    /**
     * Acknowledges a record that was put away.
     *
     * @param moves how often the group had been moved when that began
     * @return false, without any effect, if the group was moved since
     */
    boolean acknowledgeLeaving(int moves, long offset) {
        boolean[] isCrossed = new boolean[1];
        boolean isThere = group.read(() -> {
            if (group.moves() != moves) {
                return false;
            }
            acknowledge(offset);
            isCrossed[0] = group.raise();
            return true;
        });
        if (isCrossed[0]) {
            log.retire();
        }
        return isThere;
    }

    private void acknowledge(long offset) {
        // The file first: if that fails, nothing has happened.
        file.acknowledge(offset / GroupLayout.WORD_OFFSETS, 1 << (int) offset, window.floor());
        window.acknowledge(offset);
    }

    public int acknowledge(Member member, long[] offsets) {
        boolean[] isCrossed = new boolean[1];
        int count = group.read(() -> {
            member.requireOpen();
            for (long offset : offsets) {
                boolean _ = member.mayAcknowledge(window, group.moves(), offset, Member.ANY_DELIVERY);
            }
            int acknowledged = 0;
            try {
                for (long offset : offsets) {
                    if (member.mayAcknowledge(window, group.moves(), offset, Member.ANY_DELIVERY)) {
                        acknowledge(offset);
                        acknowledged++;
                    }
                }
            } catch (RuntimeException e) {
                // For the records that were acknowledged before one failed.
                boolean _ = group.raise();
                throw e;
            }
            isCrossed[0] = group.raise();
            return acknowledged;
        });
        if (isCrossed[0]) {
            log.retire();
        }
        return count;
    }

    /**
     * Acknowledges all records that a member holds up to an offset, except records that were not shown yet. Returns the number of records.
     */
    public int acknowledgeUpTo(Member member, long offset) {
        boolean isCrossed;
        int acknowledged;
        synchronized (group) {
            try {
                group.catchUp();
                group.requireOpen(member);
                if (offset < 0) {
                    throw new IllegalArgumentException("An offset cannot be " + offset);
                }
                try {
                    acknowledged = member.acknowledgeUpTo(window, file, group.moves(), offset);
                    window.acknowledgePassed(offset);
                } catch (RuntimeException e) {
                    // For the records before the one that has failed.
                    boolean _ = group.raise();
                    throw e;
                }
                isCrossed = group.raise();
            } catch (StackOverflowError e) {
                group.isBroken = true;
                throw e;
            }
        }
        if (isCrossed) {
            log.retire();
        }
        return acknowledged;
    }
}
