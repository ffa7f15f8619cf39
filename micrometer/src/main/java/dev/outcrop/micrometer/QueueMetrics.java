package dev.outcrop.micrometer;

import dev.outcrop.queue.ConsumerGroup;
import dev.outcrop.queue.LatencyHistogram;
import dev.outcrop.queue.Queue;
import dev.outcrop.queue.QueueStatistics;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
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
 * <tr><td>{@code outcrop.queue.bytes}</td><td>gauge</td><td>bytes that these take in its files</td></tr>
 * <tr><td>{@code outcrop.queue.appended}</td><td>counter</td><td>records that were ever appended</td></tr>
 * <tr><td>{@code outcrop.queue.lag}</td><td>gauges</td><td>records that a group has not acknowledged, with the tag {@code group}</td></tr>
 * <tr><td>{@code outcrop.queue.append}, {@code outcrop.queue.stall}, {@code outcrop.queue.sync}</td><td>gauges</td>
 * <td>seconds that copying a record, waiting before that, and writing to the disk take: percentiles with the tag {@code phi} 0.5, 0.95, 0.99 and 0.999, since it was opened</td></tr>
 * <tr><td>the same with {@code .max}</td><td>gauge</td><td>the longest</td></tr>
 * <tr><td>{@code outcrop.queue.sync.count}</td><td>counter</td><td>writes to the disk</td></tr>
 * <tr><td>{@code outcrop.queue.rolls}</td><td>counter</td><td>how often it went on to another file</td></tr>
 * <tr><td>{@code outcrop.queue.full}</td><td>counter</td><td>appends that waited for room or were refused</td></tr>
 * </table>
 *
 * <p>A registry does not keep a queue open, nor from being collected; the gauges of a closed one say NaN, as does that of a deleted group. Groups that are made after
 * {@link #bindTo} have no meters until it is called again. A registry keeps the meters that it has: before a queue that was closed and opened
 * again is bound with the same tags, remove those of the closed one from it.
 */
public final class QueueMetrics implements MeterBinder {
    private static final List<Double> PHIS = List.of(0.5, 0.95, 0.99, 0.999);
    private static final double NANOS = 1e9;

    private final Queue queue;
    private final Tags tags;

    /**
     * For a queue.
     *
     * @param queue it
     * @param tags  for all its meters, by which it differs from other queues
     */
    public QueueMetrics(Queue queue, Iterable<Tag> tags) {
        this.queue = queue;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "outcrop.queue.records", "records", QueueMetrics::records);
        gauge(registry, "outcrop.queue.bytes", BaseUnits.BYTES, Queue::bytes);
        counter(registry, "outcrop.queue.appended", q -> orNaN(q, Queue::nextOffset));
        counter(registry, "outcrop.queue.rolls", q -> q.statistics().rolls());
        counter(registry, "outcrop.queue.full", q -> q.statistics().fullWaits());
        counter(registry, "outcrop.queue.sync.count", q -> q.statistics().syncs().count());
        histogram(registry, "outcrop.queue.append", QueueStatistics::appends);
        histogram(registry, "outcrop.queue.stall", QueueStatistics::stalls);
        histogram(registry, "outcrop.queue.sync", QueueStatistics::syncs);
        for (String group : queue.groups()) {
            Gauge.builder("outcrop.queue.lag", queue, q -> orNaN(q, open -> lag(open, group))).tags(tags)
                    .tag("group", group).baseUnit("records").register(registry);
        }
    }

    private void gauge(MeterRegistry registry, String name, String unit, ToDoubleFunction<Queue> value) {
        Gauge.builder(name, queue, q -> orNaN(q, value)).tags(tags).baseUnit(unit).register(registry);
    }

    private void counter(MeterRegistry registry, String name, ToDoubleFunction<Queue> value) {
        FunctionCounter.builder(name, queue, value).tags(tags).register(registry);
    }

    private void histogram(MeterRegistry registry, String name, Function<QueueStatistics, LatencyHistogram> histogram) {
        for (double phi : PHIS) {
            Gauge.builder(name, queue, q -> orNaN(q, open -> times(open, histogram).percentileNanos(100 * phi) / NANOS))
                    .tags(tags).tag("phi", Double.toString(phi)).baseUnit("seconds").register(registry);
        }
        Gauge.builder(name + ".max", queue, q -> orNaN(q, open -> times(open, histogram).longestNanos() / NANOS))
                .tags(tags).baseUnit("seconds").register(registry);
    }

    private static LatencyHistogram times(Queue queue, Function<QueueStatistics, LatencyHistogram> histogram) {
        // Fails if the queue is closed, whose statistics can still be read.
        long _ = queue.firstOffset();
        return histogram.apply(queue.statistics());
    }

    private static long records(Queue queue) {
        // First: records that are given back between the two looks must not make it negative.
        long first = queue.firstOffset();
        return queue.nextOffset() - first;
    }

    /** Of a group that may have been deleted; it must not come to life again because somebody looks at it. */
    private static double lag(Queue queue, String name) {
        ConsumerGroup group = queue.findGroup(name);
        return group == null ? Double.NaN : group.lag();
    }

    /** What belongs to a queue that has been closed is NaN, which registries do not show. */
    private static double orNaN(Queue queue, ToDoubleFunction<Queue> value) {
        try {
            return value.applyAsDouble(queue);
        } catch (IllegalStateException e) {
            return Double.NaN;
        }
    }
}
