package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.Test;

/** Prefix extractors written in Java. */
class PrefixExtractorTest extends DatabaseTest {
    {
        closeLater(new CallbackLog());
    }

    private static PrefixExtractor extractor(ToLongFunction<MemorySegment> length) {
        return NamedCallbacks.prefix("test.UpToTheColon", key -> length.applyAsLong(key));
    }

    private static long upToTheColon(MemorySegment key) {
        int colon = text(key).indexOf(':');
        return colon < 0 ? -1 : colon + 1;
    }

    private RocksDB open(PrefixExtractor extractor) {
        return RocksDB.open(directory, create().prefixExtractor(SliceTransform.of(extractor))
                .memtablePrefixBloomSizeRatio(0.1)
                .set("block_based_table_factory={filter_policy=bloomfilter:10:false;whole_key_filtering=false}"));
    }

    private static void fill(RocksDB db) {
        for (String user : List.of("ann", "bob", "christopher")) {
            for (int i = 0; i < 100; i++) {
                db.put(Bytes.of(user + ":" + i), Bytes.of("value of " + user + i));
            }
        }
        db.put(Bytes.of("no colon"), Bytes.of("outside"));
    }

    private static void check(RocksDB db) {
        assertThat(db.get(Bytes.of("bob:17"))).asString().isEqualTo("value of bob17");
        assertThat(db.get(Bytes.of("christopher:99"))).asString().isEqualTo("value of christopher99");
        assertThat(db.get(Bytes.of("no colon"))).asString().isEqualTo("outside");
        assertThat(db.get(Bytes.of("bob:100"))).isNull();
        assertThat(db.get(Bytes.of("dora:1"))).isNull();
        assertThat(db.get(Bytes.of(""))).isNull();
    }

    @Test
    void keysAreFoundThroughPrefixFilters() {
        List<String> asked = new CopyOnWriteArrayList<>();
        PrefixExtractor extractor = extractor(key -> {
            asked.add(text(key));
            return upToTheColon(key);
        });
        try (RocksDB db = open(extractor)) {
            fill(db);
            check(db);
            db.flush();
            check(db);
            assertThat(db.property("rocksdb.aggregated-table-properties")).isNotNull();
        }
        asked.clear();
        try (RocksDB db = open(extractor)) {
            check(db);
            db.compact();
            check(db);
        }
        assertThat(asked).contains("bob:17", "no colon", "dora:1");
    }

    @Test
    void itsExceptionsReachTheCaller() {
        RuntimeException failure = new IllegalStateException("on purpose");
        try (RocksDB db = open(extractor(key -> {
            if (text(key).equals("ann:fails")) {
                throw failure;
            }
            return upToTheColon(key);
        }))) {
            fill(db);
            assertThatThrownBy(() -> db.put(Bytes.of("ann:fails"), Bytes.of("value"))).isSameAs(failure);
            check(db);
        }
    }

    @Test
    void aPrefixCannotBeLongerThanItsKey() {
        RocksDB db = closeLater(open(extractor(key -> key.byteSize() + 1)));
        assertThatThrownBy(() -> db.put(Bytes.of("key"), Bytes.of("value")))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("3 bytes cannot have 4");
    }

    @Test
    void keysThatItKeepsAreUnusableAfterwards() {
        List<MemorySegment> kept = new CopyOnWriteArrayList<>();
        try (RocksDB db = open(extractor(key -> {
            kept.add(key);
            return upToTheColon(key);
        }))) {
            db.put(Bytes.of("a:b"), Bytes.of("value"));
            assertThat(kept).isNotEmpty().allSatisfy(key -> {
                assertThat(key.isReadOnly()).isTrue();
                assertThatThrownBy(() -> key.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
            });
        }
    }
}
