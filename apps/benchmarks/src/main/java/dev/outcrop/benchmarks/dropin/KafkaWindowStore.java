package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.state.Stores;
import org.apache.kafka.streams.state.WindowStore;
import org.apache.kafka.streams.state.WindowStoreIterator;
import org.jspecify.annotations.Nullable;

/** The store for windows of Kafka Streams. Each key has a window in each of ten minutes, and five of them are read. */
final class KafkaWindowStore implements DropinProgram {
    private static final long MINUTE = Duration.ofMinutes(1).toMillis();
    private static final int WINDOWS = 10;
    private static final int FETCHED = 5;

    private final DropinCase.DropinWorkload workload = DropinCase.DropinWorkload.current();
    private final int keys = workload.keys() / WINDOWS;
    private final Path directory;
    private @Nullable WindowStore<Bytes, byte[]> store;

    KafkaWindowStore(Path directory) {
        this.directory = directory;
    }

    @Override
    public long open(long lent) throws IOException {
        Files.createDirectories(directory);
        WindowStore<Bytes, byte[]> opened = Stores
                .persistentWindowStore("windows", Duration.ofHours(1), Duration.ofMinutes(1), false).get();
        opened.init(KafkaStore.context(directory), opened);
        byte[] value = workload.value();
        for (int window = 0; window < WINDOWS; window++) {
            for (int i = 0; i < keys; i++) {
                opened.put(KafkaStore.key(i), value, window * MINUTE);
            }
        }
        opened.commit(Map.of());
        store = opened;
        return NOT_LENT;
    }

    @Override
    public Side.Work work(int operations) {
        WindowStore<Bytes, byte[]> from = Objects.requireNonNull(store);
        RandomIndexes random = new RandomIndexes();
        return seed -> {
            random.restart(seed);
            long sum = 0;
            for (int i = 0; i < operations; i++) {
                try (WindowStoreIterator<byte[]> windows = from.fetch(KafkaStore.key(random.next(keys)), 0,
                        (FETCHED - 1) * MINUTE)) {
                    while (windows.hasNext()) {
                        sum += windows.next().value.length;
                    }
                }
            }
            return sum;
        };
    }
}
