package dev.outcrop.queue.internal.append;

/** What an open queue counts or times. Whoever is told of one is told a number with it: nanoseconds, or how many. */
public enum Metric {
    /** One write to the disk, in nanoseconds. */
    SYNC,
    /** Copying one record, in nanoseconds. */
    APPEND,
    /** One wait before a place was claimed, in nanoseconds. */
    STALL,
    /** Segments begun. */
    ROLL,
    /** Appends that found the queue full. */
    FULL_WAIT,
    /** Deliveries that a consumer kept for too long. */
    TIMEOUT,
    /** Records put with the dead letters. */
    DEAD_LETTER
}
