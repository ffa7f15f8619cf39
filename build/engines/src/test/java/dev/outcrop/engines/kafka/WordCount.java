package dev.outcrop.engines.kafka;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.utils.Bytes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.StoreQueryParameters;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.Materialized;
import org.apache.kafka.streams.kstream.Produced;
import org.apache.kafka.streams.kstream.Repartitioned;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.QueryableStoreTypes;
import org.apache.kafka.streams.state.ReadOnlyKeyValueStore;

/**
 * Counts the words of the lines in a topic, each line exactly once, and writes each new count to another topic.
 *
 * <p>Arguments: the broker's address, the application's name, its state directory, after how many words it becomes slow.
 *
 * <p>It prints {@code running on}, a space and where its classes come from. It reads orders from its input: {@code counts} and a file,
 * which it writes all counts to; {@code close}. It answers each with a line. When its input ends, so does it.
 */
final class WordCount {
    static final String LINES = "lines";

    private WordCount() {
    }

    static String countsOf(String application) {
        return application + "-counts";
    }

    public static void main(String[] args) throws IOException {
        System.out.println("running on " + RocksDbJar.runningOn());
        AtomicInteger left = new AtomicInteger(Integer.parseInt(args[3]));
        try (KafkaStreams streams = new KafkaStreams(topology(args[1], left).build(), properties(args))) {
            streams.setUncaughtExceptionHandler((Throwable failure) -> {
                failure.printStackTrace();
                Runtime.getRuntime().halt(1);
                throw new AssertionError(failure);
            });
            streams.start();
            var orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String order = orders.readLine(); order != null; order = orders.readLine()) {
                if (order.equals("close")) {
                    if (!streams.close(Duration.ofMinutes(2))) {
                        throw new AssertionError("it cannot be closed");
                    }
                    System.out.println("closed");
                    return;
                }
                write(streams, Path.of(order.substring("counts ".length())));
                System.out.println("written");
            }
            Runtime.getRuntime().halt(2);
        }
    }

    private static StreamsBuilder topology(String application, AtomicInteger left) {
        StreamsBuilder builder = new StreamsBuilder();
        builder.stream(LINES, Consumed.with(Serdes.String(), Serdes.String()))
                .flatMapValues(line -> List.of(line.split(" ", -1)))
                .selectKey((_, word) -> word)
                .repartition(Repartitioned.with(Serdes.String(), Serdes.String()))
                .peek((_, _) -> slowDown(left))
                .groupByKey()
                .count(Materialized.<String, Long, KeyValueStore<Bytes, byte[]>>as("counts")
                        .withKeySerde(Serdes.String()).withValueSerde(Serdes.Long()))
                .toStream().to(countsOf(application), Produced.with(Serdes.String(), Serdes.Long()));
        return builder;
    }

    /**
     * Slow after a while, so that an application can be killed before it is done, on any machine. Not where lines are split: the words
     * of lines that were split before would be counted by the same thread, and wait.
     */
    private static void slowDown(AtomicInteger left) {
        if (left.decrementAndGet() < 0) {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static Properties properties(String[] args) {
        Properties properties = new Properties();
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, args[0]);
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, args[1]);
        properties.put(StreamsConfig.STATE_DIR_CONFIG, args[2]);
        properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        properties.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
        properties.put(StreamsConfig.NUM_STREAM_THREADS_CONFIG, 2);
        properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 100_000L);
        properties.put(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "DEBUG");
        properties.put(StreamsConfig.consumerPrefix(ConsumerConfig.MAX_POLL_RECORDS_CONFIG), 200);
        // The open transaction of a killed application blocks its successor until then, if the successor does not have its state.
        properties.put(StreamsConfig.producerPrefix(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG), 5000);
        // A static member comes back at once; others must wait until the broker misses the one that was killed.
        properties.put(StreamsConfig.mainConsumerPrefix(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG), "only");
        return properties;
    }

    private static void write(KafkaStreams streams, Path file) throws IOException {
        ReadOnlyKeyValueStore<String, Long> store = streams
                .store(StoreQueryParameters.fromNameAndType("counts", QueryableStoreTypes.keyValueStore()));
        Map<String, Long> counts = new TreeMap<>();
        try (var all = store.all()) {
            all.forEachRemaining(count -> counts.put(count.key, count.value));
        }
        Files.write(file, counts.entrySet().stream().map(count -> count.getKey() + "\t" + count.getValue()).toList());
    }
}
