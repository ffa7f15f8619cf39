package dev.outcrop.rocksdb;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Lifetime and threads of the segments of an iterator. */
class IteratorSegmentsTest extends DatabaseTest {
    private final ExecutorService other = Executors.newSingleThreadExecutor(
            runnable -> new Thread(runnable, "the other thread"));
    @SuppressWarnings("NullAway.Init") // before each test
    private RocksDB db;
    @SuppressWarnings("NullAway.Init") // before each test
    private KeyValueIterator entries;

    @BeforeEach
    void setUp() {
        db = RocksDB.open(directory, create());
        for (String key : List.of("a", "b", "c", "d")) {
            db.put(Bytes.of(key), Bytes.of("value of " + key));
        }
        db.flush();
        entries = db.iterator();
        entries.seek(Bytes.of("b"));
    }

    @AfterEach
    void close() {
        entries.close();
        db.close();
        other.shutdownNow();
        RocksDB.open(directory).close();
    }

    private void assertElsewhere(Runnable use, String message) {
        assertThat(other.submit(use)).failsWithin(2, TimeUnit.MINUTES).withThrowableThat()
                .withCauseInstanceOf(IllegalStateException.class).withMessageContaining(message);
    }

    private <T> T elsewhere(Callable<T> use) throws Exception {
        Future<T> result = other.submit(use);
        return result.get(2, TimeUnit.MINUTES);
    }

    @Test
    void everyMoveEndsThem() {
        List<Runnable> moves = List.of(entries::next, entries::previous, entries::seekToFirst, entries::seekToLast,
                () -> entries.seek(Bytes.of("b")), () -> entries.seekForPrev(Bytes.of("b")), entries::detach,
                entries::refresh, entries::close);
        for (Runnable move : moves) {
            entries.seek(Bytes.of("b"));
            MemorySegment key = entries.key();
            MemorySegment value = entries.value();
            assertThat(text(key) + text(entries.key()) + text(value)).isEqualTo("bbvalue of b");
            move.run();
            assertThatIllegalStateException().isThrownBy(() -> key.get(ValueLayout.JAVA_BYTE, 0));
            assertThatIllegalStateException().isThrownBy(() -> value.asByteBuffer().get());
            assertThatIllegalStateException().isThrownBy(() -> db.put(key, Bytes.inNative(Bytes.of("x"))));
        }
    }

