package dev.outcrop.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.outcrop.queue.Consumer;
import dev.outcrop.queue.DeadLetter;
import dev.outcrop.queue.Delivery;
import dev.outcrop.queue.Queue;
import dev.outcrop.testsupport.FlightRecordings;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/** A pipeline is paused, drained, closed and watched; what it cannot map is put away; others keep off its group. */
class WorkerControlTest extends PipelineFixture {
    private void append(int count) {
        for (int i = 0; i < count; i++) {
            queue.append(("record " + i).getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Until the pipeline's thread waits to be told something. While it looks for records, it only waits for a time. */
    private static void awaitIdle() throws InterruptedException {
        Thread worker = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("outcrop-pipeline-orders")).findFirst().orElseThrow();
        waitWhile(() -> worker.getState() != Thread.State.WAITING);
    }

    // --- Pausing, draining, closing ---

    @Test
    void aPausedPipelineTakesNothing() throws Exception {
        append(10);
        try (Pipeline pipeline = orders().startPaused().into(db)) {
            assertThat(pipeline.state()).isEqualTo(PipelineState.PAUSED);
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("paused");
            pipeline.resume();
            assertThat(pipeline.drain(LONG)).isTrue();
            pipeline.pause();
            pipeline.pause();
            assertThat(pipeline.state()).isEqualTo(PipelineState.PAUSED);
            append(10);
            awaitIdle();
            assertThat(pipeline.position()).isEqualTo(10);
            assertThat(pipeline.statistics().lag()).isEqualTo(10);
            pipeline.resume();
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.state()).isEqualTo(PipelineState.RUNNING);
            assertThat(pipeline.statistics().lag()).isZero();
        }
    }

    /** Also if its thread has not noticed the last call yet. */
    @Test
    void pausingMeansPaused() throws Exception {
        for (int round = 0; round < 60; round++) {
            try (Pipeline pipeline = orders().startPaused().into(db)) {
                pipeline.resume();
                if (round % 2 == 0) {
                    assertThat(pipeline.drain(LONG)).isTrue();
                }
                pipeline.pause();
                assertThat(pipeline.state()).isEqualTo(PipelineState.PAUSED);
                long position = pipeline.position();
                append(1);
                awaitIdle();
                assertThat(pipeline.position()).isEqualTo(position);
                pipeline.resume();
                pipeline.pause();
                pipeline.resume();
                assertThat(pipeline.drain(LONG)).isTrue();
            }
        }
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(60);
    }

    @Test
    void pausingWritesWhatWasTaken() throws Exception {
        append(10);
        AtomicInteger mapped = new AtomicInteger();
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((_, _, _) -> mapped.incrementAndGet())
                .linger(Duration.ofDays(1)).into(db)) {
            waitWhile(() -> mapped.get() < 10);
            pipeline.pause();
            assertThat(pipeline.position()).isEqualTo(10);
            assertThat(queue.group("orders").position()).isEqualTo(10);
        }
    }

