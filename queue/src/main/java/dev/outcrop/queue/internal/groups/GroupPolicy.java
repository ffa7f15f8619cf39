package dev.outcrop.queue.internal.groups;

import org.jspecify.annotations.Nullable;

/**
 * How a group delivers.
 *
 * @param visibleAgainNanos after which a record that was neither acknowledged nor given back comes again; 0 for never
 * @param delayMillis       after which a record is delivered that was appended
 * @param mostDeliveries    after which a record is dead
 * @param deadLetters       where to dead records go; null if none ever is
 */
public record GroupPolicy(long visibleAgainNanos, long delayMillis, int mostDeliveries,
        @Nullable DeadLetterSink deadLetters) {
    static final GroupPolicy NONE = new GroupPolicy(0, 0, Integer.MAX_VALUE, null);
}
