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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Appended records are there, in order, also after closing and opening again. */
class QueueTest extends OpenQueue {
    private static final long SMALL = 16 << 10;

    QueueTest() {
        options = small();
    }

    private static QueueOptions small() {
        return new QueueOptions().segmentSize(SMALL);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsAppendedIsReadInOrder(boolean inBackground) {
        options.backgroundThread(inBackground);
        reopen();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < 3000; i++) {
            String text = "record " + i + "x".repeat(i % 100);
            texts.add(text);
            assertThat(queue.append(bytes(text))).isEqualTo(i);
        }
        assertThat(Polls.texts(queue)).isEqualTo(texts);
        assertThat(queue.statistics().rolls()).isGreaterThan(5);
        assertThat(queue.nextOffset()).isEqualTo(3000);
        assertThat(queue.firstOffset()).isZero();
        options = small();
        reopen();
        assertThat(Polls.texts(queue)).isEqualTo(texts);
        assertThat(queue.nextOffset()).isEqualTo(3000);
        assertThat(queue.append(bytes("one more"))).isEqualTo(3000);
        texts.add("one more");
        assertThat(Polls.texts(queue)).isEqualTo(texts);
    }

    @Test
    void openingAnEmptyQueueAgainAndAgainKeepsItEmpty() {
        for (int i = 0; i < 3; i++) {
            assertThat(queue.nextOffset()).isZero();
            assertThat(Polls.texts(queue)).isEmpty();
            reopen();
        }
    }

    @Test
    void recordsThatEndWithTheirSegmentAreFound() {
        // As many of them fill a segment to the last byte.
        int length = (int) (SMALL - QueueLayout.HEADER) / 10 / 8 * 8 - QueueLayout.PAYLOAD;
        for (int round = 0; round < 4; round++) {
            Polls.append(queue, 10, length);
            assertThat(Polls.texts(queue)).hasSize(10 * (round + 1));
            reopen();
        }
    }

    @Test
    void everySourceIsCopied() {
        try (Arena arena = Arena.ofConfined()) {
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

            assertThat(Polls.texts(queue)).containsExactly("array", "heap", "native", "buffer's rest", "here", "");
        }
    }

    @Test
    void aRecordThatCannotFitIsRefusedAndTheLargestIsNot() {
        int largest = (int) SMALL - QueueLayout.HEADER - QueueLayout.PAYLOAD;
        assertThatIllegalArgumentException().isThrownBy(() -> queue.append(new byte[largest + 1]))
                .withMessageContaining(largest + " bytes").withMessageContaining("segmentSize");
        assertThatIllegalArgumentException().isThrownBy(() -> queue.append(Long.MAX_VALUE, payload -> {
        }));
        assertThatIllegalArgumentException().isThrownBy(() -> queue.append(-1, payload -> {
        })).withMessageContaining("-1");
        assertThat(queue.append(new byte[largest])).isZero();
        assertThat(queue.append(new byte[largest])).isEqualTo(1);
        assertThat(Polls.texts(queue)).hasSize(2);
    }

    @Test
    void aWriterThatFailsWithdrawsItsRecordOnly() {
        IllegalStateException failure = new IllegalStateException("on purpose");
        queue.append(bytes("before"));
        assertThatIllegalStateException().isThrownBy(() -> queue.append(100, payload -> {
            payload.fill((byte) 1);
            throw failure;
        })).isSameAs(failure);
        assertThat(queue.append(bytes("after"))).isEqualTo(2);
        assertThat(Polls.texts(queue)).containsExactly("before", "after");
        reopen();
        assertThat(Polls.texts(queue)).containsExactly("before", "after");
        assertThat(queue.nextOffset()).isEqualTo(3);
    }

