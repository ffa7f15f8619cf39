package dev.outcrop.queue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/** Common steps of tests with consumer groups. */
final class Polls {
    private Polls() {
    }

    /** Leaves what it is shown to be acknowledged later. */
    static final RecordHandler SKIP = (_, _, _) -> {
    };

    static String text(MemorySegment payload) {
        return new String(payload.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    static void append(Queue queue, String... texts) {
        for (String text : texts) {
            queue.append(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Appends records of zeros. */
    static void append(Queue queue, int count, int size) {
        for (int i = 0; i < count; i++) {
            queue.append(new byte[size]);
        }
    }

    /** Appends records whose text is their number among them. */
    static void appendNumbers(Queue queue, int from, int to) {
        for (int i = from; i < to; i++) {
            append(queue, Integer.toString(i));
        }
    }

    /** Appends a withdrawn record. */
    static void appendWithdrawn(Queue queue) {
        try {
            queue.append(3, _ -> {
                throw new IllegalStateException("withdrawn");
            });
        } catch (IllegalStateException e) {
            if ("withdrawn".equals(e.getMessage())) {
                return;
            }
            throw e;
        }
        throw new AssertionError("The writer has not thrown");
    }

    /** Polls until nothing comes. */
    static void all(Consumer consumer, int max, RecordHandler handler) {
        int polled;
        do {
            polled = consumer.poll(max, handler);
        } while (polled > 0);
    }

    /** Polls, and acknowledges nothing: "offset text". */
    static List<String> poll(Consumer consumer, int max) {
        List<String> polled = new ArrayList<>();
        consumer.poll(max, (offset, payload, _) -> polled.add(offset + " " + text(payload)));
        return polled;
    }

    /** Polls, and acknowledges nothing: "offset deliveries". */
    static List<String> pollCounts(Consumer consumer, int max) {
        List<String> polled = new ArrayList<>();
        consumer.poll(max, (offset, _, deliveries) -> polled.add(offset + " " + deliveries));
        return polled;
    }

    /** Polls and acknowledges: "offset text". */
    static List<String> take(Consumer consumer, int max) {
        List<String> polled = new ArrayList<>();
        consumer.poll(max, (offset, payload, _) -> {
            polled.add(offset + " " + text(payload));
            consumer.acknowledge(offset);
        });
        return polled;
    }

    /** Polls all there are, and acknowledges nothing: their offsets. */
    static List<Long> offsets(Consumer consumer) {
        List<Long> polled = new ArrayList<>();
        Polls.all(consumer, 1000, (offset, _, _) -> polled.add(offset));
        return polled;
    }

    /** The payloads of all records that are kept, as text, read by a group that is gone afterwards. */
    static List<String> texts(Queue queue) {
        List<String> texts = new ArrayList<>();
        String name = "all " + UUID.randomUUID();
        try (Consumer consumer = queue.group(name).consumer()) {
            all(consumer, 1000, (_, payload, _) -> texts.add(text(payload)));
        } finally {
            queue.deleteGroup(name);
        }
        return texts;
    }

    static void awaitAll(Iterable<? extends Future<?>> tasks) throws ExecutionException, InterruptedException {
        for (Future<?> task : tasks) {
            task.get();
        }
    }

    static void joinAll(Iterable<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }

    /** May throw one exception, or none. */
    interface Condition<E extends Exception> {
        boolean holds() throws E;
    }

    static <E extends Exception> void waitWhile(Condition<E> condition) throws E, InterruptedException {
        while (condition.holds()) {
            Thread.sleep(1);
        }
    }

    /** Waits until a thread waits, or has ended. */
    static void untilWaiting(Thread thread) throws InterruptedException {
        EnumSet<Thread.State> running = EnumSet.of(Thread.State.NEW, Thread.State.RUNNABLE, Thread.State.BLOCKED);
        waitWhile(() -> running.contains(thread.getState()));
    }
}
