package dev.outcrop.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each public method that touches files does the same on an interrupted thread as on another one, and leaves it interrupted. */
@Tag("verify")
class InterruptedThreadTest {
    private static final int RECORDS = 2 * Sample.PER_SEGMENT + 10;

    @TempDir
    private Path temporary;

    enum State {
        SOUND,
        QUEUE_EMPTY,
        QUEUE_FLIPPED,
        QUEUE_MISSING,
        HEADER_FLIPPED,
        RECORD_FLIPPED,
        LAST_RECORD_FLIPPED,
        SEGMENT_CUT,
        SEGMENT_MISSING,
        GROUP_CUT,
        GROUP_FLIPPED,
        POSITION_FLIPPED,
        POSITION_AHEAD;

        void damage(Path queue) throws IOException {
            Path identity = queue.resolve("queue");
            Path group = queue.resolve("groups").resolve("g.group");
            Path position = queue.resolve("tailers").resolve("t.position");
            Path second = Sample.segment(queue, Sample.PER_SEGMENT);
            switch (this) {
                case SOUND -> {
                }
                case QUEUE_EMPTY -> Sample.truncate(identity, 0);
                case QUEUE_FLIPPED -> {
                    Sample.flip(identity, 20, 1);
                    Sample.flip(identity, 532, 1);
                }
                case QUEUE_MISSING -> Files.delete(identity);
                case HEADER_FLIPPED -> Sample.flip(second, 20, 1);
                case RECORD_FLIPPED -> Sample.flip(second, Sample.position(3) + 40, 1);
                case LAST_RECORD_FLIPPED -> Sample.flip(Sample.segment(queue, 2L * Sample.PER_SEGMENT),
                        Sample.position(RECORDS - 1) + 40, 1);
                case SEGMENT_CUT -> Sample.truncate(second, 5000);
                case SEGMENT_MISSING -> Files.delete(second);
                case GROUP_CUT -> Sample.truncate(group, 700);
                case GROUP_FLIPPED -> {
                    Sample.flip(group, 20, 1);
                    Sample.flip(group, 532, 1);
                }
                case POSITION_FLIPPED -> Sample.flip(position, 1, 1);
                case POSITION_AHEAD -> Sample.flip(position, 10, 1);
            }
        }
    }

    private interface Call {
        Object run(Path queue) throws Exception;
    }

    private static Call with(Function<Queue, Object> call) {
        return directory -> {
            try (Queue queue = Queue.open(directory, Sample.inForeground())) {
                return call.apply(queue);
            }
        };
    }

    private static Call tailing(Function<Tailer, Object> call) {
        return directory -> {
            try (Tailer tailer = Tailer.open(directory, "t")) {
                return call.apply(tailer);
            }
        };
    }

    private static Object nothing(Runnable call) {
        call.run();
        return "done";
    }

    private static List<Long> all(Tailer tailer) {
        List<Long> offsets = new ArrayList<>();
        while (tailer.poll()) {
            offsets.add(tailer.offset() + tailer.segment().byteSize());
        }
        return offsets;
    }

    private static List<Long> all(Queue queue, Consumer<Delivery> then) {
        List<Long> offsets = new ArrayList<>();
        try (dev.outcrop.queue.Consumer consumer = queue.group("g").consumer()) {
            while (true) {
                try (Delivery delivery = consumer.poll()) {
                    if (delivery == null) {
                        return offsets;
                    }
                    offsets.add(delivery.offset());
                    then.accept(delivery);
                }
            }
        }
    }

