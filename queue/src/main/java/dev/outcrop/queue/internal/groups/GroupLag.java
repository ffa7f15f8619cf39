package dev.outcrop.queue.internal.groups;

/**
 * How much a group has still to do.
 *
 * @param records    that are not acknowledged
 * @param bytes      from the first of them to the queue's end
 * @param waitsSince when the first of them was appended, in milliseconds since 1970-01-01 UTC; {@link Long#MAX_VALUE} if there is none
 */
public record GroupLag(long records, long bytes, long waitsSince) {
}
