package dev.outcrop.engines.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.TestSize;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application of Kafka Streams that keeps its state in RocksDB counts each word once, though it is killed again and again. */
class WordCountTest {
    private static final Words WORDS = Words.ofTheClassPath(TestSize.choose("outcrop.kafka.repeat", 1, 20),
            TestSize.choose("outcrop.kafka.stride", 5, 1));
    /** Fast until then; what is left takes it longer than anybody waits to kill it. */
    private static final int FAST_WORDS = Math.toIntExact(WORDS.total() / 4);

    @TempDir
    static Path shared;

    private static Program broker;
    private static String address;

    @TempDir
    Path directory;

    @BeforeAll
    static void startBroker() throws Exception {
        IOException failure = null;
        // Another process may have taken a port that was free.
        for (int i = 0; i < 3 && address == null; i++) {
            broker = new Program(RocksDbJar.PUBLISHED.jvm().start(Broker.class, shared.resolve("broker" + i)));
            try {
                address = broker.answer("listening ");
            } catch (IOException e) {
                broker.close();
                failure = e;
            }
        }
        if (address == null) {
            throw failure;
        }
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", address))) {
            admin.createTopics(List.of(new NewTopic(WordCount.LINES, 3, (short) 1),
                    new NewTopic(WordCount.countsOf("published"), 2, (short) 1),
                    new NewTopic(WordCount.countsOf("ours"), 2, (short) 1))).all().get();
        }
        // One request at a time: if a partition refuses the first because it is so new, and takes the second, it takes the first no longer.
        Map<String, Object> properties = Map.of("bootstrap.servers", address, "linger.ms", 50,
                "max.in.flight.requests.per.connection", 1);
        try (var producer = new KafkaProducer<>(properties, new StringSerializer(), new StringSerializer())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>();
            for (String line : WORDS.lines()) {
                sent.add(producer.send(new ProducerRecord<>(WordCount.LINES, line)));
            }
            for (Future<RecordMetadata> one : sent) {
                one.get();
            }
        }
    }

    @AfterAll
    static void endBroker() {
        if (broker != null) {
            broker.close();
        }
    }

    @Test
    @Tag("verify")
    void countsEachWordOnceOnOurs() throws Exception {
        countsEachWordOnce(RocksDbJar.OURS);
    }

    /** Or else the application is wrong. */
    @Test
    @Tag("nightly")
    void countsEachWordOnceOnThePublishedJar() throws Exception {
        countsEachWordOnce(RocksDbJar.PUBLISHED);
    }

    private void countsEachWordOnce(RocksDbJar jar) throws Exception {
        assertThat(WORDS.total()).isGreaterThan(TestSize.isNightly() ? 100_000 : 20_000);
        Path state = directory.resolve("state");
        Path counts = directory.resolve("counts.tsv");
        String name = jar.name().toLowerCase(Locale.ROOT);
        try (CountsReader reader = new CountsReader(address, WordCount.countsOf(name))) {
            try (Program application = start(jar, name, state, FAST_WORDS)) {
                reader.readUntil(WORDS.total() / 5, application.process());
                application.kill();
            }
            assertThat(state).isNotEmptyDirectory();
            if (TestSize.isNightly()) {
                try (Program application = start(jar, name, state, FAST_WORDS)) {
                    reader.readUntil(WORDS.total() * 2 / 5, application.process());
                    application.kill();
                }
                // All that it has is in Kafka's topic of changes then, as after a kill, for it does not know which state is whole.
                delete(state);
            }
            try (Program application = start(jar, name, state, FAST_WORDS)) {
                reader.readUntil(WORDS.total() * (TestSize.isNightly() ? 3 : 2) / 5, application.process());
                application.order("close");
                application.answer("closed");
            }
            try (Program application = start(jar, name, state, Integer.MAX_VALUE)) {
                reader.readUntil(WORDS.total(), application.process());
                application.order("counts " + counts);
                application.answer("written");
                application.order("close");
                application.answer("closed");
            }
            assertThat(reader.counts()).isEqualTo(WORDS.counts());
        }
        assertThat(read(counts)).isEqualTo(WORDS.counts());
    }

    private static Program start(RocksDbJar jar, String name, Path state, int fastWords) throws Exception {
        Program application = new Program(jar.jvm().start(WordCount.class, address, name, state, fastWords));
        assertThat(application.answer("running on ")).isEqualTo(jar.expected());
        return application;
    }

    private static Map<String, Long> read(Path counts) throws IOException {
        Map<String, Long> read = new TreeMap<>();
        for (String line : Files.readAllLines(counts)) {
            int tab = line.indexOf('\t');
            assertThat(read.put(line.substring(0, tab), Long.valueOf(line.substring(tab + 1)))).as(line).isNull();
        }
        return read;
    }

    private static void delete(Path directory) throws IOException {
        try (var paths = Files.walk(directory)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
