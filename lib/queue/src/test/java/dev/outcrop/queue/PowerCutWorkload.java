package dev.outcrop.queue;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A program that uses a queue in every way that touches the disk, and marks in the trace what it was told:
 *
 * <pre>
 * try PRODUCER NUMBER               a record is going to be appended
 * append OFFSET PRODUCER NUMBER     an append has returned
 * durable OFFSET PRODUCER NUMBER    the record was said to be on the disk, with all before it
 * prefix OFFSET                     all records before this offset were said to be on the disk
 * group NAME                        a group was made
 * one NAME OFFSET                   the record is going to be acknowledged
 * upto NAME OFFSET                  this record and all before it are going to be
 * closed                            the queue was closed
 * halt                              ends the process, as kill -9 would
 * </pre>
 */
final class PowerCutWorkload {
    static final String ORDERED = "ordered";
    /** Two consumers, which acknowledge in any order, some of it late. */
    static final String SHARED = "shared";
    private static final List<String> CONSUMERS = List.of(ORDERED, SHARED, SHARED);
    private static final int PRODUCERS = 3;
    private static final int PHASES = 3;

    private final FileOutputStream marks;
    private final Random random;
    private final int records;
    private final long firstNumber;
    private final int largest;
    private final AtomicInteger left;
    private volatile boolean isOver;

    private PowerCutWorkload(FileOutputStream marks, Random random, int records, long firstNumber, int killedAfter) {
        this.marks = marks;
        this.random = random;
        this.records = records;
        this.firstNumber = firstNumber;
        this.left = new AtomicInteger(killedAfter);
        this.largest = Payloads.SHORTEST + random.nextInt(1500);
    }

    /**
     * Runs it.
     *
     * @param arguments the queue's directory; the file for marks; a seed; how many records each producer appends each time that the queue
     *                  is open; the first record's number; after how many records it ends like a killed one
     */
    static void main(String[] arguments) throws Exception {
        try (FileOutputStream marks = new FileOutputStream(arguments[1], true)) {
            Random random = new Random(Long.parseLong(arguments[2]));
            PowerCutWorkload workload = new PowerCutWorkload(marks, random, Integer.parseInt(arguments[3]),
                    Long.parseLong(arguments[4]), Integer.parseInt(arguments[5]));
            int segmentSize = 4096 * (2 + random.nextInt(7));
            for (int phase = 0; phase < PHASES; phase++) {
                workload.run(Path.of(arguments[0]), phase, segmentSize);
            }
        }
    }

