package dev.outcrop.queue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Common steps of tests with consumer groups. */
final class Polls {
    private Polls() {
    }

    static String text(MemorySegment payload) {
        return new String(payload.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
    }

    static void append(Queue queue, String... texts) {
        for (String text : texts) {
            queue.append(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Appends numbers as text. */
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
        while (consumer.poll(1000, (offset, _, _) -> polled.add(offset)) > 0) {
            // And the next ones.
        }
        return polled;
    }

    /** Copies the files as a kill -9 at this moment would leave them. */
    static Path afterKill(Path queue, Path copy) throws IOException {
        for (int attempt = 0;; attempt++) {
            Path target = Files.createDirectories(copy).resolve("attempt-" + attempt);
            if (isCopied(queue, target)) {
                return target;
            }
        }
    }

    /** Returns false if the queue's background thread has renamed files meanwhile. */
    private static boolean isCopied(Path queue, Path target) throws IOException {
        try {
            List<Path> files = files(queue);
            for (Path file : files) {
                Path to = target.resolve(queue.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(to);
                } else {
                    Files.copy(file, to);
                }
            }
            return files(queue).equals(files);
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private static List<Path> files(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.sorted().toList();
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
