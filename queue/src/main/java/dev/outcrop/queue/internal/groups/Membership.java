package dev.outcrop.queue.internal.groups;

/** How many consumers of a group are open, and whether that is one which wants no others. Guarded by the group's lock. */
public final class Membership {
    private final String group;
    private int open;
    private boolean isAlone;

    Membership(String group) {
        this.group = group;
    }

    /** When a consumer is opened. */
    void enter(boolean alone) {
        if (isAlone) {
            throw new IllegalStateException("Consumer group " + group
                    + " has an exclusive consumer, and can have no other until that is closed. Give this one a group of its own");
        }
        if (alone && open > 0) {
            throw new IllegalStateException("Consumer group " + group + " cannot have an exclusive consumer: " + open
                    + (open == 1 ? " other one is" : " others are")
                    + " open. Close what else consumes this group, or take another one");
        }
        open++;
        isAlone = alone;
    }

    boolean isOne() {
        return open == 1;
    }

    /** When a consumer is closed; again does nothing. */
    void leave(Member member) {
        if (!member.hasLeft) {
            member.hasLeft = true;
            open--;
            isAlone = false;
        }
    }
}
