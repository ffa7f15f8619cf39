package dev.outcrop.rocksdbjni;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.rocksdb.Checkpoint;
import org.rocksdb.FlinkCompactionFilter.Config;
import org.rocksdb.FlinkCompactionFilter.FlinkCompactionFilterFactory;
import org.rocksdb.FlinkCompactionFilter.StateType;
import org.rocksdb.InfoLogLevel;
import org.rocksdb.Logger;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/** Two things that Flink needs: a filter of expired state, and checkpoints without empty files. */
class FlinkCompactionFilterTest extends DatabaseTest {
    private static final long TTL = 10;

    private final AtomicLong now = new AtomicLong(1000);
    private final AtomicLong asked = new AtomicLong();

    private FlinkCompactionFilterFactory factory() {
        return closeLater(new FlinkCompactionFilterFactory(() -> {
            asked.incrementAndGet();
            return now.get();
        }));
    }

    private RocksDB open(FlinkCompactionFilterFactory factory) throws RocksDBException {
        Options options = closeLater(new Options()).setCreateIfMissing(true).setCompactionFilterFactory(factory);
        return closeLater(RocksDB.open(options, path()));
    }

    /** Returns an element with its time and a text of one byte, after a prefix. */
    private static String timed(String prefix, long time, String text) {
        return prefix + new String(ByteBuffer.allocate(8).putLong(time).array(), ISO_8859_1) + text;
    }

    private static void put(RocksDB db, String key, String value) throws RocksDBException {
        db.put(b(key), value.getBytes(ISO_8859_1));
    }

