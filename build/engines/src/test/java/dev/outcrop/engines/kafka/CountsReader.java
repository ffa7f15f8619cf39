package dev.outcrop.engines.kafka;

import dev.outcrop.testsupport.ChildJvm;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.LongDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** Follows the counts that an application has committed. */
final class CountsReader implements AutoCloseable {
    private final KafkaConsumer<String, Long> consumer;
    private final Map<String, Long> counts = new TreeMap<>();
    private long total;

    CountsReader(String address, String topic) {
        consumer = new KafkaConsumer<>(
                Map.of("bootstrap.servers", address, "isolation.level", "read_committed", "auto.offset.reset",
                        "earliest", "enable.auto.commit", "false"),
                new StringDeserializer(), new LongDeserializer());
        consumer.assign(
                consumer.partitionsFor(topic).stream().map(one -> new TopicPartition(topic, one.partition())).toList());
    }

    /** Reads until the application has counted so many words, or is dead. */
    void readUntil(long words, Process application) throws InterruptedException {
        long deadline = System.nanoTime() + Duration.ofSeconds(ChildJvm.MOST_SECONDS).toNanos();
        while (total < words) {
            for (ConsumerRecord<String, Long> record : consumer.poll(Duration.ofMillis(100))) {
                Long before = counts.put(record.key(), record.value());
                long more = record.value() - (before == null ? 0 : before);
                if (more <= 0) {
                    throw new AssertionError(
                            record.key() + " was counted twice: " + before + ", then " + record.value());
                }
                total += more;
            }
            if (total < words && !application.isAlive()) {
                throw new AssertionError("the application has ended: " + application.exitValue());
            }
            if (System.nanoTime() > deadline) {
                ChildJvm.dumpThreads(application);
                throw new AssertionError("the application hangs after " + total + " words");
            }
        }
    }

    Map<String, Long> counts() {
        return counts;
    }

    @Override
    public void close() {
        consumer.close();
    }
}
