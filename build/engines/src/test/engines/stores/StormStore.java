import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;
import org.apache.storm.DaemonConfig;
import org.apache.storm.metric.StormMetricsRegistry;
import org.apache.storm.metricstore.AggLevel;
import org.apache.storm.metricstore.FilterOptions;
import org.apache.storm.metricstore.Metric;
import org.apache.storm.metricstore.rocksdb.RocksDbStore;

/** Storm's store of metrics, with its index of texts. It never closes its database, so another process has to open it again. */
final class StormStore {

    private StormStore() {
    }

    static void run(Path directory) throws Exception {
        boolean exists = Files.exists(directory);
        Files.createDirectories(directory);
        try (RocksDbStore store = open(directory)) {
            if (!exists) {
                for (int i = 0; i < 1500; i++) {
                    store.insert(metric(i));
                }
                // It writes in a thread of its own.
                while (scan(store, new FilterOptions()).size() < 1500) {
                    Thread.sleep(100);
                }
            }
            tell(exists ? "opened" : "filled", store);
        }
    }

    private static RocksDbStore open(Path directory) throws Exception {
        Map<String, Object> configuration = new HashMap<>();
        configuration.put(DaemonConfig.STORM_ROCKSDB_LOCATION, directory.toString());
        configuration.put(DaemonConfig.STORM_ROCKSDB_CREATE_IF_MISSING, true);
        configuration.put(DaemonConfig.STORM_ROCKSDB_METADATA_STRING_CACHE_CAPACITY, 4000);
        configuration.put(DaemonConfig.STORM_ROCKSDB_METRIC_RETENTION_HOURS, 24_000_000);
        configuration.put(DaemonConfig.STORM_ROCKSDB_METRIC_DELETION_PERIOD_HOURS, 24);
        RocksDbStore store = new RocksDbStore();
        store.prepare(configuration, new StormMetricsRegistry());
        return store;
    }

    private static Metric metric(int i) throws Exception {
        return new Metric("metric " + i % 9, 1_000_000L + i * 1000, "executor " + i % 4, i * 1.5,
                "component " + i % 5, "topology " + i % 3, "stream " + i % 2, "host", 6700 + i % 4, AggLevel.AGG_LEVEL_NONE);
    }

    private static TreeSet<String> scan(RocksDbStore store, FilterOptions filter) throws Exception {
        TreeSet<String> found = new TreeSet<>();
        filter.addAggLevel(AggLevel.AGG_LEVEL_NONE);
        store.scan(filter, metric -> found.add(metric.getTimestamp() + " " + metric.getTopologyId() + " "
                + metric.getMetricName() + " " + metric.getComponentId() + " " + metric.getExecutorId() + " "
                + metric.getStreamId() + " " + metric.getPort() + " " + metric.getValue()));
        return found;
    }

    private static void tell(String what, RocksDbStore store) throws Exception {
        TreeSet<String> all = scan(store, new FilterOptions());
        FilterOptions filter = new FilterOptions();
        filter.setTopologyId("topology 1");
        filter.setMetricName("metric 4");
        TreeSet<String> some = scan(store, filter);
        Metric one = metric(42);
        one.setValue(0);
        StoresProgram.tell(what + " " + all.size() + " " + all.hashCode() + " " + some.size() + " " + some.hashCode()
                + " " + store.populateValue(one) + " " + one.getValue());
    }
}
