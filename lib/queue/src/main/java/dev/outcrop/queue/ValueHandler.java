package dev.outcrop.queue;

/**
 * Handles values that {@link TypedConsumer#poll(int, ValueHandler)} shows, one after the other.
 *
 * @param <T> of the values
 */
@FunctionalInterface
public interface ValueHandler<T> {
    /**
     * Handles a value. Returning does not acknowledge it: call {@link TypedConsumer#acknowledge(long)}, here or later.
     *
     * @param offset     of the record
     * @param value      what was appended
     * @param deliveries how often the record was delivered since the queue was opened or the group was last moved, this time
     *                   included; at most 65,535
     */
    void handle(long offset, T value, int deliveries);
}