    /** In one call, so that it is one mark. */
    private void mark(String mark) {
        try {
            marks.write(mark.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void run(Path directory, int phase, int segmentSize) throws Exception {
        Durability durability = switch (random.nextInt(4)) {
            case 0 -> Durability.groupCommit(Duration.ofMillis(1 + random.nextInt(20)), 20_000);
            case 1 -> Durability.SYNCED;
            default -> Durability.PAGE_CACHE;
        };
        QueueOptions options = new QueueOptions().segmentSize(segmentSize).durability(durability)
                .backgroundThread(random.nextInt(3) > 0);
        if (random.nextBoolean()) {
            options.maxRecords(100 + random.nextInt(100));
        }
        isOver = false;
        boolean isEveryAppend = durability.equals(Durability.SYNCED);
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            Queue queue = Queue.open(directory, options);
            for (String group : List.of(ORDERED, SHARED)) {
                queue.group(group);
                mark("group " + group);
            }
            use(queue, threads, phase, isEveryAppend);
            long end = queue.nextOffset();
            queue.close();
            mark("prefix " + end);
            mark("closed");
        }
    }

    private void use(Queue queue, ExecutorService threads, int phase, boolean isEveryAppend) throws Exception {
        try {
            ExecutorCompletionService<Object> tasks = new ExecutorCompletionService<>(threads);
            for (int producer = 0; producer < PRODUCERS; producer++) {
                int number = producer;
                long seed = random.nextLong();
                tasks.submit(() -> produce(queue, number, phase, isEveryAppend, new Random(seed)));
            }
            for (String group : CONSUMERS) {
                long seed = random.nextLong();
                tasks.submit(() -> consume(queue, group, new Random(seed)));
            }
            // As they end: until all producers have, only a consumer that fails does, and a producer may wait for that one without an end.
            for (int ended = 0; ended < PRODUCERS + CONSUMERS.size(); ended++) {
                isOver |= ended == PRODUCERS;
                tasks.take().get();
            }
        } catch (Throwable e) {
            // No thread waits for one that has failed.
            isOver = true;
            threads.shutdownNow();
            throw e;
        }
    }

    private Object produce(Queue queue, int producer, int phase, boolean isEveryAppend, Random own) throws Exception {
        List<CompletableFuture<Void>> futures = new ArrayList<>();
        for (int i = 0; i < records; i++) {
            long number = firstNumber + (long) phase * records + i;
            byte[] payload = Payloads.of(producer, number, Payloads.SHORTEST + own.nextInt(largest));
            String who = " " + producer + " " + number;
            if (left.decrementAndGet() == 0) {
                mark("halt");
            }
            mark("try" + who);
            switch (own.nextInt(12)) {
                case 0, 1 -> mark("durable " + queue.with(Durability.SYNCED).append(payload) + who);
                case 2 -> futures.add(queue.async().append(MemorySegment.ofArray(payload))
                        .thenAccept(offset -> mark("durable " + offset + who)));
                case 3 -> {
                    long offset = queue.append(payload.length, to -> Payloads.fill(to, producer, number));
                    mark("append " + offset + who);
                    queue.sync();
                    mark("durable " + offset + who);
                }
                case 4 -> {
                    withdraw(queue, own);
                    mark((isEveryAppend ? "durable " : "append ") + queue.append(payload) + who);
                }
                case 5 ->
                    i += appendBatch(queue, producer, number, Math.min(own.nextInt(4), records - 1 - i), isEveryAppend,
                            own);
                default -> mark((isEveryAppend ? "durable " : "append ") + queue.append(payload) + who);
            }
            if (own.nextInt(20) == 0) {
                mark("prefix " + queue.durableOffset());
            }
        }
        for (CompletableFuture<Void> future : futures) {
            future.get();
        }
        return futures;
    }

    private int appendBatch(Queue queue, int producer, long number, int more, boolean isEveryAppend, Random own) {
        List<MemorySegment> batch = new ArrayList<>();
        for (int i = 0; i <= more; i++) {
            if (i > 0) {
                mark("try " + producer + " " + (number + i));
            }
            batch.add(MemorySegment
                    .ofArray(Payloads.of(producer, number + i, Payloads.SHORTEST + own.nextInt(largest))));
        }
        boolean isDurable = isEveryAppend || own.nextBoolean();
        long first = isDurable && own.nextBoolean() ? queue.with(Durability.SYNCED).append(batch) : queue.append(batch);
        if (isDurable) {
            queue.sync();
        }
        for (int i = 0; i <= more; i++) {
            mark((isDurable ? "durable " : "append ") + (first + i) + " " + producer + " " + (number + i));
        }
        return more;
    }

    /** A record that must never be delivered. */
    private static void withdraw(Queue queue, Random own) {
        try {
            queue.append(Payloads.SHORTEST + own.nextInt(100), payload -> {
                Payloads.fill(payload, PRODUCERS, 0);
                throw new IllegalStateException("on purpose");
            });
        } catch (IllegalStateException e) {
            if (!"on purpose".equals(e.getMessage())) {
                throw e;
            }
        }
    }

    private Object consume(Queue queue, String group, Random own) throws InterruptedException {
        List<Long> held = new ArrayList<>();
        try (Consumer consumer = queue.group(group).consumer()) {
            while (!isOver) {
                int count = consumer.poll(1 + own.nextInt(20), Duration.ofMillis(1), (offset, payload, _) -> {
                    Payloads.intact(payload);
                    held.add(offset);
                });
                if (count > 0 && group.equals(ORDERED)) {
                    long last = held.getLast();
                    held.clear();
                    mark("upto " + group + " " + last);
                    consumer.acknowledgeUpTo(last);
                } else {
                    Collections.shuffle(held, own);
                    while (!held.isEmpty() && own.nextInt(8) > 0) {
                        long offset = held.removeLast();
                        mark("one " + group + " " + offset);
                        consumer.acknowledge(offset);
                    }
                }
            }
        }
        return held;
    }
}
