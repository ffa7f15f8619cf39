package dev.outcrop.rocksdb;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lifetime and threads of a pinned value, and its effect on the database. */
class PinnedSliceTest extends DatabaseTest {
    private static final byte[] VALUE = Bytes.random(1, 10_000);

    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create());
        db.put(KEY, VALUE);
        db.flush();
    }

    private PinnedSlice pin() {
        return Objects.requireNonNull(db.getPinned(KEY));
    }

    @Test
    void isReadableAndReadOnlyUntilItIsClosed() {
        PinnedSlice slice = pin();
        MemorySegment segment = slice.segment();
        assertThat(slice.isPinned()).isTrue();
        assertThat(ReadForm.bytes(segment)).isEqualTo(VALUE);
        assertThatThrownBy(() -> segment.set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
                .isInstanceOf(IllegalArgumentException.class);

        slice.close();

        assertThatThrownBy(() -> segment.get(ValueLayout.JAVA_BYTE, 0)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> segment.asByteBuffer().get()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> db.put(Bytes.inNative(KEY), segment)).isInstanceOf(IllegalStateException.class);
        db.close();
    }

    @Test
    void closingTwiceDoesNothing() {
        PinnedSlice slice = pin();
        PinnedSlice other = pin();
        for (int i = 0; i < 3; i++) {
            slice.close();
        }
        assertThat(db.pinnedBytes()).isEqualTo(VALUE.length);
        assertThat(ReadForm.bytes(other.segment())).isEqualTo(VALUE);
        other.close();
        assertThat(db.pinnedBytes()).isZero();
        db.close();
        slice.close();
    }

    @Test
    void staysReadableAfterTheDatabaseIsClosedAndHoldsItsLock() {
        PinnedSlice slice = pin();
        db.close();

        assertThat(ReadForm.bytes(slice.segment())).isEqualTo(VALUE);
        assertThatThrownBy(() -> RocksDB.open(directory)).isInstanceOf(RocksDBException.class)
                .hasMessageContaining("this process");

        slice.close();
        RocksDB.open(directory).close();
    }

    @Test
    void staysReadableAfterItsKeyIsGone() {
        try (PinnedSlice slice = pin()) {
            db.delete(KEY);
            db.flush();
            db.compact();
            assertThat(db.get(KEY)).isNull();
            assertThat(ReadForm.bytes(slice.segment())).isEqualTo(VALUE);
        }
        db.close();
    }

    @Test
    void belongsToTheThreadThatReadIt() {
        try (PinnedSlice slice = pin()) {
            assertThatThrownBy(() -> CompletableFuture.runAsync(slice::close).join())
                    .isInstanceOf(CompletionException.class).hasCauseInstanceOf(WrongThreadException.class);
            assertThatThrownBy(() -> CompletableFuture.supplyAsync(() -> ReadForm.bytes(slice.segment())).join())
                    .isInstanceOf(CompletionException.class).hasCauseInstanceOf(WrongThreadException.class);
            assertThat(ReadForm.bytes(slice.segment())).isEqualTo(VALUE);
        }
        db.close();
        RocksDB.open(directory).close();
    }

    @Test
    void aPinKeepsNoFile() throws Exception {
        List<Path> before = tables();
        assertThat(before).hasSize(1);
        try (PinnedSlice slice = pin()) {
            // The files that a compaction leaves behind are deleted by one of the next.
            for (int i = 0; i < 10; i++) {
                db.put(KEY, Bytes.random(i, 10));
                db.compact();
            }
            assertThat(tables()).doesNotContainAnyElementsOf(before);
            assertThat(ReadForm.bytes(slice.segment())).isEqualTo(VALUE);
        }
        db.close();
    }

    private List<Path> tables() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sst")).toList();
        }
    }

    @Test
    void theFunctionsSegmentEndsWithTheFunction() {
        MemorySegment[] kept = new MemorySegment[1];
        assertThat(db.<Long>getPinned(Bytes.inNative(KEY), value -> {
            kept[0] = value;
            return value.byteSize();
        })).isEqualTo(VALUE.length);
        assertThatThrownBy(() -> ReadForm.bytes(kept[0])).isInstanceOf(IllegalStateException.class);
        assertThat(db.pinnedBytes()).isZero();
        db.close();
    }

    @Test
    void anExceptionFromTheFunctionComesThroughAndLeaksNothing() {
        RuntimeException thrown = new RuntimeException("the function's own");
        for (int i = 0; i < 100; i++) {
            assertThatThrownBy(() -> db.getPinned(Bytes.inNative(KEY), value -> {
                throw thrown;
            })).isSameAs(thrown);
        }
        assertThat(db.pinnedBytes()).isZero();
        db.close();
        RocksDB.open(directory).close();
    }

    @Test
    void theFunctionMayCloseTheDatabase() {
        byte[] value = db.getPinned(Bytes.inNative(KEY), segment -> {
            db.close();
            return ReadForm.bytes(segment);
        });

        assertThat(value).isEqualTo(VALUE);
        RocksDB.open(directory).close();
    }

    @Test
    void theFunctionIsNotCalledForAKeyThatIsNotThere() {
        Object result = db.getPinned(Bytes.inNative(Bytes.of("no key")), value -> {
            throw new AssertionError("called");
        });
        assertThat(result).isNull();
        db.close();
    }

    @Test
    void aValueInTheCallersBufferIsTheCallers() {
        db.put(KEY, Bytes.of("small"));
        Arena arena = closeLater(Arena.ofConfined());
        PinnedSlice slice = Objects.requireNonNull(db.getHybrid(Bytes.inNative(KEY), arena.allocate(100)));
        slice.close();
        db.close();
        assertThat(ReadForm.bytes(slice.segment())).isEqualTo(Bytes.of("small"));
    }
}
