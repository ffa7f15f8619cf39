import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.infinispan.Cache;
import org.infinispan.configuration.cache.ConfigurationBuilder;
import org.infinispan.configuration.global.GlobalConfigurationBuilder;
import org.infinispan.manager.DefaultCacheManager;
import org.infinispan.persistence.rocksdb.configuration.RocksDBStoreConfigurationBuilder;

/** Infinispan's store in segments, which its caches fill and read. */
final class InfinispanStore {

    private InfinispanStore() {
    }

    static void run(Path directory) throws Exception {
        for (int start = 0; start < 2; start++) {
            GlobalConfigurationBuilder global = new GlobalConfigurationBuilder();
            global.globalState().enable().persistentLocation(directory.resolve("state").toString());
            try (DefaultCacheManager manager = new DefaultCacheManager(global.build())) {
                ConfigurationBuilder configuration = new ConfigurationBuilder();
                configuration.memory().maxCount(50);
                configuration.clustering().hash().numSegments(32);
                configuration.persistence().addStore(RocksDBStoreConfigurationBuilder.class)
                        .location("data")
                        .expiredLocation("expired").segmented(true)
                        .preload(false).shared(false);
                Cache<String, String> cache = manager.createCache("words", configuration.build());
                tell("start " + start, cache);
                for (int i = 0; i < 2000; i++) {
                    cache.put("key " + i, "value " + i + " of " + start);
                    if (i % 3 == start) {
                        cache.remove("key " + i);
                    }
                }
                tell("filled " + start, cache);
            }
        }
    }

    private static void tell(String what, Cache<String, String> cache) {
        Map<String, String> all = new TreeMap<>();
        cache.forEach(all::put);
        StoresProgram.tell(what + " " + all.size() + " " + cache.size() + " " + all.hashCode() + " "
                + cache.get("key 7"));
    }
}
