package dev.outcrop.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Registers meters, and replaces meters with the same name and tags. A registry alone would keep the old meter, and show an object that may
 * have been closed or collected.
 */
record Meters(MeterRegistry registry, Tags tags) {
    <T> void gauge(String name, Tags more, @Nullable String unit, T object, ToDoubleFunction<T> value) {
        Tags all = tags.and(more);
        remove(name, all, Meter.Type.GAUGE);
        Gauge.builder(name, object, value).tags(all).baseUnit(unit).register(registry);
    }

    <T> void counter(String name, T object, ToDoubleFunction<T> value) {
        counter(name, null, object, value);
    }

    <T> void counter(String name, @Nullable String unit, T object, ToDoubleFunction<T> value) {
        remove(name, tags, Meter.Type.COUNTER);
        FunctionCounter.builder(name, object, value).tags(tags).baseUnit(unit).register(registry);
    }

    private void remove(String name, Tags all, Meter.Type type) {
        registry.removeByPreFilterId(new Meter.Id(name, all, null, null, type));
    }
}
