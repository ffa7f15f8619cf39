package dev.outcrop.micrometer;

import dev.outcrop.rocksdb.ColumnFamily;
import dev.outcrop.rocksdb.Histogram;
import dev.outcrop.rocksdb.HistogramData;
import dev.outcrop.rocksdb.MemoryUsage;
import dev.outcrop.rocksdb.Property;
import dev.outcrop.rocksdb.RocksDB;
import dev.outcrop.rocksdb.Statistics;
import dev.outcrop.rocksdb.Ticker;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one database:
 *
 * <pre>{@code
 * new RocksDBMetrics(db, Tags.of("database", "users")).bindTo(registry);
 * }</pre>
 *
 * <table>
 * <caption>Its meters</caption>
 * <tr><th>name</th><th>kind</th><th>what</th></tr>
 * <tr><td>{@link Ticker#rocksdbName()}, such as {@code rocksdb.block.cache.hit}</td><td>counter</td>
 * <td>each ticker, if the database was opened with statistics</td></tr>
 * <tr><td>{@link Histogram#rocksdbName()}, such as {@code rocksdb.db.get.micros}</td><td>gauges</td>
 * <td>each histogram: percentiles with the tag {@code phi} 0.5, 0.95 and 0.99, since the database was opened</td></tr>
 * <tr><td>the same with {@code .count} and {@code .sum}</td><td>counters</td><td>each histogram</td></tr>
 * <tr><td>the same with {@code .max}</td><td>gauge</td><td>each histogram</td></tr>
 * <tr><td>such as {@code rocksdb.estimate.num.keys}</td><td>gauges</td>
 * <td>each property that is a number, with the tag {@code column.family}; {@link Property#TOTAL_SST_FILES_SIZE} is left out,
 * because asking for it slows down a database with many files</td></tr>
 * <tr><td>{@code rocksdb.memory}</td><td>gauges</td><td>bytes, with the tag {@code area}: {@code memtables},
 * {@code memtables.unflushed}, {@code table.readers}; for the default column family's block cache, which other databases may share:
 * {@code block.cache}, and {@code block.cache.pinned}, the part of it that is in use at the moment</td></tr>
 * <tr><td>{@code rocksdb.pinned}</td><td>gauge</td><td>bytes of values that are pinned</td></tr>
 * <tr><td>{@code rocksdb.pin.budget}</td><td>gauge</td><td>bytes of values that may be pinned at the same time</td></tr>
 * </table>
 *
 * <p>A database can be closed and garbage-collected although a registry has its meters. The gauges of a closed database show NaN. Column
 * families that are created after {@link #bindTo} have no meters until it is called again. New meters replace meters with the same names
 * and tags, for example when a database was closed and opened again. Two databases that are open at the same time need different tags.
 */
public final class RocksDBMetrics implements MeterBinder {
    private static final Map<String, ToDoubleFunction<HistogramData>> PERCENTILES = Map.of("0.5",
            HistogramData::median, "0.95", HistogramData::p95, "0.99", HistogramData::p99);
    private static final Map<String, ToDoubleFunction<MemoryUsage>> AREAS = Map.of("memtables", MemoryUsage::memTables,
            "memtables.unflushed", MemoryUsage::unflushedMemTables, "table.readers", MemoryUsage::tableReaders);

    private static final Map<String, String> CACHE_AREAS = Map.of("block.cache", Property.BLOCK_CACHE_USAGE,
            "block.cache.pinned", Property.BLOCK_CACHE_PINNED_USAGE);

    private final RocksDB database;
    private final Tags tags;

    /**
     * Makes the meters of a database.
     *
     * @param database the database
     * @param tags     for all meters of this database; they must differ from the tags of other databases
     */
    public RocksDBMetrics(RocksDB database, Iterable<Tag> tags) {
        this.database = database;
        this.tags = Tags.of(tags);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry, tags);
        Statistics statistics = database.statistics();
        if (statistics != null) {
            for (Ticker ticker : Ticker.values()) {
                meters.counter(ticker.rocksdbName(), statistics, s -> s.ticker(ticker));
            }
            for (Histogram histogram : Histogram.values()) {
                bind(meters, statistics, histogram);
            }
        }
        for (ColumnFamily family : database.columnFamilies()) {
            for (String property : Property.NUMBERS) {
                if (!property.equals(Property.TOTAL_SST_FILES_SIZE)) {
                    meters.gauge(property.replace('-', '.'), Tags.of("column.family", family.name()), null, family,
                            f -> orNaN(() -> f.longProperty(property)));
                }
            }
        }
        AREAS.forEach((area, bytes) -> memory(meters, area,
                db -> bytes.applyAsDouble(MemoryUsage.of(List.of(db), List.of()))));
        CACHE_AREAS.forEach((area, property) -> memory(meters, area, db -> db.longProperty(property)));
        meters.gauge("rocksdb.pinned", Tags.empty(), BaseUnits.BYTES, database, db -> whileOpen(db, db::pinnedBytes));
        meters.gauge("rocksdb.pin.budget", Tags.empty(), BaseUnits.BYTES, database,
                db -> whileOpen(db, db::pinBudget));
    }

    private void memory(Meters meters, String area, Function<RocksDB, @Nullable Number> bytes) {
        meters.gauge("rocksdb.memory", Tags.of("area", area), BaseUnits.BYTES, database,
                db -> orNaN(() -> bytes.apply(db)));
    }

    private void bind(Meters meters, Statistics statistics, Histogram histogram) {
        String name = histogram.rocksdbName();
        PERCENTILES.forEach((phi, percentile) -> meters.gauge(name, Tags.of("phi", phi), null, database,
                db -> whileOpen(db, () -> percentile.applyAsDouble(read(db, histogram)))));
        meters.gauge(name + ".max", Tags.empty(), null, database,
                db -> whileOpen(db, () -> read(db, histogram).max()));
        meters.counter(name + ".count", statistics, s -> s.histogram(histogram).count());
        meters.counter(name + ".sum", statistics, s -> s.histogram(histogram).sum());
    }

    /** Asks the database, because a gauge that held the statistics would keep them, and their caches, in memory. */
    private static HistogramData read(RocksDB database, Histogram histogram) {
        return Objects.requireNonNull(database.statistics()).histogram(histogram);
    }

    /** Returns NaN after the database was closed, for values that a closed database still has. */
    private static double whileOpen(RocksDB database, Supplier<Number> value) {
        return orNaN(() -> {
            database.latestSequenceNumber(); // throws if it is closed
            return value.get();
        });
    }

    /** Returns NaN, which registries do not show, for a missing value or a closed database. */
    private static double orNaN(Supplier<@Nullable Number> value) {
        try {
            Number number = value.get();
            return number == null ? Double.NaN : number.doubleValue();
        } catch (IllegalStateException e) {
            return Double.NaN;
        }
    }
}
