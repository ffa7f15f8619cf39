package dev.outcrop.benchmarks.dropin;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Objects;
import java.util.Properties;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;
import org.apache.kafka.streams.processor.internals.RecordBatchingStateRestoreCallback;
import org.jspecify.annotations.Nullable;

/** What Kafka's stores are opened in when no application runs. */
final class KafkaContext {
    private final StateStoreContext delegate;
    private @Nullable RecordBatchingStateRestoreCallback restorer;

    KafkaContext(File directory) {
        Properties properties = new Properties();
        properties.setProperty(StreamsConfig.APPLICATION_ID_CONFIG, "dropin");
        properties.setProperty(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        delegate = new MockProcessorContext<Void, Void>(properties, new TaskId(0, 0), directory).getStateStoreContext();
    }

    /** To be given to a store. */
    StateStoreContext plain() {
        return delegate;
    }

    /** To be given to a store that looks no further, and says by what it is restored. */
    StateStoreContext restorable() {
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

    /** Gives the store what it had written before. */
    void restore(Collection<ConsumerRecord<byte[], byte[]>> changes) {
        Objects.requireNonNull(restorer).restoreBatch(changes);
    }
}
