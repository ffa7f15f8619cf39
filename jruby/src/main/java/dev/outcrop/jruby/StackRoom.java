package dev.outcrop.jruby;

import dev.outcrop.memory.Headroom;

/** Stack for what must not end half-way, for all methods of the gem's queues. */
final class StackRoom {
    /**
     * More than what any call of {@code dev.outcrop.queue} requires that ends something which was begun, also while it is new: what has
     * passed here passes there.
     */
    private static final int KIBIBYTES = 48;

    private StackRoom() {
    }

    /**
     * Throws StackOverflowError, which is Ruby's SystemStackError, if the stack is almost used up. Called before anything is changed: then
     * nothing has happened.
     */
    static void require() {
        Headroom.require(KIBIBYTES);
    }
}
