package dev.outcrop.micrometer;

import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.Lag;
import dev.outcrop.queue.LatencyHistogram;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueStatistics;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;

/**
 * The meters of one queue:
 *
 * <pre>{@code
 * new QueueMetrics(queue, Tags.of("queue", "events")).bindTo(registry);
 * }</pre>
 *
 * <table>
 * <caption>Its meters</caption>
 * <tr><th>name</th><th>kind</th><th>what</th></tr>
 * <tr><td>{@code outcrop.queue.records}</td><td>gauge</td><td>records that are kept</td></tr>
 * <tr><td>{@code outcrop.queue.bytes}</td><td>gauge</td><td>bytes that these records take in the queue's files</td></tr>
 * <tr><td>{@code outcrop.queue.appended}</td><td>counter</td><td>records that were ever appended</td></tr>
 * <tr><td>{@code outcrop.queue.lag}</td><td>gauges</td><td>records that a group has not acknowledged, with the tag {@code group}</td></tr>
 * <tr><td>{@code outcrop.queue.lag.bytes}</td><td>gauges</td><td>bytes from the first unacknowledged record to the queue's end</td></tr>
 * <tr><td>{@code outcrop.queue.lag.time}</td><td>gauges</td><td>seconds since the first unacknowledged record was appended</td></tr>
 * <tr><td>{@code outcrop.queue.append}, {@code outcrop.queue.stall}, {@code outcrop.queue.sync}</td><td>gauges</td>
 * <td>seconds that copying a record, waiting before that, and writing to the disk take: percentiles with the tag {@code phi} 0.5, 0.95,
 * 0.99 and 0.999, since the queue was opened</td></tr>
 * <tr><td>the same with {@code .max}</td><td>gauge</td><td>the longest</td></tr>
 * <tr><td>{@code outcrop.queue.sync.count}</td><td>counter</td><td>writes to the disk</td></tr>
 * <tr><td>{@code outcrop.queue.rolls}</td><td>counter</td><td>how often the queue went on to another file</td></tr>
 * <tr><td>{@code outcrop.queue.full}</td><td>counter</td><td>appends that waited for room or were refused</td></tr>
 * <tr><td>{@code outcrop.queue.waiting}</td><td>gauge</td><td>appends that wait for room at this moment</td></tr>
 * <tr><td>{@code outcrop.queue.timeouts}</td><td>counter</td><td>deliveries that a consumer kept for longer than allowed</td></tr>
 * <tr><td>{@code outcrop.queue.dead.letters}</td><td>counter</td><td>records that became dead letters</td></tr>
 * </table>
 *
 * <p>A queue can be closed and garbage-collected although a registry has its meters. The gauges of a closed queue or a deleted group show
 * NaN. Groups that are created after {@link #bindTo} have no meters until it is called again. New meters replace meters with the same names
 * and tags, for example when a queue was closed and opened again. Two queues that are open at the same time need different tags.
 */
public final class QueueMetrics implements MeterBinder {
    private static final List<Double> PHIS = List.of(0.5, 0.95, 0.99, 0.999);
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e3;

    private final Queue queue;
    private final Tags tags;

    /**
     * Makes the meters of a queue.
     *
     * @param queue the queue
     * @param tags  for all meters of this queue; they must differ from the tags of other queues
     */
    public QueueMetrics(Queue queue, Iterable<Tag> tags) {
        this.queue = queue;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry, tags);
        gauge(meters, "outcrop.queue.records", "records", QueueMetrics::records);
        gauge(meters, "outcrop.queue.bytes", BaseUnits.BYTES, Queue::bytes);
        meters.counter("outcrop.queue.appended", queue, q -> orNaN(q, Queue::nextOffset));
        meters.counter("outcrop.queue.rolls", queue, q -> q.statistics().rolls());
        meters.counter("outcrop.queue.full", queue, q -> q.statistics().fullWaits());
        gauge(meters, "outcrop.queue.waiting", "appends", q -> statistics(q).waitingAppends());
        meters.counter("outcrop.queue.timeouts", queue, q -> q.statistics().timeouts());
        meters.counter("outcrop.queue.dead.letters", queue, q -> q.statistics().deadLetters());
        meters.counter("outcrop.queue.sync.count", queue, q -> q.statistics().syncs().count());
        histogram(meters, "outcrop.queue.append", QueueStatistics::appends);
        histogram(meters, "outcrop.queue.stall", QueueStatistics::stalls);
        histogram(meters, "outcrop.queue.sync", QueueStatistics::syncs);
        for (String group : queue.groups()) {
            lag(meters, group, "outcrop.queue.lag", "records", Lag::records);
            lag(meters, group, "outcrop.queue.lag.bytes", BaseUnits.BYTES, Lag::bytes);
            lag(meters, group, "outcrop.queue.lag.time", "seconds", lag -> lag.time().toMillis() / MILLIS);
        }
    }

    private void gauge(Meters meters, String name, String unit, ToDoubleFunction<Queue> value) {
        meters.gauge(name, Tags.empty(), unit, queue, q -> orNaN(q, value));
    }

    private void histogram(Meters meters, String name, Function<QueueStatistics, LatencyHistogram> histogram) {
        for (double phi : PHIS) {
            meters.gauge(name, Tags.of("phi", Double.toString(phi)), "seconds", queue,
                    q -> orNaN(q, open -> histogram.apply(statistics(open)).percentileNanos(100 * phi) / NANOS));
        }
        gauge(meters, name + ".max", "seconds", q -> histogram.apply(statistics(q)).longestNanos() / NANOS);
    }

    private void lag(Meters meters, String group, String name, String unit, ToDoubleFunction<Lag> value) {
        meters.gauge(name, Tags.of("group", group), unit, queue, q -> orNaN(q, open -> lag(open, group, value)));
    }

    private static QueueStatistics statistics(Queue queue) {
        // Fails if the queue is closed. Its statistics could still be read.
        long _ = queue.firstOffset();
        return queue.statistics();
    }

    private static long records(Queue queue) {
        // Read first: if records are deleted in between, the difference must not be negative.
        long first = queue.firstOffset();
        return queue.nextOffset() - first;
    }

    /** Reads a group that may have been deleted, without making it again. */
    private static double lag(Queue queue, String name, ToDoubleFunction<Lag> value) {
        ConsumerGroup group = queue.findGroup(name);
        return group == null ? Double.NaN : value.applyAsDouble(group.lag());
    }

    /** Returns NaN, which registries do not show, for a closed queue. */
    private static double orNaN(Queue queue, ToDoubleFunction<Queue> value) {
        try {
            return value.applyAsDouble(queue);
        } catch (IllegalStateException e) {
            return Double.NaN;
        }
    }
}