    @Test
    void aPayloadWhoseMemoryIsGoneWithdrawsItsRecordOnly() {
        Arena arena = Arena.ofConfined();
        MemorySegment gone = arena.allocate(10);
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> queue.append(gone));
        queue.append(bytes("next"));
        assertThat(Polls.texts(queue)).containsExactly("next");
    }

    @Test
    void aWriterCannotKeepItsMemoryNorWaitForItself() {
        AtomicReference<MemorySegment> kept = new AtomicReference<>();
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

    @Test
    void aWriterCannotAppendDurablyToItsOwnQueue() {
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

    @Test
    void aWriterCannotAppendToItsOwnQueueIfEachAppendIsDurable() {
        options.durability(Durability.SYNCED);
        reopen();
        queue.append(1, _ -> assertThatIllegalStateException().isThrownBy(() -> queue.append(bytes("nested")))
                .withMessageContaining("RecordWriter"));
        assertThat(queue.nextOffset()).isEqualTo(1);
        queue.append(bytes("next"));
        assertThat(queue.durableOffset()).isEqualTo(2);
    }

    @Test
    void aWriterCanDoEverythingWithAnotherQueue() {
        queue.append(1, payload -> {
            payload.set(ValueLayout.JAVA_BYTE, 0, (byte) 'a');
            try (Queue other = Queue.open(temporary.resolve("other"), small().durability(Durability.SYNCED))) {
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
        assertThat(Polls.texts(queue)).containsExactly("a");
    }

    @Test
    void afterClosingEverythingSaysSo() {
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
        assertThatExceptionOfType(QueueLockedException.class).isThrownBy(() -> Queue.open(directory(), small()))
                .withMessageContaining(Long.toString(ProcessHandle.current().pid()));
        queue.append(bytes("a"));
        reopen();
    }

    @Test
    void theIdentityMustNotBeLost() throws Exception {
        queue.append(bytes("a"));
        queue.close();
        Files.delete(directory().resolve("queue"));

        assertThatExceptionOfType(QueueCorruptException.class).isThrownBy(this::open).withMessageContaining("missing");
    }

    @Test
    void anInterruptedProducerAppendsAndStaysInterrupted() {
        options.backgroundThread(false);
        reopen();
        Thread.currentThread().interrupt();
        Polls.append(queue, 100, 1000);
        assertThat(Thread.interrupted()).isTrue();
        assertThat(Polls.texts(queue)).hasSize(100);
        assertThat(queue.statistics().rolls()).isPositive();
    }

    // --- The disk ---

    @Test
    void durableMeansAllBefore() {
        queue.append(bytes("a"));
        assertThat(queue.durableOffset()).isZero();
        assertThat(queue.with(Durability.SYNCED).append(bytes("b"))).isEqualTo(1);
        assertThat(queue.durableOffset()).isEqualTo(2);
        Polls.append(queue, 1000, 100);
        queue.sync();
        assertThat(queue.durableOffset()).isEqualTo(1002);
        assertThat(queue.statistics().syncs().count()).isEqualTo(2);
    }

    @Test
    void everySourceCanBeDurable() throws Exception {
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
        assertThat(Polls.texts(queue)).containsExactly("a", "b", "c", "d", "d", "d", "a", "b", "c", "d");
    }

    @Test
    void viewsAreNotMadeAgain() {
        Durability often = Durability.groupCommit(Duration.ofMillis(1), 1 << 20);
        assertThat(queue.with(Durability.SYNCED)).isSameAs(queue.with(Durability.SYNCED))
                .isSameAs(queue.with(Durability.groupCommit(Duration.ZERO, 1)));
        assertThat(queue.with(Durability.PAGE_CACHE)).isSameAs(queue.with(Durability.PAGE_CACHE));
        assertThat(queue.with(often)).isSameAs(queue.with(Durability.groupCommit(Duration.ofMillis(1), 1 << 20)));
        assertThat(queue.async()).isSameAs(queue.async());
    }

    @Test
    void everySourceCanHaveADurabilityOfItsOwn() throws Exception {
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
        assertThat(Polls.texts(queue)).containsExactly("a", "b", "dd", "a", "b", "dd", "dd", "dd");
    }

    // --- Batches ---

    private static List<MemorySegment> batch(int records, int length) {
        return Collections.nCopies(records, MemorySegment.ofArray(new byte[length]));
    }

    @Test
    void aBatchIsAppendedInOrder() {
        queue.append(bytes("before"));
        assertThat(queue.append(
                List.of(MemorySegment.ofArray(bytes("a")), MemorySegment.NULL, MemorySegment.ofArray(bytes("c")))))
                .isEqualTo(1);
        assertThat(queue.append(bytes("behind"))).isEqualTo(4);
        assertThat(Polls.texts(queue)).containsExactly("before", "a", "", "c", "behind");
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
        reopen();
        assertThat(Polls.texts(queue)).hasSize(5 + 2 * (int) ((SMALL - QueueLayout.HEADER) / 1024));
    }

    @Test
    void aBatchOfWhichOneCannotBeReadIsWithdrawn() {
        Arena arena = Arena.ofConfined();
        List<MemorySegment> payloads = List.of(MemorySegment.ofArray(bytes("a")), arena.allocate(8));
        arena.close();
        assertThatIllegalStateException().isThrownBy(() -> queue.append(payloads));
        queue.append(bytes("b"));
        assertThat(Polls.texts(queue)).containsExactly("b");
    }

    @Test
    void batchesOfManyProducersStayTogether() throws Exception {
        int producers = 4;
        int rounds = 300;
        int size = 5;
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> all = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                MemorySegment payload = MemorySegment.ofArray(bytes("producer " + p + " ".repeat(97 * p)));
                all.add(threads.submit(() -> {
                    for (int i = 0; i < rounds; i++) {
                        queue.append(Collections.nCopies(size, payload));
                    }
                }));
            }
            Polls.awaitAll(all);
            List<String> texts = Polls.texts(queue);
            assertThat(texts).hasSize(producers * rounds * size);
            for (int i = 0; i < texts.size(); i += size) {
                assertThat(new HashSet<>(texts.subList(i, i + size))).as("at %d", i).hasSize(1);
            }
        }
    }

    @Test
    void everyAppendIsDurableIfThatIsChosen() {
        options.durability(Durability.SYNCED);
        reopen();
        for (int i = 0; i < 20; i++) {
            queue.append(bytes("a"));
            assertThat(queue.durableOffset()).isEqualTo(i + 1);
        }
        queue.append(batch(3, 10));
        assertThat(queue.durableOffset()).isEqualTo(23);
    }

    @Test
    void aFutureCompletesWhenItsRecordIsOnTheDisk() throws Exception {
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            futures.add(queue.async().append(MemorySegment.ofArray(new byte[1000])));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(futures.get(i).get()).isEqualTo(i);
            assertThat(queue.durableOffset()).isGreaterThan(i);
        }
    }

    @Test
    void aSecondCloseWaitsForTheFirst() throws Exception {
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
                Polls.untilWaiting(Thread.ofPlatform().start(second));
                assertThat(second.isDone()).isFalse();
            } finally {
                // Also after a failure, so that the test does not wait for the threads.
                mayEnd.complete(null);
            }
            second.get();
            // A caller that has closed it twice may open it again.
            open();
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
    void whatDependsOnAFutureMayCloseTheQueueThatIsBeingClosed() {
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            futures.add(queue.async().append(bytes("a")));
        }
        futures.forEach(future -> {
            CompletableFuture<Void> _ = future.thenRun(queue::close);
        });
        queue.close();
        open();
    }

    @Test
    void futuresCompleteWhenTheQueueIsClosed() throws Exception {
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            futures.add(queue.async().append(MemorySegment.ofArray(new byte[1000])));
        }
        queue.close();
        for (int i = 0; i < 100; i++) {
            assertThat(futures.get(i)).isCompletedWithValue((long) i);
        }
    }

    @Test
    void aGroupCommitWritesByItself() throws Exception {
        options.durability(Durability.groupCommit(Duration.ofMillis(1), 1 << 20));
        reopen();
        queue.append(bytes("a"));
        Polls.waitWhile(() -> queue.durableOffset() < 1);
    }

    @Test
    void manyProducersShareAWrite() throws Exception {
        int producers = 16;
        int each = 50;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> all = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                all.add(threads.submit(() -> {
                    for (int i = 0; i < each; i++) {
                        long offset = queue.with(Durability.SYNCED).append(bytes("x"));
                        assertThat(queue.durableOffset()).isGreaterThan(offset);
                    }
                }));
            }
            Polls.awaitAll(all);
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
        MemorySegment all = MemorySegment.ofAddress(4096).reinterpret(Long.MAX_VALUE);
        MemorySegment half = MemorySegment.ofAddress(4096).reinterpret(1L << 62);
        assertThatIllegalArgumentException().isThrownBy(() -> queue.append(List.of(all)));
        assertThatIllegalArgumentException().isThrownBy(() -> queue.append(List.of(half, half)));
        assertThat(queue.append(new byte[1])).isZero();
        queue.sync();
        assertThat(queue.durableOffset()).isEqualTo(1);
    }

    @Test
    void aQueueKeepsItsId() {
        long id = queue.id();
        try (Queue other = Queue.open(temporary.resolve("other"))) {
            assertThat(other.id()).isNotEqualTo(id);
        }
        reopen();
        assertThat(queue.id()).isEqualTo(id);
    }
}
