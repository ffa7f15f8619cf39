package dev.outcrop.rocksdb;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Scans and their visitors. */
class ScanTest extends DatabaseTest {
    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create());
        for (String key : List.of("b", "a", "c")) {
            db.put(Bytes.of(key), Bytes.of("value of " + key));
        }
    }

    @Test
    void seesAllEntriesInOrder() {
        List<String> seen = new ArrayList<>();
        db.scan((key, value) -> seen.add(text(key) + "=" + text(value)));
        db.close();

        assertThat(seen).containsExactly("a=value of a", "b=value of b", "c=value of c");
    }

    @Test
    void seesNothingInAnEmptyDatabase() {
        db.deleteRange(Bytes.of("a"), Bytes.of("z"));
        db.scan((key, value) -> {
            throw new AssertionError(text(key));
        });
        db.close();
    }

    @Test
    void endsWhenTheVisitorSaysSo() {
        List<String> seen = new ArrayList<>();
        db.scan((key, value) -> {
            seen.add(text(key));
            return seen.size() < 2;
        });
        db.close();

        assertThat(seen).containsExactly("a", "b");
    }

    @Test
    void seesTheEntriesAsTheyWereWhenItBegan() {
        List<String> seen = new ArrayList<>();
        db.scan((key, value) -> {
            db.put(Bytes.of("d"), Bytes.of("new"));
            db.delete(Bytes.of("c"));
            seen.add(text(key));
            return true;
        });

        assertThat(seen).containsExactly("a", "b", "c");
        assertThat(db.get(Bytes.of("c"))).isNull();
        assertThat(db.get(Bytes.of("d"))).isNotNull();
        db.close();
    }

    @Test
    void mayReadAndScanInside() {
        List<String> pairs = new ArrayList<>();
        db.scan((outer, outerValue) -> {
            db.scan((inner, innerValue) -> pairs.add(text(outer) + text(inner)));
            assertThat(db.get(outer)).isEqualTo(ReadForm.bytes(outerValue));
            return true;
        });
        db.close();

        assertThat(pairs).containsExactly("aa", "ab", "ac", "ba", "bb", "bc", "ca", "cb", "cc");
    }

    @Test
    void segmentsEndWithTheVisit() {
        List<MemorySegment> kept = new ArrayList<>();
        db.scan((key, value) -> {
            kept.add(key);
            return kept.add(value);
        });

        assertThat(kept).hasSize(6).allSatisfy(segment -> assertThatThrownBy(() -> ReadForm.bytes(segment))
                .isInstanceOf(IllegalStateException.class));
        db.close();
    }

    @Test
    void segmentsAreReadOnlyAndOfThisThread() {
        db.scan((key, value) -> {
            assertThatThrownBy(() -> value.set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> ReadForm.bytes(value)).join())
                    .isInstanceOf(CompletionException.class).hasCauseInstanceOf(WrongThreadException.class);
            return true;
        });
        db.close();
    }

    @Test
    void anExceptionFromTheVisitorComesThroughAndLeaksNothing() {
        RuntimeException thrown = new RuntimeException("the visitor's own");
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> db.scan((key, value) -> {
                throw thrown;
            })).isSameAs(thrown);
        }
        db.close();
        // The lock is free only if the native database is closed, and that only if no iterator is left.
        RocksDB.open(directory).close();
    }

    @Test
    void theVisitorMayCloseTheDatabaseAndTheScanGoesOn() {
        List<String> seen = new ArrayList<>();
        db.scan((key, value) -> {
            db.close();
            return seen.add(text(key) + "=" + text(value));
        });

        assertThat(seen).hasSize(3);
        assertThatThrownBy(() -> db.scan((key, value) -> true)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining(directory.toString());
        RocksDB.open(directory).close();
    }

    @Test
    void valuesInBlobFilesAreSeenEvenWhenTheyNeedNotBePrepared() {
        db.close();
        RocksDB withBlobs = closeLater(RocksDB.open(directory, new Options().enableBlobFiles(true).minBlobSize(0)));
        withBlobs.put(Bytes.of("a"), Bytes.of("in a blob file"));
        withBlobs.flush();
        withBlobs.with(new ReadOptions().allowUnpreparedValue(true)).scan((key, value) -> {
            assertThat(text(value)).isEqualTo("in a blob file");
            return false;
        });
    }
}
