package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** The store in which Kafka Streams keeps a table, with Kafka's own options. */
final class KafkaStore implements Program {
    private static final int FLUSHED = 100;
    private static final int RANGE = 20;

    private final Setup setup;
    private final RandomIndexes random = new RandomIndexes();
    private final byte[] value;
    private @Nullable KeyValueStore<Bytes, byte[]> store;

    KafkaStore(Setup setup) {
        this.setup = setup;
        this.value = new byte[setup.valueBytes()];
        Arrays.fill(value, (byte) 'v');
        if (!setup.is().isWriting()) {
            store = open();
            for (int i = 0; i < setup.keys(); i++) {
                store.put(key(i), value);
            }
            store.commit(Map.of());
        }
    }

    private KeyValueStore<Bytes, byte[]> open() {
        try {
            Files.createDirectories(setup.directory());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
        KeyValueStore<Bytes, byte[]> opened = Stores.persistentKeyValueStore("store").get();
        opened.init(KafkaContexts.in(setup.directory().toFile()), opened);
        return opened;
    }

    @Override
    public void renew() {
        if (setup.is().isWriting()) {
            if (store != null) {
                store.close();
            }
            Directories.delete(setup.directory());
            store = open();
        }
    }

    @Override
    public long run(long seed) {
        random.restart(seed);
        KeyValueStore<Bytes, byte[]> of = Objects.requireNonNull(store);
        long sum = 0;
        for (int i = 0; i < setup.operations(); i++) {
            switch (setup.is()) {
                case STORE_PUT -> of.put(key(random.next(setup.keys())), value);
                case STORE_GET -> sum += of.get(key(random.next(setup.keys()))).length;
                case STORE_FLUSH -> {
                    for (int record = 0; record < FLUSHED; record++) {
                        of.put(key(random.next(setup.keys())), value);
                    }
                    of.commit(Map.of());
                }
                case STORE_RANGE -> {
                    long from = random.next(setup.keys() - RANGE);
                    sum += read(of.range(key(from), key(from + RANGE - 1)));
                }
                case STORE_ALL -> {
                    return read(of.all());
                }
                default -> throw new IllegalStateException(setup.operation());
            }
        }
        return sum == 0 ? setup.operations() : sum;
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
        byte[] key = Keys.first(Setup.KEY_BYTES);
        Keys.set(key, index);
        return Bytes.wrap(key);
    }
}
