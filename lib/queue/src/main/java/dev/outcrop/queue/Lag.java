package dev.outcrop.queue;

import java.time.Duration;

/**
 * How much a {@link ConsumerGroup} has still to do.
 *
 * @param records that are not acknowledged, delivered or not; with those that were withdrawn, because their producer failed or was
 *                killed, until a consumer has come to where they are
 * @param bytes   from the first of them to the queue's end, as they lie in its files: with 24 bytes a record, padding, and records between
 *                them that are acknowledged already
 * @param time    how long ago the first of them was appended, to some 10 ms; {@link Duration#ZERO} if there is none
 */
public record Lag(long records, long bytes, Duration time) {
}
