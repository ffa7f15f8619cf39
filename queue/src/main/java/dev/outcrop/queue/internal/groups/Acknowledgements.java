package dev.outcrop.queue.internal.groups;

import dev.outcrop.queue.internal.StackNeed;
import dev.outcrop.queue.internal.append.Log;

/** How members say that they are done with records. Thread-safe, by the group's lock. */
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

    public boolean acknowledge(Member member, long offset) {
        return acknowledge(member, offset, Member.ANY_DELIVERY);
    }

    /** As above, unless the record was delivered again since a delivery. */
    public boolean acknowledge(Member member, long offset, int delivery) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        group.lock();
        try {
            group.requireOpen(member);
            if (!member.mayAcknowledge(window, group.moves(), offset, delivery)) {
                return false;
            }
            acknowledge(offset);
            isCrossed = group.raise();
        } finally {
            group.unlock();
        }
        if (isCrossed) {
            log.retire();
        }
        return true;
    }

    /**
     * Says of a record that it is put away.
     *
     * @param moves how often the group had been moved when that began
     * @return false if it was moved since; nothing has happened then
     */
    boolean acknowledgeLeaving(int moves, long offset) {
        boolean isCrossed;
        group.lock();
        try {
            group.requireOpen();
            if (group.moves() != moves) {
                return false;
            }
            acknowledge(offset);
            isCrossed = group.raise();
        } finally {
            group.unlock();
        }
        if (isCrossed) {
            log.retire();
        }
        return true;
    }

    private void acknowledge(long offset) {
        // The file first: if it fails, nothing has happened.
        file.acknowledge(offset / GroupFile.WORD_OFFSETS, 1 << (int) offset, window.floor());
        window.acknowledge(offset);
    }

    public int acknowledge(Member member, long[] offsets) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        int acknowledged = 0;
        group.lock();
        try {
            group.requireOpen(member);
            for (long offset : offsets) {
                boolean _ = member.mayAcknowledge(window, group.moves(), offset, Member.ANY_DELIVERY);
            }
            try {
                for (long offset : offsets) {
                    if (member.mayAcknowledge(window, group.moves(), offset, Member.ANY_DELIVERY)) {
                        acknowledge(offset);
                        acknowledged++;
                    }
                }
            } finally {
                // Also what was acknowledged before one failed.
                isCrossed = group.raise();
            }
        } finally {
            group.unlock();
        }
        if (isCrossed) {
            log.retire();
        }
        return acknowledged;
    }

    /** All that a member holds up to an offset, but for what it is still to be shown. Returns how many records these are. */
    public int acknowledgeUpTo(Member member, long offset) {
        StackNeed.RELEASE.require();
        boolean isCrossed;
        int acknowledged;
        group.lock();
        try {
            group.requireOpen(member);
            if (offset < 0) {
                throw new IllegalArgumentException("An offset cannot be " + offset);
            }
            try {
                acknowledged = member.acknowledgeUpTo(window, file, group.moves(), offset);
            } finally {
                // Also what was acknowledged before one failed.
                isCrossed = group.raise();
            }
        } finally {
            group.unlock();
        }
        if (isCrossed) {
            log.retire();
        }
        return acknowledged;
    }
}
