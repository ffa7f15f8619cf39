package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;

/** The store in which Kafka Streams keeps windows: of each key there is one in each of ten minutes, and five are read. */
final class KafkaWindowStore implements Program {
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final int WINDOWS = 10;
    private static final int FETCHED = 5;

    private final Setup setup;
    private final RandomIndexes random = new RandomIndexes();
    private final WindowStore<Bytes, byte[]> store;
    private final int keys;

    KafkaWindowStore(Setup setup) throws IOException {
        this.setup = setup;
        this.keys = setup.keys() / WINDOWS;
        Files.createDirectories(setup.directory());
        this.store = Stores.persistentWindowStore("windows", Duration.ofHours(1), Duration.ofMinutes(1), false).get();
        store.init(KafkaContexts.in(setup.directory().toFile()), store);
        byte[] value = new byte[setup.valueBytes()];
        Arrays.fill(value, (byte) 'v');
        for (int window = 0; window < WINDOWS; window++) {
            for (int i = 0; i < keys; i++) {
                store.put(key(i), value, window * MINUTE);
            }
        }
        store.commit(Map.of());
    }

    @Override
    public void renew() {
    }

    @Override
    public long run(long seed) {
        random.restart(seed);
        long sum = 0;
        for (int i = 0; i < setup.operations(); i++) {
            try (WindowStoreIterator<byte[]> windows = store.fetch(key(random.next(keys)), 0, (FETCHED - 1) * MINUTE)) {
                while (windows.hasNext()) {
                    sum += windows.next().value.length;
                }
            }
        }
        return sum;
    }

    private static Bytes key(long index) {
        byte[] key = Keys.first(Setup.KEY_BYTES);
        Keys.set(key, index);
        return Bytes.wrap(key);
    }
}
