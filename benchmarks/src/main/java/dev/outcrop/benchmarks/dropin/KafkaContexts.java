package dev.outcrop.benchmarks.dropin;

import java.io.File;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.apache.kafka.streams.processor.TaskId;
import org.apache.kafka.streams.processor.api.MockProcessorContext;

/** What Kafka's stores are opened in when no application runs. */
final class KafkaContexts {
    private KafkaContexts() {
    }

    static StateStoreContext in(File directory) {
        Properties properties = new Properties();
        properties.setProperty(StreamsConfig.APPLICATION_ID_CONFIG, "dropin");
        properties.setProperty(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "localhost:1");
        return new MockProcessorContext<Void, Void>(properties, new TaskId(0, 0), directory).getStateStoreContext();
    }
}
