package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Side;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** The store in which Kafka Streams keeps a table, with Kafka's own options. */
final class KafkaStore implements Program {
    private final ProgramSetup setup;
    private final byte[] value;
    private final KafkaContext context;
    private @Nullable KeyValueStore<Bytes, byte[]> store;

    KafkaStore(ProgramSetup setup) {
        this.setup = setup;
        this.value = new byte[setup.valueBytes()];
        Arrays.fill(value, (byte) 'v');
        this.context = new KafkaContext(setup.directory().toFile());
    }

    @Override
    public long open(long lent) throws IOException {
        if (store != null) {
            store.close();
        }
        Directories.delete(setup.directory());
        Files.createDirectories(setup.directory());
        KeyValueStore<Bytes, byte[]> opened = Stores.persistentKeyValueStore("store").get();
        opened.init(context.restorable(), opened);
        if (!setup.is().isWriting()) {
            for (int i = 0; i < setup.keys(); i++) {
                opened.put(key(i), value);
            }
            opened.commit(Map.of());
        }
        store = opened;
        return NOT_LENT;
    }

    @Override
    public Side.Work work(int operations) {
        RandomIndexes random = new RandomIndexes();
        return seed -> {
            random.restart(seed);
            long sum = 0;
            for (int i = 0; i < operations; i++) {
                sum += once(Objects.requireNonNull(store), random);
                if (setup.is() == DropinOperation.STORE_ALL) {
                    break;
                }
            }
            return sum;
        };
    }

    private long once(KeyValueStore<Bytes, byte[]> of, RandomIndexes random) {
        int records = setup.is().records();
        switch (setup.is()) {
            case STORE_GET -> {
                return of.get(key(random.next(setup.keys()))).length;
            }
            case STORE_ALL -> {
                return read(of.all());
            }
            case STORE_RANGE -> {
                long from = random.next(setup.keys() - records);
                return read(of.range(key(from), key(from + records - 1)));
            }
            case STORE_RESTORE -> {
                List<ConsumerRecord<byte[], byte[]>> changes = new ArrayList<>(records);
                for (int i = 0; i < records; i++) {
                    changes.add(new ConsumerRecord<>("changes", 0, i, key(random.next(setup.keys())).get(), value));
                }
                context.restore(changes);
            }
            default -> {
                for (int i = 0; i < records; i++) {
                    of.put(key(random.next(setup.keys())), value);
                }
                if (setup.is() == DropinOperation.STORE_FLUSH) {
                    of.commit(Map.of());
                }
            }
        }
        return records;
    }

    private static long read(KeyValueIterator<Bytes, byte[]> entries) {
        long sum = 0;
        try (entries) {
            while (entries.hasNext()) {
                KeyValue<Bytes, byte[]> entry = entries.next();
                sum += entry.key.get().length + entry.value.length;
            }
        }
        return sum;
    }

    private static Bytes key(long index) {
        byte[] key = Keys.first(ProgramSetup.KEY_BYTES);
        Keys.set(key, index);
        return Bytes.wrap(key);
    }
}
