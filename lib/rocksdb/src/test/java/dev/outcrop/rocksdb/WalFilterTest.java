package dev.outcrop.rocksdb;

import dev.outcrop.rocksdb.WalFilter.Decision;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Filters of the write-ahead log written in Java. */
class WalFilterTest extends DatabaseTest {
    {
        closeLater(new CallbackLog());
    }

    /** Leaves five records in the log. */
    @BeforeEach
    void fill() {
        try (RocksDB db = RocksDB.open(directory, create().avoidFlushDuringShutdown(true))) {
            for (int i = 1; i <= 5; i++) {
                db.put(Bytes.of("key " + i), Bytes.of("value " + i));
            }
        }
    }

    private static Options with(WalFilter filter) {
        // Its log stays, so that it can be replayed again.
        return new Options().walFilter(filter).avoidFlushDuringShutdown(true).avoidFlushDuringRecovery(true);
    }

    private List<String> keysWith(WalFilter filter) {
        List<String> keys = new ArrayList<>();
        try (RocksDB db = RocksDB.openReadOnly(directory, with(filter))) {
            db.scan((key, value) -> keys.add(text(key) + "=" + text(value)));
        }
        return keys;
    }

    /** A batch as text, in which keys and values can be seen. */
    private static boolean contains(MemorySegment batch, String text) {
        return new String(batch.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1).contains(text);
    }

    @Test
    void recordsAreKeptIgnoredReplacedOrTheEnd() {
        assertThat(keysWith((_, _, batch, replacement) -> {
            if (contains(batch, "key 2")) {
                return Decision.IGNORE;
            }
            if (contains(batch, "key 3")) {
                replacement.put(Bytes.of("key 3"), Bytes.of("replaced"));
                return Decision.REPLACE;
            }
            return contains(batch, "key 5") ? Decision.STOP_REPLAY : Decision.KEEP;
        })).containsExactly("key 1=value 1", "key 3=replaced", "key 4=value 4");
    }

    @Test
    void itReceivesFamilyAndLevel() {
        List<String> files = new ArrayList<>();
        List<Map<String, Integer>> families = new ArrayList<>();
        List<Map<Integer, Long>> logs = new ArrayList<>();
        WalFilter filter = new WalFilter() {
            @Override
            public Decision logRecordFound(long logNumber, String logFile, MemorySegment batch,
                    KeyValueWriter replacement) {
                assertThat(logFile).endsWith("%06d.log".formatted(logNumber));
                files.add(logFile);
                return Decision.KEEP;
            }

            @Override
            public void columnFamilyLogNumbers(Map<Integer, Long> logNumbers, Map<String, Integer> ids) {
                logs.add(logNumbers);
                families.add(ids);
            }
        };
        assertThat(keysWith(filter)).hasSize(5);
        assertThat(files).hasSize(5);
        assertThat(families).containsExactly(Map.of("default", 0));
        assertThat(logs.getFirst()).containsOnlyKeys(0);
    }

    @Test
    void anyOperationCanBeReplayedInstead() {
        try (RocksDB db = RocksDB.open(directory, new Options().mergeOperator(MergeOperator.STRING_APPEND))) {
            db.flush();
        }
        try (RocksDB db = RocksDB.open(directory, new Options().mergeOperator(MergeOperator.STRING_APPEND)
                .avoidFlushDuringShutdown(true))) {
            for (int i = 1; i <= 4; i++) {
                db.put(Bytes.of("new " + i), Bytes.of("value"));
            }
        }
        WalFilter filter = (_, _, batch, replacement) -> {
            if (contains(batch, "new 1")) {
                replacement.delete(Bytes.of("key 1"));
            } else if (contains(batch, "new 2")) {
                replacement.deleteRange(Bytes.of("key 2"), Bytes.of("key 4"));
            } else if (contains(batch, "new 3")) {
                replacement.merge(Bytes.of("key 4"), Bytes.of("more"));
            } else {
                replacement.singleDelete(Bytes.of("key 5"));
            }
            return Decision.REPLACE;
        };
        List<String> left = new ArrayList<>();
        try (RocksDB db = RocksDB.openReadOnly(directory, with(filter).mergeOperator(MergeOperator.STRING_APPEND))) {
            db.scan((key, value) -> left.add(text(key) + "=" + text(value)));
        }
        assertThat(left).containsExactly("key 4=value 4,more");
    }

    @Test
    void moreOperationsThanThereWereAreRefused() {
        assertThatThrownBy(() -> keysWith((_, _, _, replacement) -> {
            replacement.put(Bytes.of("a"), Bytes.of("1"));
            replacement.put(Bytes.of("b"), Bytes.of("2"));
            return Decision.REPLACE;
        })).isInstanceOfSatisfying(RocksDBException.class,
                e -> assertThat(e.status().code()).isEqualTo(Status.Code.NOT_SUPPORTED));
        assertThat(keysWith((_, _, _, _) -> Decision.KEEP)).hasSize(5);
    }

    @Test
    void theRecoveryModeDecidesAboutDamagedRecords() {
        WalFilter third = (_, _, batch, _) -> contains(batch, "key 3") ? Decision.CORRUPTED : Decision.KEEP;
        assertThat(keysWith(third)).containsExactly("key 1=value 1", "key 2=value 2");
        assertThatThrownBy(() -> RocksDB.openReadOnly(directory,
                with(third).walRecoveryMode(WalRecoveryMode.ABSOLUTE_CONSISTENCY)))
                .isInstanceOfSatisfying(RocksDBException.class,
                        e -> assertThat(e.status().code()).isEqualTo(Status.Code.CORRUPTION));
    }

    @Test
    void anExceptionKeepsTheDatabaseShutAndTheLogAsItIs() {
        RuntimeException failure = new IllegalStateException("on purpose");
        assertThatThrownBy(() -> RocksDB.open(directory, with((_, _, batch, _) -> {
            if (contains(batch, "key 3")) {
                throw failure;
            }
            return Decision.KEEP;
        }))).isSameAs(failure);
        assertThat(failure.getSuppressed()).hasOnlyElementsOfType(RocksDBException.class).hasSize(1);
        assertThatThrownBy(
                () -> keysWith((_, _, _, _) -> Objects.requireNonNull(new AtomicReference<@Nullable Decision>().get())))
                .isInstanceOf(NullPointerException.class);

        assertThat(keysWith((_, _, _, _) -> Decision.KEEP)).hasSize(5);
    }

    @Test
    void segmentsThatItKeepsAreUnusableAfterwards() {
        List<MemorySegment> batches = new ArrayList<>();
        List<KeyValueWriter> replacements = new ArrayList<>();
        AtomicReference<@Nullable Throwable> elsewhere = new AtomicReference<>();
        keysWith((_, _, batch, replacement) -> {
            assertThat(batch.isReadOnly()).isTrue();
            batches.add(batch);
            replacements.add(replacement);
            Thread other = Thread.ofPlatform()
                    .start(() -> elsewhere.set(catchThrowable(() -> replacement.delete(Bytes.of("a")))));
            try {
                other.join();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return Decision.KEEP;
        });
        assertThat(elsewhere.get()).isInstanceOf(WrongThreadException.class);
        assertThatThrownBy(() -> batches.getFirst().get(ValueLayout.JAVA_BYTE, 0))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> replacements.getFirst().put(Bytes.of("a"), Bytes.of("b")))
                .isInstanceOf(IllegalStateException.class).hasMessageContaining("returned");
    }
}
