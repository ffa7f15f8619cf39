package dev.outcrop.engines.kafka;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;
import java.util.Properties;
import java.util.Random;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.TestInputTopic;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.state.KeyValueIterator;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.WindowStore;

/**
 * Writes into Kafka's stores, with Kafka's cache and without, and prints all that can be read from them; the transcript is the same in each
 * run. Then it prints {@code filled}. When it is told to go on, by a line, it does the same with stores that were filled by another run, and
 * prints {@code done}.
 *
 * <p>Arguments: the state directory, that of the other run, how many records.
 */
final class StoresProgram {
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), false,
            StandardCharsets.UTF_8);
    /** Kafka's cache of sessions looks through all time since 1970. */
    private static final Instant START = Instant.parse("1970-02-01T00:00:00Z");

    private StoresProgram() {
    }

    public static void main(String[] args) throws IOException {
        OUT.println(RocksDbJar.runningOn());
        int records = Integer.parseInt(args[2]);
        both(Path.of(args[0]), false, records);
        OUT.println("filled");
        OUT.flush();
        if (System.in.read() >= 0) {
            both(Path.of(args[1]), true, records);
            OUT.println("done");
            OUT.flush();
        }
        // The drivers' other parts are not closed.
        Runtime.getRuntime().halt(0);
    }

    private static void both(Path state, boolean reopen, int records) {
        for (boolean cached : new boolean[]{false, true}) {
            OUT.println((reopen ? "reopen" : "fill") + (cached ? " cached" : " plain"));
            one(state.resolve(cached ? "cached" : "plain"), cached, reopen, records);
        }
    }

    private static void one(Path state, boolean cached, boolean reopen, int records) {
        Properties properties = properties(state.toString());
        TopologyTestDriver driver = new TopologyTestDriver(KafkaStores.topology(cached, reopen), properties, START);
        TestInputTopic<String, String> input = driver.createInputTopic("input", new StringSerializer(),
                new StringSerializer());
        if (reopen) {
            readAll(driver, cached, "as it was closed");
        }
        write(driver, input, new Random(reopen ? 2 : 1), reopen ? records / 4 : records);
        readAll(driver, cached, "after the writes");
        if (!cached) {
            deletes(driver.getKeyValueStore("keys"));
        }
        input.pipeInput("metrics", "", last(records));
        RocksDbMetrics.lines(driver.metrics().values()).forEach(OUT::println);
        if (reopen) {
            driver.close();
        } else {
            // Not by the driver, which would delete the state.
            driver.getAllStateStores().values().forEach(StateStore::close);
        }
        UserOptions.report().forEach(OUT::println);
    }

    private static Properties properties(String directory) {
        Properties properties = new Properties();
        properties.put(StreamsConfig.APPLICATION_ID_CONFIG, "stores");
        properties.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, "nowhere:1");
        properties.put(StreamsConfig.STATE_DIR_CONFIG, directory);
        properties.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        properties.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
        properties.put(StreamsConfig.METRICS_RECORDING_LEVEL_CONFIG, "DEBUG");
        properties.put(StreamsConfig.ROCKSDB_CONFIG_SETTER_CLASS_CONFIG, UserOptions.class);
        properties.put(StreamsConfig.STATESTORE_CACHE_MAX_BYTES_CONFIG, 20_000L);
        return properties;
    }

    private static Instant last(int records) {
        return START.plusSeconds(records);
    }

    private static void write(TopologyTestDriver driver, TestInputTopic<String, String> input, Random random,
            int records) {
        var output = driver.createOutputTopic("output", new StringDeserializer(), new StringDeserializer());
        for (int i = 0; i < records; i++) {
            String key = String.format("key %04d", random.nextInt(records / 5));
            String value = random.nextInt(8) == 0 ? "" : "value " + i + " " + "é".repeat(random.nextInt(60));
            // Some come late.
            input.pipeInput(key, value, START.plusSeconds(Math.max(0, i - random.nextInt(30))));
        }
        output.readRecordsToList().forEach(record -> OUT.println("forwarded " + record));
    }

    private static void readAll(TopologyTestDriver driver, boolean cached, String when) {
        OUT.println("stores " + when);
        keyValues(driver.getKeyValueStore("keys"), "keys");
        keyValues(driver.getTimestampedKeyValueStore("timestamped"), "timestamped");
        keyValues(driver.getTimestampedKeyValueStoreWithHeaders("headers"), "headers");
        keyValues(driver.getTimestampedKeyValueStore("upgraded"), "upgraded");
        windows(driver.getWindowStore("windows"), "windows");
        windows(driver.getTimestampedWindowStore("twindows"), "twindows");
        sessions(driver.getSessionStore("sessions"), cached);
        versions(driver.getVersionedKeyValueStore("versions"));
    }

    private static <V> void keyValues(KeyValueStore<String, V> store, String name) {
        print(name + " all", store.all());
        print(name + " reverse", store.reverseAll());
        print(name + " range", store.range("key 0010", "key 0030"));
        print(name + " from", store.range("key 0100", null));
        print(name + " to", store.range(null, "key 0009"));
        print(name + " reverse range", store.reverseRange("key 0010", "key 0030"));
        print(name + " prefix", store.prefixScan("key 00", new StringSerializer()));
        print(name + " nothing", store.range("x", "y"));
        for (int i = 0; i < 40; i++) {
            String key = String.format("key %04d", i);
            OUT.println(name + " get " + key + " " + store.get(key));
        }
        OUT.println(name + " has entries " + (store.approximateNumEntries() > 0));
    }

    private static <V> void windows(WindowStore<String, V> store, String name) {
        Instant from = START.plusSeconds(60);
        Instant to = START.plusSeconds(600);
        print(name + " all", store.all());
        print(name + " backward", store.backwardAll());
        print(name + " fetch", store.fetch("key 0003", from, to));
        print(name + " fetch backward", store.backwardFetch("key 0003", from, to));
        print(name + " fetch keys", store.fetch("key 0003", "key 0020", from, to));
        print(name + " fetch keys backward", store.backwardFetch("key 0003", "key 0020", from, to));
        print(name + " fetch all", store.fetchAll(from, to));
        print(name + " fetch all backward", store.backwardFetchAll(from, to));
        OUT.println(name + " one " + store.fetch("key 0003", START.toEpochMilli()));
    }

    private static void sessions(SessionStore<String, String> store, boolean cached) {
        long from = START.toEpochMilli();
        long to = START.plusSeconds(900).toEpochMilli();
        for (String key : new String[]{"key 0000", "key 0003", "key 0017"}) {
            print("sessions " + key, store.fetch(key));
            if (!cached) {
                // Kafka's cache asks for a session that begins before 1970.
                print("sessions backward " + key, store.backwardFetch(key));
                print("sessions found backward " + key, store.backwardFindSessions(key, from, to));
            }
            print("sessions found " + key, store.findSessions(key, from, to));
        }
        print("sessions keys", store.fetch("key 0003", "key 0020"));
        print("sessions found keys", store.findSessions("key 0003", "key 0020", from, to));
        print("sessions backward keys", store.backwardFindSessions("key 0003", "key 0020", from, to));
    }

    private static void versions(VersionedKeyValueStore<String, String> store) {
        for (int i = 0; i < 60; i++) {
            String key = String.format("key %04d", i);
            OUT.println("versions " + key + " " + store.get(key));
            for (int seconds = 0; seconds < 2000; seconds += 100) {
                OUT.println("versions " + key + " at " + seconds + " "
                        + store.get(key, START.plusSeconds(seconds).toEpochMilli()));
            }
        }
    }

    private static void deletes(KeyValueStore<String, String> store) {
        for (int i = 0; i < 20; i++) {
            OUT.println("deleted " + store.delete(String.format("key %04d", i)));
        }
        // Reads a range that changes under its iterator.
        try (KeyValueIterator<String, String> all = store.all()) {
            while (all.hasNext()) {
                String peeked = all.peekNextKey();
                String key = all.next().key;
                if (!peeked.equals(key)) {
                    throw new AssertionError(peeked + " was peeked, " + key + " came");
                }
                if (key.endsWith("5")) {
                    store.delete(key);
                }
            }
        }
        print("left", store.all());
        // Leaked: closing the store must close it.
        OUT.println("leaked " + store.all().next());
    }

    private static <T> void print(String what, Iterator<T> rows) {
        int count = 0;
        while (rows.hasNext()) {
            OUT.println(what + " " + rows.next());
            count++;
        }
        OUT.println(what + " rows " + count);
        if (rows instanceof KeyValueIterator<?, ?> iterator) {
            iterator.close();
        }
    }
}
