package dev.outcrop.queue.internal.append;

/** A count or a time of an open queue. */
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
