package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appended records are there, in order, also after closing and opening again. */
class QueueTest {
    private static final long SMALL = 16 << 10;

    @TempDir
    private Path temporary;

    private Path directory() {
        return temporary.resolve("queue");
    }

    private Queue open() {
        return Queue.open(directory(), small());
    }

    private static QueueOptions small() {
        return new QueueOptions().segmentSize(SMALL);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsAppendedIsReadInOrder(boolean inBackground) {
        List<String> texts = new ArrayList<>();
        try (Queue queue = Queue.open(directory(), small().backgroundThread(inBackground))) {
            for (int i = 0; i < 3000; i++) {
                String text = "record " + i + "x".repeat(i % 100);
                texts.add(text);
                assertThat(queue.append(bytes(text))).isEqualTo(i);
            }
            assertThat(Records.texts(queue)).isEqualTo(texts);
            assertThat(queue.statistics().rolls()).isGreaterThan(5);
            assertThat(queue.nextOffset()).isEqualTo(3000);
            assertThat(queue.firstOffset()).isZero();
        }
        try (Queue queue = open()) {
            assertThat(Records.texts(queue)).isEqualTo(texts);
            assertThat(queue.nextOffset()).isEqualTo(3000);
            assertThat(queue.append(bytes("one more"))).isEqualTo(3000);
            texts.add("one more");
            assertThat(Records.texts(queue)).isEqualTo(texts);
        }
    }

    @Test
    void openingAnEmptyQueueAgainAndAgainKeepsItEmpty() {
        for (int i = 0; i < 3; i++) {
            try (Queue queue = open()) {
                assertThat(queue.nextOffset()).isZero();
                assertThat(Records.texts(queue)).isEmpty();
            }
        }
    }

    @Test
    void recordsThatEndWithTheirSegmentAreFound() {
        // As many of them fill a segment to the last byte.
        int length = (int) (SMALL - QueueLayout.HEADER) / 10 / 8 * 8 - QueueLayout.PAYLOAD;
        for (int round = 0; round < 4; round++) {
            try (Queue queue = open()) {
                for (int i = 0; i < 10; i++) {
                    queue.append(new byte[length]);
                }
                assertThat(Records.texts(queue)).hasSize(10 * (round + 1));
            }
        }
    }

    @Test
    void everySourceIsCopied() {
        try (Queue queue = open(); Arena arena = Arena.ofConfined()) {
            byte[] array = bytes("array");
            queue.append(array);
            array[0] = 'A';
            queue.append(MemorySegment.ofArray(bytes("heap")));
            queue.append(arena.allocateFrom(ValueLayout.JAVA_BYTE, bytes("native")));
            ByteBuffer buffer = ByteBuffer.wrap(bytes("a buffer's rest")).position(2);
            queue.append(buffer);
            assertThat(buffer.position()).isEqualTo(2);
            queue.append(4, payload -> payload.copyFrom(MemorySegment.ofArray(bytes("here"))));
            queue.append(new byte[0]);

            assertThat(Records.texts(queue)).containsExactly("array", "heap", "native", "buffer's rest", "here", "");
        }
    }

    @Test
    void aRecordThatCannotFitIsRefusedAndTheLargestIsNot() {
        int largest = (int) SMALL - QueueLayout.HEADER - QueueLayout.PAYLOAD;
        try (Queue queue = open()) {
            assertThatIllegalArgumentException().isThrownBy(() -> queue.append(new byte[largest + 1]))
                    .withMessageContaining(largest + " bytes").withMessageContaining("segmentSize");
            assertThatIllegalArgumentException().isThrownBy(() -> queue.append(Long.MAX_VALUE, payload -> {
            }));
            assertThatIllegalArgumentException().isThrownBy(() -> queue.append(-1, payload -> {
            })).withMessageContaining("-1");
            assertThat(queue.append(new byte[largest])).isZero();
            assertThat(queue.append(new byte[largest])).isEqualTo(1);
            assertThat(Records.texts(queue)).hasSize(2);
        }
    }

    @Test
    void aWriterThatFailsWithdrawsItsRecordOnly() {
        IllegalStateException failure = new IllegalStateException("on purpose");
        try (Queue queue = open()) {
            queue.append(bytes("before"));
            assertThatIllegalStateException().isThrownBy(() -> queue.append(100, payload -> {
                payload.fill((byte) 1);
                throw failure;
            })).isSameAs(failure);
            assertThat(queue.append(bytes("after"))).isEqualTo(2);
            assertThat(Records.texts(queue)).containsExactly("before", "after");
        }
        try (Queue queue = open()) {
            assertThat(Records.texts(queue)).containsExactly("before", "after");
            assertThat(queue.nextOffset()).isEqualTo(3);
        }
    }

    @Test
    void aPayloadWhoseMemoryIsGoneWithdrawsItsRecordOnly() {
        Arena arena = Arena.ofConfined();
        MemorySegment gone = arena.allocate(10);
        arena.close();
        try (Queue queue = open()) {
            assertThatIllegalStateException().isThrownBy(() -> queue.append(gone));
            queue.append(bytes("next"));
            assertThat(Records.texts(queue)).containsExactly("next");
        }
    }

    @Test
    void aWriterCannotKeepItsMemoryNorWaitForItself() {
        AtomicReference<MemorySegment> kept = new AtomicReference<>();
        try (Queue queue = open()) {
            queue.append(8, payload -> {
                kept.set(payload);
                payload.set(ValueLayout.JAVA_LONG, 0, 1);
            });
            assertThatIllegalStateException().isThrownBy(() -> kept.get().set(ValueLayout.JAVA_LONG, 0, 2));
            queue.append(1, payload -> {
                assertThatIllegalStateException().isThrownBy(queue::sync).withMessageContaining("RecordWriter");
                assertThatIllegalStateException().isThrownBy(queue::close).withMessageContaining("RecordWriter");
                queue.append(bytes("nested"));
            });
            assertThat(queue.nextOffset()).isEqualTo(3);
        }
    }

    @Test
    void aWriterCannotAppendDurablyToItsOwnQueue() {
        try (Queue queue = open()) {
            queue.append(1, _ -> {
                assertThatIllegalStateException()
                        .isThrownBy(() -> queue.with(Durability.SYNCED).append(bytes("nested")))
                        .withMessageContaining("RecordWriter");
                assertThatIllegalStateException()
                        .isThrownBy(() -> queue.with(Durability.SYNCED).append(MemorySegment.ofArray(bytes("nested"))));
                assertThatIllegalStateException().isThrownBy(() -> queue.with(Durability.SYNCED).append(batch(2, 1)));
            });
            assertThat(queue.nextOffset()).isEqualTo(1);
        }
    }

    @Test
    @Timeout(60)
    void aWriterCannotAppendToItsOwnQueueIfEachAppendIsDurable() {
        try (Queue queue = Queue.open(directory(), small().durability(Durability.SYNCED))) {
            queue.append(1, _ -> assertThatIllegalStateException().isThrownBy(() -> queue.append(bytes("nested")))
                    .withMessageContaining("RecordWriter"));
            assertThat(queue.nextOffset()).isEqualTo(1);
            queue.append(bytes("next"));
            assertThat(queue.durableOffset()).isEqualTo(2);
        }
    }

    @Test
    void aWriterCanDoEverythingWithAnotherQueue() {
        try (Queue queue = open()) {
            queue.append(1, payload -> {
                payload.set(ValueLayout.JAVA_BYTE, 0, (byte) 'a');
                try (Queue other = Queue.open(temporary.resolve("other"),
                        small().durability(Durability.SYNCED))) {
                    other.append(bytes("b"));
                    other.with(Durability.SYNCED).append(bytes("c"));
                    other.append(1, _ -> {
                        assertThatIllegalStateException().isThrownBy(other::sync);
                        assertThatIllegalStateException().isThrownBy(queue::sync);
                    });
                    other.sync();
                    assertThatIllegalStateException().isThrownBy(queue::sync);
                }
            });
            assertThat(Records.texts(queue)).containsExactly("a");
        }
    }

    @Test
    void afterClosingEverythingSaysSo() {
        Queue queue = open();
        queue.append(bytes("a"));
        queue.close();
        queue.close();

        assertThatIllegalStateException().isThrownBy(() -> queue.append(bytes("b")))
                .withMessageContaining(directory().toString());
        assertThatIllegalStateException().isThrownBy(() -> queue.with(Durability.SYNCED).append(bytes("b")));
        assertThatIllegalStateException().isThrownBy(() -> queue.async().append(MemorySegment.ofArray(bytes("b"))));
        assertThatIllegalStateException().isThrownBy(queue::sync);
        assertThatIllegalStateException().isThrownBy(queue::nextOffset);
        assertThatIllegalStateException().isThrownBy(() -> queue.group("g"));
    }

    @Test
    void oneObjectHasAQueueOpen() {
        try (Queue queue = open()) {
            assertThatExceptionOfType(QueueLockedException.class).isThrownBy(this::open)
                    .withMessageContaining(Long.toString(ProcessHandle.current().pid()));
            queue.append(bytes("a"));
        }
        open().close();
    }

    @Test
    void theIdentityMustNotBeLost() throws Exception {
        try (Queue queue = open()) {
            queue.append(bytes("a"));
        }
        Files.delete(directory().resolve("queue"));

        assertThatExceptionOfType(QueueCorruptException.class).isThrownBy(this::open).withMessageContaining("missing");
    }

    @Test
    void anInterruptedProducerAppendsAndStaysInterrupted() {
        try (Queue queue = Queue.open(directory(), small().backgroundThread(false))) {
            Thread.currentThread().interrupt();
            for (int i = 0; i < 100; i++) {
                queue.append(new byte[1000]);
            }
            assertThat(Thread.interrupted()).isTrue();
            assertThat(Records.texts(queue)).hasSize(100);
            assertThat(queue.statistics().rolls()).isPositive();
        }
    }

    // --- The disk ---

    @Test
    void durableMeansAllBefore() {
        try (Queue queue = open()) {
            queue.append(bytes("a"));
            assertThat(queue.durableOffset()).isZero();
            assertThat(queue.with(Durability.SYNCED).append(bytes("b"))).isEqualTo(1);
            assertThat(queue.durableOffset()).isEqualTo(2);
            for (int i = 0; i < 1000; i++) {
                queue.append(new byte[100]);
            }
            queue.sync();
            assertThat(queue.durableOffset()).isEqualTo(1002);
            assertThat(queue.statistics().syncs().count()).isEqualTo(2);
        }
    }

    @Test
    void everySourceCanBeDurable() throws Exception {
        try (Queue queue = open()) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes("xbx")).position(1).limit(2);
            RecordWriter writer = to -> to.set(ValueLayout.JAVA_BYTE, 0, (byte) 'c');
            MemorySegment segment = MemorySegment.ofArray(bytes("d"));
            assertThat(queue.with(Durability.SYNCED).append(bytes("a"))).isZero();
            assertThat(queue.with(Durability.SYNCED).append(buffer)).isEqualTo(1);
            assertThat(queue.with(Durability.SYNCED).append(1, writer)).isEqualTo(2);
            assertThat(queue.with(Durability.SYNCED).append(segment)).isEqualTo(3);
            assertThat(queue.with(Durability.SYNCED).append(List.of(segment, segment))).isEqualTo(4);
            assertThat(queue.durableOffset()).isEqualTo(6);
            assertThat(queue.async().append(bytes("a")).get()).isEqualTo(6);
            assertThat(queue.async().append(buffer).get()).isEqualTo(7);
            assertThat(queue.async().append(1, writer).get()).isEqualTo(8);
            assertThat(queue.async().append(segment).get()).isEqualTo(9);
            assertThat(queue.durableOffset()).isEqualTo(10);
            assertThat(Records.texts(queue)).containsExactly("a", "b", "c", "d", "d", "d", "a", "b", "c", "d");
        }
    }

    @Test
    void viewsAreNotMadeAgain() {
        Durability often = Durability.groupCommit(Duration.ofMillis(1), 1 << 20);
        try (Queue queue = open()) {
            assertThat(queue.with(Durability.SYNCED)).isSameAs(queue.with(Durability.SYNCED))
                    .isSameAs(queue.with(Durability.groupCommit(Duration.ZERO, 1)));
            assertThat(queue.with(Durability.PAGE_CACHE)).isSameAs(queue.with(Durability.PAGE_CACHE));
            assertThat(queue.with(often)).isSameAs(queue.with(Durability.groupCommit(Duration.ofMillis(1), 1 << 20)));
            assertThat(queue.async()).isSameAs(queue.async());
        }
    }

    @Test
    void everySourceCanHaveADurabilityOfItsOwn() throws Exception {
        try (Queue queue = open()) {
            ByteBuffer buffer = ByteBuffer.wrap(bytes("xbx")).position(1).limit(2);
            MemorySegment segment = MemorySegment.ofArray(bytes("d"));
            assertThat(queue.with(Durability.PAGE_CACHE).append(bytes("a"))).isZero();
            assertThat(queue.with(Durability.PAGE_CACHE).append(buffer)).isEqualTo(1);
            assertThat(queue.with(Durability.PAGE_CACHE).append(segment, segment)).isEqualTo(2);
            assertThat(queue.durableOffset()).isZero();
            assertThat(queue.with(Durability.SYNCED).append(bytes("a"))).isEqualTo(3);
            assertThat(queue.durableOffset()).isEqualTo(4);
            assertThat(queue.with(Durability.SYNCED).append(buffer)).isEqualTo(4);
            assertThat(queue.durableOffset()).isEqualTo(5);
            assertThat(queue.with(Durability.SYNCED).append(segment, segment)).isEqualTo(5);
            assertThat(queue.durableOffset()).isEqualTo(6);
            assertThat(queue.with(Durability.SYNCED).append(segment, segment)).isEqualTo(6);
            assertThat(queue.durableOffset()).isEqualTo(7);
            assertThat(queue.async().append(segment, segment).get()).isEqualTo(7);
            assertThat(queue.durableOffset()).isEqualTo(8);
            assertThat(buffer.remaining()).isEqualTo(1);
            assertThat(Records.texts(queue)).containsExactly("a", "b", "dd", "a", "b", "dd", "dd", "dd");
        }
    }

    // --- Batches ---

    private static List<MemorySegment> batch(int records, int length) {
        return Collections.nCopies(records, MemorySegment.ofArray(new byte[length]));
    }

    @Test
    void aBatchIsAppendedInOrder() {
        try (Queue queue = open()) {
            queue.append(bytes("before"));
            assertThat(queue.append(
                    List.of(MemorySegment.ofArray(bytes("a")), MemorySegment.NULL, MemorySegment.ofArray(bytes("c")))))
                    .isEqualTo(1);
            assertThat(queue.append(bytes("behind"))).isEqualTo(4);
            assertThat(Records.texts(queue)).containsExactly("before", "a", "", "c", "behind");
            // The last one that fits goes on to a file of its own.
            int most = (int) ((SMALL - QueueLayout.HEADER) / 1024);
            assertThat(queue.append(batch(most, 1000))).isEqualTo(5);
            assertThat(queue.append(batch(most, 1000))).isEqualTo(5 + most);
            assertThat(queue.statistics().rolls()).isEqualTo(1);
            assertThatIllegalArgumentException().isThrownBy(() -> queue.append(batch(most + 1, 1000)))
                    .withMessageContaining("batch of " + (most + 1) + " records").withMessageContaining("segmentSize");
            assertThatIllegalArgumentException().isThrownBy(() -> queue.append(List.of()))
                    .withMessageContaining("at least one");
            assertThat(queue.nextOffset()).isEqualTo(5 + 2 * most);
        }
        try (Queue queue = open()) {
            assertThat(Records.texts(queue)).hasSize(5 + 2 * (int) ((SMALL - QueueLayout.HEADER) / 1024));
        }
    }

    @Test
    void aBatchOfWhichOneCannotBeReadIsWithdrawn() {
        try (Queue queue = open()) {
            Arena arena = Arena.ofConfined();
            List<MemorySegment> payloads = List.of(MemorySegment.ofArray(bytes("a")), arena.allocate(8));
            arena.close();
            assertThatIllegalStateException().isThrownBy(() -> queue.append(payloads));
            queue.append(bytes("b"));
            assertThat(Records.texts(queue)).containsExactly("b");
        }
    }

    @Test
    void batchesOfManyProducersStayTogether() throws Exception {
        int producers = 4;
        int rounds = 300;
        int size = 5;
        try (Queue queue = open(); ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> all = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                MemorySegment payload = MemorySegment.ofArray(bytes("producer " + p + " ".repeat(97 * p)));
                all.add(threads.submit(() -> {
                    for (int i = 0; i < rounds; i++) {
                        queue.append(Collections.nCopies(size, payload));
                    }
                }));
            }
            for (Future<?> future : all) {
                future.get();
            }
            List<String> texts = Records.texts(queue);
            assertThat(texts).hasSize(producers * rounds * size);
            for (int i = 0; i < texts.size(); i += size) {
                assertThat(new HashSet<>(texts.subList(i, i + size))).as("at %d", i).hasSize(1);
            }
        }
    }

    @Test
    void everyAppendIsDurableIfThatIsChosen() {
        try (Queue queue = Queue.open(directory(), small().durability(Durability.SYNCED))) {
            for (int i = 0; i < 20; i++) {
                queue.append(bytes("a"));
                assertThat(queue.durableOffset()).isEqualTo(i + 1);
            }
            queue.append(batch(3, 10));
            assertThat(queue.durableOffset()).isEqualTo(23);
        }
    }

    @Test
    void aFutureCompletesWhenItsRecordIsOnTheDisk() throws Exception {
        try (Queue queue = open()) {
            List<CompletableFuture<Long>> futures = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                futures.add(queue.async().append(MemorySegment.ofArray(new byte[1000])));
            }
            for (int i = 0; i < 100; i++) {
                assertThat(futures.get(i).get()).isEqualTo(i);
                assertThat(queue.durableOffset()).isGreaterThan(i);
            }
        }
    }

    @Test
    @Timeout(60)
    void aSecondCloseWaitsForTheFirst() throws Exception {
        Queue queue = open();
        CompletableFuture<@Nullable Void> begun = new CompletableFuture<>();
        CompletableFuture<@Nullable Void> mayEnd = new CompletableFuture<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            // A record that is still being copied keeps the first one waiting.
            Future<?> writing = threads.submit(() -> queue.append(8, _ -> {
                begun.complete(null);
                mayEnd.join();
            }));
            begun.join();
            Future<?> first = threads.submit(queue::close);
            FutureTask<@Nullable Void> second = new FutureTask<>(queue::close, null);
            try {
                while (!isClosed(queue)) {
                    Thread.onSpinWait();
                }
                Waits.until(Thread.ofPlatform().start(second));
                assertThat(second.isDone()).isFalse();
            } finally {
                // Also after a failure, so that the test does not wait for the threads.
                mayEnd.complete(null);
            }
            second.get();
            // A caller that has closed it twice may open it again.
            open().close();
            first.get();
            writing.get();
        }
    }

    private static boolean isClosed(Queue queue) {
        try {
            queue.append(bytes("a"));
            return false;
        } catch (IllegalStateException e) {
            return true;
        }
    }

    @Test
    @Timeout(60)
    void whatDependsOnAFutureMayCloseTheQueueThatIsBeingClosed() {
        Queue queue = open();
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            futures.add(queue.async().append(bytes("a")));
        }
        futures.forEach(future -> {
            CompletableFuture<Void> _ = future.thenRun(queue::close);
        });
        queue.close();
        open().close();
    }

    @Test
    void futuresCompleteWhenTheQueueIsClosed() throws Exception {
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        try (Queue queue = open()) {
            for (int i = 0; i < 100; i++) {
                futures.add(queue.async().append(MemorySegment.ofArray(new byte[1000])));
            }
        }
        for (int i = 0; i < 100; i++) {
            assertThat(futures.get(i)).isCompletedWithValue((long) i);
        }
    }

    @Test
    void aGroupCommitWritesByItself() throws Exception {
        Durability often = Durability.groupCommit(Duration.ofMillis(1), 1 << 20);
        try (Queue queue = Queue.open(directory(), small().durability(often))) {
            queue.append(bytes("a"));
            while (queue.durableOffset() < 1) {
                Thread.sleep(1);
            }
        }
    }

    @Test
    void manyProducersShareAWrite() throws Exception {
        int producers = 16;
        int each = 50;
        try (Queue queue = open(); ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                all.add(threads.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        long offset = queue.with(Durability.SYNCED).append(bytes("x"));
                        assertThat(queue.durableOffset()).isGreaterThan(offset);
                    }
                }));
            }
            for (Future<?> future : all) {
                future.get();
            }
            assertThat(queue.nextOffset()).isEqualTo((long) producers * each);
            assertThat(queue.statistics().syncs().count()).isLessThanOrEqualTo((long) producers * each);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @SuppressWarnings("restricted") // sizes as of a pointer that was not cut to what it points to
    void aBatchOfSizesThatMeanNothingIsRefused() {
        try (Queue queue = Queue.open(directory())) {
            MemorySegment all = MemorySegment.ofAddress(4096).reinterpret(Long.MAX_VALUE);
            MemorySegment half = MemorySegment.ofAddress(4096).reinterpret(1L << 62);
            assertThatIllegalArgumentException().isThrownBy(() -> queue.append(List.of(all)));
            assertThatIllegalArgumentException().isThrownBy(() -> queue.append(List.of(half, half)));
            assertThat(queue.append(new byte[1])).isZero();
            queue.sync();
            assertThat(queue.durableOffset()).isEqualTo(1);
        }
    }
}
