package dev.outcrop.queue;

import java.time.Duration;

/**
 * How far a {@link ConsumerGroup} lags behind the end of its queue.
 *
 * @param records that are not acknowledged, delivered or not. Withdrawn records, of producers that failed or were killed, count too until a
 *                consumer has come to their place
 * @param bytes   from the first of these records to the queue's end, as they lie in its files: with 24 bytes a record, padding, and
 *                acknowledged records in between
 * @param time    how long ago the first of these records was appended, accurate to some 10 ms; {@link Duration#ZERO} if there is none
 */
public record Lag(long records, long bytes, Duration time) {
}
