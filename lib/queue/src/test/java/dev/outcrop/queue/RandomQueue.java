package dev.outcrop.queue;

import dev.outcrop.queue.internal.files.QueueLayout;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Writes a queue of a few small segments, with all features, and remembers its records. */
final class RandomQueue {
    private static final int LARGEST = 2 * QueueLayout.PAGE - QueueLayout.HEADER - QueueLayout.PAYLOAD;

    private final Path directory;
    private final SplittableRandom random;
    private final int producer;
    /** Payload sizes; 0 for all of them. */
    private final int sizes;
    private final boolean isDurable;
    private final SortedMap<Long, Integer> lengths = new TreeMap<>();

    RandomQueue(Path directory, SplittableRandom random) {
        this.directory = directory;
        this.random = random;
        this.producer = random.nextInt();
        this.sizes = random.nextInt(5);
        this.isDurable = random.nextInt(4) == 0;
    }

    private static QueueOptions options() {
        return new QueueOptions().segmentSize(2L * QueueLayout.PAGE).backgroundThread(false);
    }

    static Queue open(Path directory) {
        return Queue.open(directory, options());
    }

    /** Writes it, and copies it, closed or as a process leaves it that is killed. */
    void make(Path copy) throws IOException {
        long bytes = random.nextLong(1, 7 * 8192);
        int sessions = 1 + (random.nextInt(3) == 0 ? random.nextInt(3) : 0);
        boolean isKilled = random.nextInt(3) == 0;
        for (int i = 0; i < sessions; i++) {
            try (Queue queue = open(directory)) {
                if (random.nextBoolean()) {
                    queue.group("one");
                }
                if (random.nextInt(3) == 0) {
                    queue.group("two");
                }
                append(queue, bytes / sessions);
                if (isKilled && i == sessions - 1) {
                    Sample.copy(directory, copy);
                }
            }
        }
        if (!isKilled) {
            Sample.copy(directory, copy);
        }
    }

    private void append(Queue queue, long bytes) {
        for (long left = bytes; left > 0;) {
            int length = length();
            switch (random.nextInt(20)) {
                case 0 -> left -= batch(queue);
                case 1 -> withdraw(queue, length);
                case 2 -> {
                    if (isDurable) {
                        queue.sync();
                    }
                }
                case 3 -> acknowledge(queue);
                default -> {
                    byte[] payload = payload(queue.nextOffset(), length);
                    long offset = isDurable && random.nextInt(10) == 0
                            ? queue.with(Durability.SYNCED).append(payload)
                            : queue.append(payload);
                    lengths.put(offset, length);
                }
            }
            left -= QueueLayout.PAYLOAD + length;
        }
    }

    private int length() {
        return switch (sizes) {
            case 0 -> 0;
            case 1 -> random.nextInt(40);
            case 2 -> random.nextInt(8) == 0 ? random.nextInt(LARGEST + 1) : random.nextInt(300);
            case 3 -> 200;
            default -> random.nextInt(3) == 0 ? 0 : random.nextInt(1000);
        };
    }

    private long batch(Queue queue) {
        List<MemorySegment> payloads = new ArrayList<>();
        long first = queue.nextOffset();
        long bytes = 0;
        for (int i = random.nextInt(1, 9); i > 0; i--) {
            int length = Math.min(length(), LARGEST / 10);
            lengths.put(first + payloads.size(), length);
            payloads.add(MemorySegment.ofArray(payload(first + payloads.size(), length)));
            bytes += QueueLayout.PAYLOAD + length;
        }
        queue.append(payloads);
        return bytes;
    }

    private static void withdraw(Queue queue, int length) {
        try {
            queue.append(length, _ -> {
                throw new IllegalArgumentException("withdrawn");
            });
        } catch (IllegalArgumentException e) {
            // As expected.
            return;
        }
    }

    /** Some groups acknowledge some records, so that files are given back, and used again. */
    private void acknowledge(Queue queue) {
        for (String name : queue.groups()) {
            if (random.nextBoolean()) {
                try (Consumer consumer = queue.group(name).consumer()) {
                    consumer.poll(random.nextInt(1, 100), (offset, _, _) -> {
                        if (random.nextInt(30) != 0) {
                            consumer.acknowledge(offset);
                        }
                    });
                }
            }
        }
    }

    private byte[] payload(long offset, int length) {
        return Payloads.of(producer, offset, length);
    }

    /** Whether a record is one that was appended, as it was. */
    boolean isIntact(long offset, byte[] payload) {
        Integer length = lengths.get(offset);
        return length != null && java.util.Arrays.equals(payload(offset, length), payload);
    }
}
