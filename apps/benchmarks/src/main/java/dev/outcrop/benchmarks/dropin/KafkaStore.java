package dev.outcrop.benchmarks.dropin;

import dev.outcrop.benchmarks.harness.Directories;
import dev.outcrop.benchmarks.harness.Keys;
import dev.outcrop.benchmarks.harness.RandomIndexes;
import dev.outcrop.benchmarks.harness.Side;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.Stores;
import org.jspecify.annotations.Nullable;

/** The store for tables of Kafka Streams, with Kafka's own options. */
final class KafkaStore implements DropinProgram {
    private final DropinCase.DropinWorkload workload = DropinCase.DropinWorkload.current();
    private final DropinOperation operation = workload.operation();
    private final Path directory;
    private final byte[] value = workload.value();
    private @Nullable RecordBatchingStateRestoreCallback restorer;
    private @Nullable KeyValueStore<Bytes, byte[]> store;

    KafkaStore(Path directory) {
        this.directory = directory;
    }

    /** Returns a context in which a store can be opened without an application. */
    static StateStoreContext context(Path directory) {
        Properties properties = new Properties();
        properties.setProperty(StreamsConfig.APPLICATION_ID_CONFIG, "dropin");
        properties.setProperty(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        return new MockProcessorContext<Void, Void>(properties, new TaskId(0, 0), directory.toFile())
                .getStateStoreContext();
    }

    /** Returns a context that also takes the callback that restores the store. */
    private StateStoreContext restorableContext() {
        StateStoreContext delegate = context(directory);
        return (StateStoreContext) Proxy.newProxyInstance(StateStoreContext.class.getClassLoader(),
                new Class<?>[]{StateStoreContext.class}, (_, method, arguments) -> {
                    if (arguments != null && arguments.length > 1
                            && arguments[1] instanceof RecordBatchingStateRestoreCallback callback) {
                        restorer = callback;
                    }
                    try {
                        return method.invoke(delegate, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Override
    public long open(long lent) throws IOException {
        if (store != null) {
            store.close();
        }
        Directories.delete(directory);
        Files.createDirectories(directory);
        KeyValueStore<Bytes, byte[]> opened = Stores.persistentKeyValueStore("store").get();
        opened.init(restorableContext(), opened);
        if (!operation.isWriting()) {
            for (int i = 0; i < workload.keys(); i++) {
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
                if (operation == DropinOperation.STORE_ALL) {
                    break;
                }
            }
            return sum;
        };
    }

    private long once(KeyValueStore<Bytes, byte[]> of, RandomIndexes random) {
        int records = operation.records();
        switch (operation) {
            case STORE_GET -> {
                return of.get(key(random.next(workload.keys()))).length;
            }
            case STORE_ALL -> {
                return read(of.all());
            }
            case STORE_RANGE -> {
                long from = random.next(workload.keys() - records);
                return read(of.range(key(from), key(from + records - 1)));
            }
            case STORE_RESTORE -> {
                List<ConsumerRecord<byte[], byte[]>> changes = new ArrayList<>(records);
                for (int i = 0; i < records; i++) {
                    changes.add(new ConsumerRecord<>("changes", 0, i, key(random.next(workload.keys())).get(), value));
                }
                Objects.requireNonNull(restorer).restoreBatch(changes);
            }
            default -> {
                for (int i = 0; i < records; i++) {
                    of.put(key(random.next(workload.keys())), value);
                }
                if (operation == DropinOperation.STORE_FLUSH) {
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

    static Bytes key(long index) {
        byte[] key = Keys.first(DropinCase.KEY_BYTES);
        Keys.set(key, index);
        return Bytes.wrap(key);
    }
}