    private static Map<String, Call> calls() {
        Map<String, Call> calls = new LinkedHashMap<>();
        byte[] record = new byte[Sample.LENGTH];
        calls.put("verify", queue -> QueueFiles.verify(queue).damages());
        calls.put("repair", queue -> QueueFiles.repair(queue).repairs());
        calls.put("survey", queue -> QueueFiles.survey(queue).segments());
        calls.put("tailers", QueueFiles::tailers);
        calls.put("deleteTailer", queue -> QueueFiles.deleteTailer(queue, "t"));
        calls.put("deleteTailer of none", queue -> QueueFiles.deleteTailer(queue, "none"));
        calls.put("delete", queue -> nothing(() -> QueueFiles.delete(queue)));
        calls.put("open and close", with(Queue::nextOffset));
        calls.put("append", with(queue -> {
            for (int i = 0; i < Sample.PER_SEGMENT; i++) {
                queue.append(record);
            }
            return queue.nextOffset();
        }));
        calls.put("append synced", with(queue -> queue.with(Durability.SYNCED).append(record)));
        calls.put("append async", with(queue -> queue.async().append(record).join()));
        calls.put("sync", with(queue -> nothing(queue::sync)));
        calls.put("group", with(queue -> queue.group("other").lag().records()));
        calls.put("deleteGroup", with(queue -> nothing(() -> queue.deleteGroup("g"))));
        calls.put("lag", with(queue -> queue.group("g").lag().records()));
        calls.put("seek", with(queue -> queue.group("g").seek(5)));
        calls.put("seek to a time", with(queue -> queue.group("g").seek(java.time.Instant.EPOCH)));
        calls.put("seek to the end", with(queue -> queue.group("g").seekToEnd()));
        calls.put("acknowledge", with(queue -> all(queue, Delivery::acknowledge)));
        calls.put("reject", with(queue -> {
            List<Object> dead = new ArrayList<>();
            queue.group("g", new GroupOptions().deadLetters(1, dead::add));
            return all(queue, delivery -> {
                boolean _ = delivery.reject("why");
            }).size() + dead.size();
        }));
        calls.put("visit", with(queue -> {
            try (dev.outcrop.queue.Consumer consumer = queue.group("g").consumer()) {
                return consumer.visit(1000, _ -> {
                });
            }
        }));
        calls.put("tail", directory -> {
            try (Tailer tailer = Tailer.open(directory)) {
                return all(tailer);
            }
        });
        calls.put("tail with a name", tailing(InterruptedThreadTest::all));
        calls.put("tail with a new name", directory -> {
            try (Tailer tailer = Tailer.open(directory, "new")) {
                return all(tailer) + " " + QueueFiles.tailers(directory);
            }
        });
        calls.put("commit", tailing(tailer -> {
            List<Long> offsets = all(tailer);
            tailer.commit();
            tailer.seekToBeginning();
            tailer.seekToCommitted();
            return offsets + " " + tailer.nextOffset();
        }));
        calls.put("tailer's seek", tailing(tailer -> {
            tailer.seek(java.time.Instant.EPOCH);
            long first = tailer.nextOffset();
            tailer.seek(Sample.PER_SEGMENT + 3);
            tailer.seekToEnd();
            return first + " " + tailer.nextOffset();
        }));
        return calls;
    }

    @AfterEach
    void goOn() {
        boolean _ = Thread.interrupted();
    }

    @ParameterizedTest
    @EnumSource(State.class)
    void theSameHappens(State state) throws IOException {
        Path template = temporary.toRealPath().resolve("template");
        Sample.fill(template, RECORDS);
        try (Queue queue = Sample.open(template)) {
            boolean[] isFirst = {true};
            all(queue, delivery -> {
                if (isFirst[0]) {
                    boolean _ = delivery.acknowledge();
                }
                isFirst[0] = !isFirst[0];
            });
        }
        Tailer.open(template, "t").close();
        state.damage(template);

        for (Map.Entry<String, Call> call : calls().entrySet()) {
            Path usual = temporary.toRealPath().resolve("usual");
            Path interrupted = temporary.toRealPath().resolve("interrupted");
            Sample.copy(template, usual);
            Sample.copy(template, interrupted);
            String expected = outcome(call.getValue(), usual);
            Thread.currentThread().interrupt();
            String actual = outcome(call.getValue(), interrupted);
            assertThat(Thread.interrupted()).as(call.getKey()).isTrue();
            assertThat(actual).as(call.getKey()).isEqualTo(expected);
            assertThat(names(interrupted)).as(call.getKey()).isEqualTo(names(usual));
            Sample.delete(usual);
            Sample.delete(interrupted);
        }
    }

    private static String outcome(Call call, Path queue) {
        String outcome;
        try {
            outcome = "returned " + call.run(queue);
        } catch (QueueException | UncheckedIOException | IllegalStateException e) {
            outcome = "threw " + e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
        return normal(outcome, queue);
    }

    /** Replaces the parts that differ each time. */
    private static String normal(String text, Path queue) {
        return text.replace(queue.toString(), "QUEUE").replaceAll("\\d{13}", "TIME")
                .replaceAll("0x[0-9a-f]+|@[0-9a-f]+", "ID")
                .replaceAll("generation=-?\\d+", "generation");
    }

    private static List<String> names(Path queue) throws IOException {
        if (!Files.exists(queue)) {
            return List.of();
        }
        try (var files = Files.walk(queue)) {
            return files.map(file -> normal(Objects.toString(file), queue)).filter(name -> !name.endsWith(".spare"))
                    .sorted().toList();
        }
    }
}