    @Test
    void areReadOnly() {
        MemorySegment value = entries.value();
        assertThatThrownBy(() -> value.set(ValueLayout.JAVA_BYTE, 0, (byte) 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theIteratorCanSeekItsOwnKey() {
        entries.next();
        assertThat(entries.seek(entries.key())).isTrue();
        assertThat(text(entries.key())).isEqualTo("c");
        assertThat(entries.seekForPrev(entries.key().asSlice(0, 0))).isFalse();
        assertThat(entries.seekForPrev(Bytes.of("zz"))).isTrue();
        assertThat(entries.seekForPrev(entries.key())).isTrue();
        assertThat(text(entries.key())).isEqualTo("d");
    }

    @Test
    void anotherThreadMayGoOnIfThereAreNone() throws Exception {
        assertThat(elsewhere(() -> {
            boolean moved = entries.next();
            String key = text(entries.key());
            entries.detach();
            return key + moved;
        })).isEqualTo("ctrue");
        assertThat(text(entries.value())).isEqualTo("value of c");
        entries.next();
        assertThat(elsewhere(() -> {
            entries.previous();
            String key = text(entries.key());
            entries.next();
            return key;
        })).isEqualTo("c");
        assertThat(text(entries.key())).isEqualTo("d");
        entries.detach();
        elsewhere(() -> {
            entries.close();
            return true;
        });
        assertThatIllegalStateException().isThrownBy(entries::isValid).withMessageContaining("is closed");
    }

    @Test
    void anotherThreadIsRefusedWhileThereAreSome() throws Exception {
        MemorySegment key = entries.key();
        String who = "Thread " + Thread.currentThread().getName() + " has segments of the iterator of database "
                + directory + "; it must call detach()";
        List<Runnable> refused = List.of(entries::next, entries::previous, entries::seekToFirst, entries::seekToLast,
                () -> entries.seek(Bytes.of("b")), entries::refresh, entries::detach, entries::close, entries::key,
                entries::value);
        for (Runnable use : refused) {
            assertElsewhere(use, who);
            assertThat(text(key)).isEqualTo("b");
        }
        assertThat(elsewhere(entries::isValid)).isTrue();
        byte[] copy = new byte[10];
        assertThat(elsewhere(() -> entries.key(MemorySegment.ofArray(copy)))).isEqualTo(1);
        assertThat(copy[0]).isEqualTo((byte) 'b');

        entries.detach();
        assertThat(elsewhere(entries::next)).isTrue();
        assertThat(text(entries.key())).isEqualTo("c");
    }

    @Test
    void transactionsOfAnEndedThreadDoNotBlockOthers() throws Exception {
        Thread ended = Thread.ofVirtual().start(() -> assertThat(text(entries.key())).isEqualTo("b"));
        ended.join();
        assertThat(text(entries.key())).isEqualTo("b");
        entries.detach();
        Thread endedToo = Thread.ofPlatform().start(() -> assertThat(text(entries.key())).isEqualTo("b"));
        endedToo.join();
        assertThat(entries.next()).isTrue();
        assertThat(text(entries.key())).isEqualTo("c");
    }

    @Test
    void buffersThatCannotBeUsedAreRefused() throws Exception {
        MemorySegment gone;
        try (Arena arena = Arena.ofConfined()) {
            gone = arena.allocate(10);
            MemorySegment confined = gone;
            assertThat(other.submit(() -> entries.key(confined))).failsWithin(2, TimeUnit.MINUTES)
                    .withThrowableThat().withCauseInstanceOf(WrongThreadException.class);
            assertThat(other.submit(() -> entries.seek(confined))).failsWithin(2, TimeUnit.MINUTES)
                    .withThrowableThat().withCauseInstanceOf(WrongThreadException.class);
        }
        assertThatIllegalStateException().isThrownBy(() -> entries.value(gone));
        assertThatIllegalStateException().isThrownBy(() -> entries.seek(gone));
        assertThatIllegalStateException().isThrownBy(() -> entries.seekForPrev(gone));
        assertThat(entries.seek(Bytes.of("b"))).isTrue();
        assertThat(text(entries.value())).isEqualTo("value of b");
    }

    @Test
    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // null is what is tested
    void nullIsRefused() {
        List<Runnable> uses = List.of(() -> entries.seek((byte[]) null), () -> entries.seek((MemorySegment) null),
                () -> entries.seekForPrev((MemorySegment) null), () -> entries.key(null), () -> entries.value(null),
                () -> entries.seek((ByteBuffer) null));
        for (Runnable use : uses) {
            assertThatThrownBy(use::run).isInstanceOf(NullPointerException.class);
        }
        assertThat(text(entries.key())).isEqualTo("b");
    }

    @Test
    void aClosedIteratorIsNamedByEveryMethod() {
        entries.close();
        List<Runnable> uses = List.of(entries::next, entries::previous, entries::seekToFirst, entries::seekToLast,
                () -> entries.seek(Bytes.of("b")), () -> entries.seekForPrev(Bytes.of("b")), entries::refresh,
                entries::detach, entries::key, entries::value, entries::timestamp, entries::isValid,
                () -> entries.key(MemorySegment.ofArray(new byte[1])),
                () -> entries.value(MemorySegment.ofArray(new byte[1])));
        for (Runnable use : uses) {
            assertThatIllegalStateException().isThrownBy(use::run)
                    .withMessage("The iterator of database " + directory + " is closed");
        }
        entries.close();
    }
}
