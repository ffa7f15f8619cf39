package dev.outcrop.micrometer;

import dev.outcrop.pipeline.Pipeline;
import dev.outcrop.pipeline.PipelineState;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one pipeline:
 *
 * <pre>{@code
 * new PipelineMetrics(pipeline, Tags.of("pipeline", "orders")).bindTo(registry);
 * }</pre>
 *
 * <table>
 * <caption>Its meters</caption>
 * <tr><th>name</th><th>kind</th><th>what</th></tr>
 * <tr><td>{@code outcrop.pipeline.records}</td><td>counter</td><td>records whose effects were written</td></tr>
 * <tr><td>{@code outcrop.pipeline.bytes}</td><td>counter</td><td>bytes of their payloads</td></tr>
 * <tr><td>{@code outcrop.pipeline.batches}</td><td>counter</td><td>batches that were written</td></tr>
 * <tr><td>{@code outcrop.pipeline.write.time}</td><td>counter</td><td>seconds that writing them took</td></tr>
 * <tr><td>{@code outcrop.pipeline.stalls}</td><td>counter</td><td>writes that took longer than the pipeline's limit</td></tr>
 * <tr><td>{@code outcrop.pipeline.dead.letters}</td><td>counter</td><td>records that could not be mapped and became dead letters</td></tr>
 * <tr><td>{@code outcrop.pipeline.batch}</td><td>gauge</td><td>records of the last batch</td></tr>
 * <tr><td>{@code outcrop.pipeline.rate}</td><td>gauge</td><td>records per second</td></tr>
 * <tr><td>{@code outcrop.pipeline.lag}</td><td>gauge</td><td>records whose effects are not in the database</td></tr>
 * <tr><td>{@code outcrop.pipeline.failed}</td><td>gauge</td><td>1 if the pipeline has failed, otherwise 0</td></tr>
 * </table>
 *
 * <p>A pipeline can be garbage-collected although a registry has its meters. The gauges of a closed pipeline show NaN. New meters replace
 * meters with the same names and tags, for example when a pipeline was closed and started again. Two pipelines that run at the same time
 * need different tags.
 */
public final class PipelineMetrics implements MeterBinder {
    private static final double NANOS = 1e9;

    private final Pipeline pipeline;
    private final Tags tags;

    /**
     * Makes the meters of a pipeline.
     *
     * @param pipeline the pipeline
     * @param tags     for all meters of this pipeline; they must differ from the tags of other pipelines
     */
    public PipelineMetrics(Pipeline pipeline, Iterable<Tag> tags) {
        this.pipeline = pipeline;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry, tags);
        meters.counter("outcrop.pipeline.records", "records", pipeline, p -> p.statistics().records());
        meters.counter("outcrop.pipeline.bytes", BaseUnits.BYTES, pipeline, p -> p.statistics().bytes());
        meters.counter("outcrop.pipeline.batches", "batches", pipeline, p -> p.statistics().batches());
        meters.counter("outcrop.pipeline.write.time", "seconds", pipeline,
                p -> p.statistics().writeTime().toNanos() / NANOS);
        meters.counter("outcrop.pipeline.stalls", pipeline, p -> p.statistics().stalls());
        meters.counter("outcrop.pipeline.dead.letters", pipeline, p -> p.statistics().deadLetters());
        gauge(meters, "outcrop.pipeline.batch", "records", p -> p.statistics().lastBatchRecords());
        gauge(meters, "outcrop.pipeline.rate", "records", p -> p.statistics().recordsPerSecond());
        gauge(meters, "outcrop.pipeline.lag", "records", p -> p.statistics().lag());
        gauge(meters, "outcrop.pipeline.failed", null, p -> p.state() == PipelineState.FAILED ? 1 : 0);
    }

    private void gauge(Meters meters, String name, @Nullable String unit, ToDoubleFunction<Pipeline> value) {
        meters.gauge(name, Tags.empty(), unit, pipeline, p -> orNaN(p, value));
    }

    /** Returns NaN, which registries do not show, for a closed pipeline or queue. */
    private static double orNaN(Pipeline pipeline, ToDoubleFunction<Pipeline> value) {
        try {
            return pipeline.state() == PipelineState.CLOSED ? Double.NaN : value.applyAsDouble(pipeline);
        } catch (IllegalStateException e) {
            return Double.NaN;
        }
    }
}
