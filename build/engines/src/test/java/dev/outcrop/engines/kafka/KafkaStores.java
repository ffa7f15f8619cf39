package dev.outcrop.engines.kafka;

import static org.apache.kafka.streams.state.Stores.*;

import java.time.Duration;
import java.util.List;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Windowed;
import org.apache.kafka.streams.kstream.internals.SessionWindow;
import org.apache.kafka.streams.processor.StateStore;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.processor.api.ProcessorContext;
import org.apache.kafka.streams.processor.api.Record;
import org.apache.kafka.streams.processor.internals.metrics.StreamsMetricsImpl;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.SessionStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.TimestampedKeyValueStore;
import org.apache.kafka.streams.state.TimestampedKeyValueStoreWithHeaders;
import org.apache.kafka.streams.state.TimestampedWindowStore;
import org.apache.kafka.streams.state.ValueAndTimestamp;
import org.apache.kafka.streams.state.ValueTimestampHeaders;
import org.apache.kafka.streams.state.VersionedKeyValueStore;
import org.apache.kafka.streams.state.WindowStore;

/** A topology whose one processor writes each record into a store of every kind. An empty value deletes. */
final class KafkaStores {
    static final Duration RETENTION = Duration.ofHours(2);
    static final Duration WINDOW = Duration.ofMinutes(1);

    private KafkaStores() {
    }

    /** @param upgraded whether the store "upgraded" keeps timestamps, so that a directory without them is opened in a new format */
    static Topology topology(boolean cached, boolean upgraded) {
        Serde<String> strings = Serdes.String();
        List<StoreBuilder<?>> builders = List.of(
                keyValueStoreBuilder(persistentKeyValueStore("keys"), strings, strings),
                timestampedKeyValueStoreBuilder(persistentTimestampedKeyValueStore("timestamped"), strings, strings),
                timestampedKeyValueStoreWithHeadersBuilder(persistentTimestampedKeyValueStoreWithHeaders("headers"),
                        strings, strings),
                windowStoreBuilder(persistentWindowStore("windows", RETENTION, WINDOW, false), strings, strings),
                timestampedWindowStoreBuilder(
                        persistentTimestampedWindowStore("twindows", RETENTION, WINDOW, false), strings, strings),
                sessionStoreBuilder(persistentSessionStore("sessions", RETENTION), strings, strings),
                timestampedKeyValueStoreBuilder(
                        upgraded ? persistentTimestampedKeyValueStore("upgraded") : persistentKeyValueStore("upgraded"),
                        strings, strings));
        Topology topology = new Topology();
        topology.addSource("source", strings.deserializer(), strings.deserializer(), "input");
        topology.addProcessor("writer", Writer::new, "source");
        topology.addSink("sink", "output", strings.serializer(), strings.serializer(), "writer");
        builders.forEach(builder -> add(topology, builder, cached));
        // It cannot be cached.
        topology.addStateStore(
                versionedKeyValueStoreBuilder(persistentVersionedKeyValueStore("versions", RETENTION), strings,
                        strings),
                "writer");
        return topology;
    }

    private static <S extends StateStore> void add(Topology topology, StoreBuilder<S> builder, boolean cached) {
        topology.addStateStore(cached ? builder.withCachingEnabled() : builder.withCachingDisabled(), "writer");
    }

    private static final class Writer implements Processor<String, String, String, String> {
        private ProcessorContext<String, String> context;

        @Override
        public void init(ProcessorContext<String, String> given) {
            context = given;
        }

        @Override
        public void process(Record<String, String> record) {
            String key = record.key();
            String value = record.value().isEmpty() ? null : record.value();
            long time = record.timestamp();
            if (key.equals("metrics")) {
                // Kafka's own thread would do it once a minute.
                ((StreamsMetricsImpl) context.metrics()).rocksDBMetricsRecordingTrigger().run();
                return;
            }
            KeyValueStore<String, String> keys = context.getStateStore("keys");
            String before = keys.get(key);
            keys.put(key, value);
            ValueAndTimestamp<String> stamped = ValueAndTimestamp.make(value, time);
            TimestampedKeyValueStore<String, String> timestamped = context.getStateStore("timestamped");
            timestamped.put(key, stamped);
            if (value != null) {
                timestamped.putIfAbsent("first " + key, stamped);
            }
            TimestampedKeyValueStore<String, String> upgraded = context.getStateStore("upgraded");
            upgraded.put(key, stamped);
            TimestampedKeyValueStoreWithHeaders<String, String> headers = context.getStateStore("headers");
            headers.put(key, ValueTimestampHeaders.make(value, time, record.headers()));
            WindowStore<String, String> windows = context.getStateStore("windows");
            long start = time - time % WINDOW.toMillis();
            windows.put(key, value, start);
            TimestampedWindowStore<String, String> twindows = context.getStateStore("twindows");
            twindows.put(key, stamped, start);
            sessions(context.getStateStore("sessions"), key, value, time);
            VersionedKeyValueStore<String, String> versions = context.getStateStore("versions");
            versions.put(key, value, time);
            context.forward(record.withValue(before == null ? "new" : before));
        }

        private static void sessions(SessionStore<String, String> store, String key, String value, long time) {
            long gap = WINDOW.toMillis();
            long start = time;
            long end = time;
            String joined = value;
            try (var found = store.findSessions(key, time - gap, time + gap)) {
                while (found.hasNext()) {
                    var session = found.next();
                    start = Math.min(start, session.key.window().start());
                    end = Math.max(end, session.key.window().end());
                    joined = joined == null ? null : session.value + "+" + joined;
                    store.remove(session.key);
                }
            }
            store.put(new Windowed<>(key, new SessionWindow(start, end)), joined);
        }
    }
}
