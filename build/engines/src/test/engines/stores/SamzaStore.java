import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.samza.config.MapConfig;
import org.apache.samza.metrics.MetricsRegistryMap;
import org.apache.samza.storage.kv.Entry;
import org.apache.samza.storage.kv.KeyValueIterator;
import org.apache.samza.storage.kv.KeyValueSnapshot;
import org.apache.samza.storage.kv.KeyValueStoreMetrics;
import org.apache.samza.storage.kv.RocksDbKeyValueStore;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.WriteOptions;

/** Samza's store of keys and values, without and with a time to live. */
final class SamzaStore {

    private SamzaStore() {
    }

    static void run(Path directory) throws Exception {
        run(directory.resolve("plain"), Map.of());
        run(directory.resolve("ttl"), Map.of("rocksdb.ttl.ms", "86400000"));
    }

    private static void run(Path directory, Map<String, String> configuration) throws Exception {
        boolean exists = Files.exists(directory);
        if (!exists) {
            Files.createDirectories(directory);
            RocksDbKeyValueStore store = open(directory, configuration);
            fill(store);
            tell("filled", store);
            StoresProgram.tell("checkpoint " + store.checkpoint(
                    org.apache.samza.checkpoint.CheckpointId.create()).isPresent());
            store.close();
        }
        RocksDbKeyValueStore store = open(directory, configuration);
        tell("opened", store);
        store.close();
        try {
            store.get(key(1));
        } catch (RuntimeException e) {
            StoresProgram.tell("closed: " + e.getClass().getSimpleName());
        }
    }

    private static RocksDbKeyValueStore open(Path directory, Map<String, String> configuration) {
        return new RocksDbKeyValueStore(directory.toFile(), new Options().setCreateIfMissing(true),
                new MapConfig(configuration), false, "words", new WriteOptions(),
                new FlushOptions().setWaitForFlush(true), new KeyValueStoreMetrics("words", new MetricsRegistryMap()));
    }

    private static void fill(RocksDbKeyValueStore store) {
        List<Entry<byte[], byte[]>> entries = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            store.put(key(i * 31 % 1009), ("value " + i).getBytes());
            entries.add(new Entry<>(key(i), i % 3 == 0 ? null : ("of all " + i).getBytes()));
            if (i % 7 == 0) {
                store.delete(key(i * 13 % 1009));
            }
            if (i % 500 == 0) {
                store.putAll(entries);
                entries.clear();
                store.flush();
            }
        }
        store.deleteAll(List.of(key(5), key(6)));
        store.flush();
    }

    private static void tell(String what, RocksDbKeyValueStore store) {
        StringBuilder all = new StringBuilder();
        count(store.all(), all);
        StringBuilder range = new StringBuilder();
        count(store.range(key(100), key(140)), range);
        KeyValueSnapshot<byte[], byte[]> snapshot = store.snapshot(key(200), key(220));
        count(snapshot.iterator(), range);
        snapshot.close();
        StringBuilder some = new StringBuilder();
        List<byte[]> keys = List.of(key(3), key(4), key(5), key(5000));
        Map<byte[], byte[]> found = store.getAll(keys);
        keys.forEach(key -> some.append(found.get(key) == null ? "none" : new String(found.get(key))).append(' '));
        StoresProgram.tell(what + " " + all.toString().hashCode() + " " + some + range);
    }

    private static void count(KeyValueIterator<byte[], byte[]> entries, StringBuilder to) {
        while (entries.hasNext()) {
            Entry<byte[], byte[]> entry = entries.next();
            to.append(new String(entry.getKey())).append('=').append(new String(entry.getValue())).append(' ');
        }
        entries.close();
    }

    private static byte[] key(int number) {
        return String.format("%06d", number).getBytes();
    }
}
