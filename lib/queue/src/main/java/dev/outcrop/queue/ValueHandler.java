package dev.outcrop.queue;

/**
 * Is given values by {@link TypedConsumer#poll(int, ValueHandler)}, one after the other.
 *
 * @param <T> of the values
 */
@FunctionalInterface
public interface ValueHandler<T> {
    /**
     * Handles a value. To acknowledge it, call {@link TypedConsumer#acknowledge(long)}, here or later: returning does not.
     *
     * @param offset     of the record
     * @param value      what was appended
     * @param deliveries how often the record was delivered since the queue was opened, with this time; at most 65,535
     */
    void handle(long offset, T value, int deliveries);
}
