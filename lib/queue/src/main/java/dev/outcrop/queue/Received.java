package dev.outcrop.queue;

import java.time.Instant;

/**
 * A value that was polled from a {@link TypedQueue}.
 *
 * @param <T>        of the value
 * @param offset     of its record, by which the consumer acknowledges it or gives it back
 * @param value      what was appended
 * @param time       when it was appended, accurate to some 10 ms
 * @param deliveries how often it was delivered since the queue was opened or the group was last moved, this time included; at most
 *                   65,535
 */
public record Received<T>(long offset, T value, Instant time, int deliveries) {
}
