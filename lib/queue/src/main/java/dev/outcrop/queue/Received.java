package dev.outcrop.queue;

import java.time.Instant;

/**
 * A value that was polled from a {@link TypedQueue}.
 *
 * @param <T>        of the value
 * @param offset     of its record, with which it is acknowledged or given back
 * @param value      what was appended
 * @param time       when it was appended, to some 10 ms
 * @param deliveries how often it was delivered since the queue was opened, with this time; at most 65,535
 */
public record Received<T>(long offset, T value, Instant time, int deliveries) {
}
