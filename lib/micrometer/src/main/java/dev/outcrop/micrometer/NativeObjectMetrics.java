package dev.outcrop.micrometer;

import dev.outcrop.memory.LeakDetector;
import dev.outcrop.rocksdb.engine.DatabaseRegistry;
import dev.outcrop.rocksdb.engine.NativeObjectsMXBean.DatabaseMemory;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The meters of all native objects of the process, of {@code dev.outcrop.rocksdb} and of the drop-in {@code org.rocksdb}:
 *
 * <pre>{@code
 * new NativeObjectMetrics().bindTo(registry);
 * }</pre>
 *
 * <table>
 * <caption>Its meters</caption>
 * <tr><th>name</th><th>what</th></tr>
 * <tr><td>{@code outcrop.objects.open}</td><td>objects that are open, with the tag {@code class}</td></tr>
 * <tr><td>{@code outcrop.objects.leaked}</td><td>objects that were garbage-collected but never closed, with the tag {@code class}</td></tr>
 * <tr><td>{@code outcrop.memory}</td><td>bytes that an open database holds, with the tags {@code database}, its directory, and {@code area}:
 * {@code block.cache} (databases may share it), {@code block.cache.pinned}, {@code memtables}, {@code memtables.pinned} (only iterators and
 * snapshots keep these) and {@code table.readers}</td></tr>
 * <tr><td>{@code outcrop.databases}</td><td>open databases; reading this meter updates all the other meters</td></tr>
 * </table>
 *
 * <p>If the system property {@code outcrop.leaks} is {@code always}, all objects are counted. If it is {@code sampled}, only the sampled
 * objects are. A new class or database gets its meters the next time {@code outcrop.databases} is read.
 */
public final class NativeObjectMetrics implements MeterBinder {

    /** Makes the meters. */
    public NativeObjectMetrics() {
        // Nothing is set.
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        MultiGauge open = MultiGauge.builder("outcrop.objects.open").register(registry);
        MultiGauge leaked = MultiGauge.builder("outcrop.objects.leaked").register(registry);
        MultiGauge memory = MultiGauge.builder("outcrop.memory").baseUnit(BaseUnits.BYTES).register(registry);
        Gauge.builder("outcrop.databases", () -> {
            List<DatabaseMemory> databases = DatabaseRegistry.memory();
            memory.register(rows(databases), true);
            open.register(rows(LeakDetector.open()), true);
            leaked.register(rows(LeakDetector.leakedByClass()), true);
            return databases.size();
        }).strongReference(true).register(registry);
    }

    private static List<Row<?>> rows(Map<String, Long> counts) {
        List<Row<?>> rows = new ArrayList<>();
        counts.forEach((type, count) -> rows.add(Row.of(Tags.of("class", type), count)));
        return rows;
    }

    private static List<Row<?>> rows(List<DatabaseMemory> databases) {
        List<Row<?>> rows = new ArrayList<>();
        for (DatabaseMemory each : databases) {
            Map.of("block.cache", each.blockCache(), "block.cache.pinned", each.blockCachePinned(), "memtables",
                    each.memTables(), "memtables.pinned", each.memTablesPinned(), "table.readers",
                    each.tableReaders())
                    .forEach((area, bytes) -> rows
                            .add(Row.of(Tags.of("database", each.database(), "area", area), bytes)));
        }
        return rows;
    }
}