    @Test
    void drainingEndsWhenItsTimeHasPassed() throws Exception {
        append(1);
        CountDownLatch mayMap = new CountDownLatch(1);
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((_, _, _) -> mayMap.await()).into(db)) {
            assertThat(pipeline.drain(Duration.ofMillis(20))).isFalse();
            assertThat(pipeline.drain(Duration.ZERO)).isFalse();
            assertThat(pipeline.drain(Duration.ofMillis(-1))).isFalse();
            assertThat(pipeline.drain(Duration.ofSeconds(Long.MIN_VALUE))).isFalse();
            mayMap.countDown();
            assertThat(pipeline.drain(Duration.ofSeconds(Long.MAX_VALUE))).isTrue();
            assertThat(pipeline.drain(Duration.ZERO)).isTrue();
            assertThat(pipeline.drain(Duration.ofMillis(-1))).isTrue();
        }
    }

    @Test
    void whoDrainsHearsOfAFailure() throws Exception {
        append(1);
        CountDownLatch mayFail = new CountDownLatch(1);
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((_, _, _) -> {
            mayFail.await();
            throw new IllegalStateException("now");
        }).into(db)) {
            CompletableFuture<Throwable> heard = new CompletableFuture<>();
            Thread draining = new Thread(() -> {
                try {
                    heard.complete(new AssertionError("drained: " + pipeline.drain(LONG)));
                } catch (Throwable e) {
                    heard.complete(e);
                }
            });
            draining.start();
            waitWhile(() -> draining.getState() != Thread.State.TIMED_WAITING);
            mayFail.countDown();
            assertThat(heard.join()).isInstanceOf(PipelineException.class).hasMessageContaining("now");
        }
    }

    @Test
    void closingWritesWhatWasTaken() throws Exception {
        append(10);
        AtomicInteger mapped = new AtomicInteger();
        Pipeline pipeline = Pipeline.from(queue, "orders").map((_, _, _) -> mapped.incrementAndGet())
                .linger(Duration.ofDays(1)).into(db);
        waitWhile(() -> mapped.get() < 10);
        pipeline.close();
        assertThat(pipeline.position()).isEqualTo(10);
        assertThat(pipeline.state()).isEqualTo(PipelineState.CLOSED);
        pipeline.close();
        assertThatThrownBy(pipeline::pause).isInstanceOf(IllegalStateException.class).hasMessageContaining("closed");
        assertThatThrownBy(pipeline::resume).isInstanceOf(IllegalStateException.class);
        append(1);
        assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("closed");
        assertThat(pipeline.failure()).isNull();
    }

    @Test
    void aPausedPipelineCanBeClosed() {
        append(10);
        Pipeline pipeline = orders().startPaused().into(db);
        pipeline.close();
        assertThat(pipeline.position()).isZero();
        assertThat(Records.count(db)).isZero();
    }

    @Test
    void whereNothingIsInTheDatabaseThatIsSaid() throws Exception {
        try (Pipeline pipeline = orders().into(db)) {
            queue.close();
            waitWhile(() -> pipeline.state() == PipelineState.RUNNING);
            assertThat(pipeline.failure()).hasMessageContaining("no record's effect is in the database yet")
                    .hasMessageContaining("goes on with record 0").hasMessageNotContaining("record -1");
        }
    }

    @Test
    void whoClosesTheQueueFirstIsTold() throws Exception {
        append(1);
        try (Pipeline pipeline = orders().into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            queue.close();
            waitWhile(() -> pipeline.state() == PipelineState.RUNNING);
            assertThat(pipeline.failure()).hasMessageContaining("closed").hasMessageContaining("goes on with record 1")
                    .hasMessageContaining("behind record 0, the last one in the database");
        }
        queue = Queue.open(directory.resolve("queue"));
        append(1);
        ingest();
        assertThat(Records.count(db)).isEqualTo(2);
    }

    // --- Who else is in the group ---

    @Test
    void othersKeepOffItsGroup() throws Exception {
        append(10);
        try (Consumer consumer = queue.group("orders").consumer()) {
            assertThat(consumer.group().position()).isZero();
            assertThatThrownBy(() -> orders().into(db)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("exclusive").hasMessageContaining("1 other one is open");
        }
        try (Pipeline pipeline = orders().into(db)) {
            assertThatThrownBy(() -> queue.group("orders").consumer()).isInstanceOf(IllegalStateException.class);
            assertThat(pipeline.drain(LONG)).isTrue();
            append(20);
            assertThat(pipeline.drain(LONG)).isTrue();
        }
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(30);
    }

    @Test
    void aGroupThatIsMovedStopsThePipelineBeforeItDoesHarm() throws Exception {
        for (long target : new long[]{0, 15}) {
            append(10);
            try (Pipeline pipeline = orders().into(db)) {
                assertThat(pipeline.drain(LONG)).isTrue();
                pipeline.pause();
                append(10);
                assertThat(queue.group("orders").seek(target)).isEqualTo(target);
                pipeline.resume();
                assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class)
                        .hasMessageContaining("Record " + target + " comes where");
            }
            ingest();
            assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(queue.nextOffset());
            if (target == 0) {
                // The next time it is moved forward: 15 is behind where it then is.
                close();
                KilledProgram.delete(directory.resolve("queue"));
                KilledProgram.delete(directory.resolve("db"));
                open();
            }
        }
    }

    /** Then there is no record left to compare. */
    @Test
    void neitherDoesOneWhoseRecordsAreGone() throws Exception {
        append(10);
        try (Pipeline pipeline = orders().into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            pipeline.pause();
            append(10_000);
            assertThat(queue.group("orders").seek(9_000)).isEqualTo(9_000);
            // The queue gives up its files in the background.
            for (int i = 0; i < 60_000 && queue.firstOffset() <= 10; i++) {
                Thread.sleep(1);
            }
            // The next record is the first one that is kept.
            long first = queue.group("orders").seek(queue.firstOffset());
            assertThat(first).isGreaterThan(10);
            pipeline.resume();
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("Record " + first + " comes where");
        }
        assertThat(Records.count(db)).isEqualTo(10);
        assertThat(Records.position(db, queue, "orders")).isEqualTo(10);
        assertThatThrownBy(() -> orders().into(db)).hasMessageContaining("cannot go on with record 10");
    }

    /** Without new records, drain must not return before all is written. */
    @Test
    void aGroupThatIsMovedToTheEndStopsThePipelineToo() throws Exception {
        append(10);
        try (Pipeline pipeline = orders().into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            pipeline.pause();
            append(10);
            assertThat(queue.group("orders").seek(20)).isEqualTo(20);
            pipeline.resume();
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("Record 20 comes where");
        }
        ingest();
        assertThat(Records.requireExact(db, queue, "orders", 0)).isEqualTo(20);
    }

    // --- Closing while others wait ---

    @Test
    void whoeverWaitsIsToldThatItIsClosed() throws Exception {
        for (int round = 0; round < 50; round++) {
            append(3);
            Pipeline pipeline = orders().linger(Duration.ofDays(1)).into(db);
            List<Throwable> unexpected = new CopyOnWriteArrayList<>();
            List<Thread> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                boolean isPausing = i > 0;
                Thread thread = new Thread(() -> {
                    while (pipeline.state() != PipelineState.CLOSED) {
                        try {
                            if (isPausing) {
                                pipeline.pause();
                                pipeline.resume();
                            } else {
                                boolean _ = pipeline.drain(LONG);
                            }
                        } catch (IllegalStateException e) {
                            if (!String.valueOf(e.getMessage()).matches(".* is (closed|paused and would .*)")) {
                                unexpected.add(e);
                            }
                        } catch (Throwable e) {
                            unexpected.add(e);
                        }
                    }
                });
                thread.start();
                waiting.add(thread);
            }
            if (round % 2 == 0) {
                Thread.sleep(1);
            }
            pipeline.close();
            for (Thread thread : waiting) {
                thread.join();
            }
            assertThat(unexpected).isEmpty();
            assertThat(pipeline.failure()).isNull();
        }
        ingest();
        assertThat(Records.requireExact(db, queue, "orders", queue.firstOffset())).isEqualTo(150);
    }

    // --- Dead letters ---

    @Test
    void whatCannotBeMappedIsPutAway() throws Exception {
        RecordMapper good = Records.mapper();
        append(100);
        try (Queue letters = Queue.open(directory.resolve("letters"));
                Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, payload, writes) -> {
                    good.map(offset, payload, writes);
                    if (offset % 10 == 3) {
                        throw new IllegalArgumentException("ends with 3");
                    }
                }).deadLetters(letters).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.statistics().deadLetters()).isEqualTo(10);
            assertThat(pipeline.statistics().records()).isEqualTo(100);
            assertThat(pipeline.statistics().toString()).startsWith("records: 100, bytes: ").contains(", lag: 0, ")
                    .endsWith(", dead letters: 10");
            List<Long> offsets = new ArrayList<>();
            try (Consumer consumer = letters.group("people").consumer()) {
                for (Delivery delivery = consumer.poll(); delivery != null; delivery = consumer.poll()) {
                    DeadLetter letter = DeadLetter.read(delivery.segment());
                    offsets.add(letter.offset());
                    assertThat(letter.group()).isEqualTo("orders");
                    assertThat(letter.reason()).contains("IllegalArgumentException", "ends with 3");
                    assertThat(letter.payload().toArray(ValueLayout.JAVA_BYTE))
                            .asString(StandardCharsets.UTF_8).isEqualTo("record " + letter.offset());
                    delivery.close();
                }
            }
            assertThat(offsets).containsExactly(3L, 13L, 23L, 33L, 43L, 53L, 63L, 73L, 83L, 93L);
            assertThat(letters.durableOffset()).isEqualTo(10);
        }
        assertThat(Records.count(db)).isEqualTo(90);
        for (long offset = 0; offset < 100; offset++) {
            assertThat(db.get(Records.key(offset)) == null).isEqualTo(offset % 10 == 3);
        }
    }

    @Test
    void whatCannotBePutAwayStopsThePipeline() throws Exception {
        append(5);
        assertThatThrownBy(() -> orders().deadLetters(queue)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("same queue");
        Queue letters = Queue.open(directory.resolve("letters"));
        letters.close();
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map((offset, _, _) -> {
            if (offset == 2) {
                throw new java.io.IOException("bad");
            }
        }).deadLetters(letters).into(db)) {
            assertThatThrownBy(() -> pipeline.drain(LONG)).isInstanceOf(PipelineException.class)
                    .hasMessageContaining("Record 2 cannot be mapped").hasMessageContaining("bad")
                    .hasMessageContaining("closed");
        }
        try (Pipeline pipeline = Pipeline.from(queue, "orders").map(Records::ignore).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            assertThat(pipeline.statistics().records()).isBetween(3L, 5L);
        }
    }

    // --- Numbers and events ---

    @Test
    void itTellsWhatItDoes() throws Exception {
        append(10);
        try (Pipeline pipeline = orders().batchBytes(100).stallLimit(Duration.ZERO).into(db)) {
            assertThat(pipeline.drain(LONG)).isTrue();
            PipelineStatistics statistics = pipeline.statistics();
            assertThat(statistics.records()).isEqualTo(10);
            assertThat(statistics.bytes()).isEqualTo(80);
            assertThat(statistics.batches()).isBetween(2L, 9L);
            assertThat(statistics.stalls()).isEqualTo(statistics.batches());
            assertThat(statistics.lastBatchRecords()).isBetween(1L, 5L);
            assertThat(statistics.meanBatchRecords()).isEqualTo(10.0 / statistics.batches());
            assertThat(statistics.writeTime()).isPositive();
            assertThat(statistics.deadLetters()).isZero();
            // It is 0 again when nothing was written for some seconds, which this thread may have taken.
            while (statistics.recordsPerSecond() == 0) {
                append(1);
                assertThat(pipeline.drain(LONG)).isTrue();
            }
            assertThat(pipeline).hasToString("pipeline 'orders' of " + queue + " into " + db);
        }
    }

    @Test
    void batchesAndStallsAreRecorded() throws Exception {
        append(20);
        String name;
        List<RecordedEvent> events;
        try (Recording recording = new Recording()) {
            recording.enable("dev.outcrop.PipelineBatch").withoutThreshold();
            recording.enable("dev.outcrop.PipelineStall").withoutThreshold();
            recording.start();
            try (Pipeline pipeline = orders().batchBytes(200).stallLimit(Duration.ZERO).into(db)) {
                name = pipeline.toString();
                assertThat(pipeline.drain(LONG)).isTrue();
            }
            try (Pipeline pipeline = orders().stallLimit(Duration.ofDays(1)).into(db)) {
                append(1);
                assertThat(pipeline.drain(LONG)).isTrue();
            }
            recording.stop();
            Path file = directory.resolve("recording.jfr");
            recording.dump(file);
            events = FlightRecordings.read(file);
        }
        List<RecordedEvent> batches = FlightRecordings.named(events, "dev.outcrop.PipelineBatch");
        assertThat(batches).allSatisfy(event -> assertThat(event.getString("pipeline")).isEqualTo(name));
        assertThat(batches.stream().mapToLong(event -> event.getLong("records")).sum()).isEqualTo(21);
        assertThat(Objects.requireNonNull(batches.getLast()).getLong("firstOffset")).isEqualTo(20);
        assertThat(Objects.requireNonNull(batches.getLast()).getLong("bytes")).isEqualTo(8);
        assertThat(FlightRecordings.named(events, "dev.outcrop.PipelineStall")).hasSize(batches.size() - 1);
    }
}