    private static List<String> compacted(RocksDB db) throws RocksDBException {
        db.compactRange();
        List<String> entries = new ArrayList<>();
        try (RocksIterator iterator = db.newIterator()) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                entries.add(new String(iterator.key(), ISO_8859_1) + "=" + new String(iterator.value(), ISO_8859_1));
            }
        }
        return entries;
    }

    @Test
    void valuesStayUntilTheirTimeToLiveIsOver() throws RocksDBException {
        FlinkCompactionFilterFactory factory = factory();
        RocksDB db = open(factory);
        put(db, "kept", timed("", 991, "a"));
        put(db, "new", timed("", Long.MAX_VALUE - 1, "a"));
        put(db, "old", timed("", 990, "a"));
        put(db, "before", timed("", -5, "a"));
        put(db, "short", "1234567");
        assertThat(compacted(db)).as("before it is configured").hasSize(5);

        factory.configure(Config.createForValue(TTL, 1));
        put(db, "again", timed("", 0, "a"));
        assertThat(compacted(db)).containsExactly("kept=" + timed("", 991, "a"),
                "new=" + timed("", Long.MAX_VALUE - 1, "a"), "short=1234567");
        now.set(1001);
        put(db, "other", "1234567");
        assertThat(compacted(db)).extracting(entry -> entry.substring(0, 3)).containsExactly("new", "oth", "sho");
    }

    @Test
    void entriesOfMapsHaveAByteBeforeTheTime() throws RocksDBException {
        FlinkCompactionFilterFactory factory = factory();
        factory.configure(Config.createForMap(TTL, 1));
        RocksDB db = open(factory);
        put(db, "kept", timed("\1", 991, "a"));
        put(db, "old", timed("\1", 990, "a"));
        put(db, "short", "12345678");
        assertThat(compacted(db)).containsExactly("kept=" + timed("\1", 991, "a"), "short=12345678");
    }

    @Test
    void listsLoseTheirFirstElements() throws RocksDBException {
        FlinkCompactionFilterFactory factory = factory();
        factory.configure(Config.createForFixedElementList(TTL, 1, 9));
        RocksDB db = open(factory);
        put(db, "all", timed("", 1, "a") + timed("", 2, "b"));
        put(db, "first", timed("", 1, "a") + timed("", 990, "b") + timed("", 991, "c") + timed("", 1, "d"));
        put(db, "none", timed("", 995, "a") + timed("", 1, "b"));
        put(db, "part", timed("", 1, "a") + "123");
        assertThat(compacted(db)).containsExactly("first=" + timed("", 991, "c") + timed("", 1, "d"),
                "none=" + timed("", 995, "a") + timed("", 1, "b"), "part=123");
    }

    @Test
    void listsOfElementsOfAnyLengthAreAskedFor() throws RocksDBException {
        FlinkCompactionFilterFactory factory = factory();
        List<String> calls = new ArrayList<>();
        factory.configure(Config.createForList(TTL, 1, () -> (list, ttl, time) -> {
            calls.add(list.length + " " + ttl + " " + time);
            return list[8] - '0';
        }));
        RocksDB db = open(factory);
        put(db, "all", timed("", 1, "9"));
        put(db, "kept", timed("", 1, "0"));
        put(db, "not asked", timed("", 991, "9"));
        put(db, "some", timed("", 1, "8"));
        assertThat(compacted(db)).containsExactly("kept=" + timed("", 1, "0"), "not asked=" + timed("", 991, "9"),
                "some=8");
        assertThat(calls).containsOnly("9 10 1000").hasSize(3);
    }

    @Test
    void listsWithoutElementsAndDisabledStateAreWhole() throws RocksDBException {
        FlinkCompactionFilterFactory whole = factory();
        whole.configure(Config.createForList(TTL, 1, null));
        FlinkCompactionFilterFactory disabled = factory();
        disabled.configure(Config.createNotList(StateType.Disabled, 0, TTL, 1));
        try (Options options = new Options().setCreateIfMissing(true).setCompactionFilterFactory(disabled);
                RocksDB db = RocksDB.open(options, path("other"))) {
            put(db, "old", timed("", 1, "a"));
            assertThat(compacted(db)).hasSize(1);
        }
        RocksDB db = open(whole);
        put(db, "old", timed("", 1, "a") + timed("", 995, "a"));
        put(db, "young", timed("", 991, "a") + timed("", 1, "a"));
        assertThat(compacted(db)).containsExactly("young=" + timed("", 991, "a") + timed("", 1, "a"));
    }

    @Test
    void theTimeIsAskedForAfterSoManyEntries() throws RocksDBException {
        FlinkCompactionFilterFactory factory = factory();
        factory.configure(Config.createForValue(TTL, 4));
        RocksDB db = open(factory);
        for (int i = 10; i < 20; i++) {
            put(db, "key" + i, timed("", 1, "a"));
        }
        assertThat(compacted(db)).isEmpty();
        assertThat(asked).hasValue(3);
    }

    @Test
    void wrongUseIsRefused() {
        FlinkCompactionFilterFactory factory = factory();
        assertThatNullPointerException().isThrownBy(() -> factory.configure(null));
        factory.configure(Config.createForValue(TTL, 1));
        assertThatIllegalStateException().isThrownBy(() -> factory.configure(Config.createForValue(TTL, 1)))
                .withMessage("Compaction filter is already configured");
        assertThatNullPointerException().isThrownBy(() -> new FlinkCompactionFilterFactory(null));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Config.createNotList(StateType.Value, -1, TTL, 1)).withMessageContaining("-1");
        assertThat(factory.name()).isEqualTo("FlinkCompactionFilterFactory");
    }

    @Test
    void itsLoggerTellsDecisionsAndIsClosedWithIt() throws RocksDBException {
        List<String> messages = new ArrayList<>();
        Logger logger = new Logger(InfoLogLevel.DEBUG_LEVEL) {
            @Override
            protected void log(InfoLogLevel level, String message) {
                messages.add(level + " " + message);
            }
        };
        FlinkCompactionFilterFactory factory = closeLater(new FlinkCompactionFilterFactory(now::get, logger));
        factory.configure(Config.createForValue(TTL, 1));
        RocksDB db = open(factory);
        put(db, "old", timed("", 990, "a"));
        assertThat(compacted(db)).isEmpty();
        assertThat(messages).containsExactly(
                "DEBUG_LEVEL Last access: 990 ms, time to live: 10 ms, now: 1000 ms, removed");
        factory.close();
        assertThat(logger.isOwningHandle()).isFalse();
    }

    @Test
    void aFilterThatThrowsKeepsTheEntry() throws RocksDBException {
        FlinkCompactionFilterFactory factory = closeLater(new FlinkCompactionFilterFactory(() -> {
            throw new IllegalStateException("no clock");
        }));
        factory.configure(Config.createForValue(TTL, 1));
        RocksDB db = open(factory);
        put(db, "old", timed("", 1, "a"));
        assertThat(compacted(db)).containsExactly("old=" + timed("", 1, "a"));
    }

    @Test
    void checkpointsHaveNoEmptyLogs() throws RocksDBException {
        RocksDB db = open(factory());
        for (String name : List.of("empty", "full")) {
            if (name.equals("full")) {
                put(db, "key", "value");
            }
            try (Checkpoint checkpoint = Checkpoint.create(db)) {
                checkpoint.createCheckpoint(path(name));
            }
            File[] files = new File(path(name)).listFiles();
            assertThat(files).allMatch(file -> file.length() > 0).anyMatch(file -> file.getName().equals("CURRENT"));
            try (Options options = new Options(); RocksDB copy = RocksDB.open(options, path(name))) {
                assertThat(copy.get(b("key"))).isEqualTo(name.equals("full") ? b("value") : null);
            }
        }
    }
}
