package dev.outcrop.queue;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Producers, consumers of two groups, of which one gives records back now and then, and a tailer use a small queue for a long time. Prints
 * what they needed, at most and at the end.
 */
final class SoakProgram {
    private static final int SEGMENT_SIZE = 1 << 20;
    private static final int MOST_BEHIND = 2000;
    private static final long PAUSE_NANOS = 300_000;
    private static final Duration SAMPLE = Duration.ofMillis(100);

    private final Path directory;
    private final long end;
    private final long seed;
    private final AtomicLong appended = new AtomicLong();
    private final AtomicLong read = new AtomicLong();
    private final AtomicLong tailed = new AtomicLong();
    private final AtomicInteger producing = new AtomicInteger();
    private volatile boolean isMeasured;

    private SoakProgram(Path directory, long seed, Duration time) {
        this.directory = directory;
        this.seed = seed;
        this.end = System.nanoTime() + time.toNanos();
    }

    static void main(String[] arguments) throws Exception {
        new SoakProgram(Path.of(arguments[0]).toRealPath(), Long.parseLong(arguments[1]),
                Duration.ofSeconds(Long.parseLong(arguments[2]))).run();
    }

    /** Not before the use of the whole queue was measured once: on a busy machine the queue and the tailer may open late. */
    private boolean isOver() {
        return System.nanoTime() - end >= 0 && isMeasured;
    }

    private void run() throws Exception {
        long mappings = 0;
        long descriptors = 0;
        // Opened anew again and again, as programs are that restart.
        while (!isOver()) {
            long until = System.nanoTime() + Duration.ofSeconds(20).toNanos();
            QueueOptions options = new QueueOptions().segmentSize(SEGMENT_SIZE).maxBytes(10L * SEGMENT_SIZE);
            try (Queue queue = Queue.open(directory, options);
                    ExecutorService threads = Executors.newCachedThreadPool()) {
                queue.group("checking");
                queue.group("giving back");
                producing.set(2);
                Future<?> checking = threads.submit(() -> consume(queue, "checking", 0));
                Future<?> givingBack = threads.submit(() -> consume(queue, "giving back", 10));
                Future<?> tailing = threads.submit(() -> tail(until));
                Future<?> first = threads.submit(() -> produce(queue, 1, until));
                Future<?> second = threads.submit(() -> produce(queue, 2, until));
                for (Future<?> each : new Future<?>[]{first, second, checking, givingBack, tailing}) {
                    while (!isDone(each)) {
                        boolean isTailed = tailed.get() > 0;
                        mappings = Math.max(mappings, SystemUse.mappings(directory));
                        descriptors = Math.max(descriptors, SystemUse.descriptors(directory));
                        isMeasured |= isTailed;
                    }
                }
            }
        }
        System.out.println("mappings " + mappings + " then " + SystemUse.mappings(directory));
        System.out.println("descriptors " + descriptors + " then " + SystemUse.descriptors(directory));
        System.out.println("anonymous KiB " + SystemUse.anonymousKib());
        System.out.println("appended " + appended + " read " + read + " tailed " + tailed);
    }

    private static boolean isDone(Future<?> work) throws InterruptedException, ExecutionException {
        try {
            work.get(SAMPLE.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    private boolean isOver(long until) {
        return isOver() || System.nanoTime() - until >= 0;
    }

    private boolean produce(Queue queue, long producer, long until) {
        Random random = new Random(seed + producer);
        try {
            while (!isOver(until)) {
                queue.append(Payloads.of((int) producer, random.nextInt(), 32 + random.nextInt(4000)));
                appended.incrementAndGet();
                // Given-back files wait for the disk, so no more than disks can write.
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } finally {
            producing.decrementAndGet();
        }
        return true;
    }

    /** Until the producers have ended and nothing is left. */
    private boolean consume(Queue queue, String group, int oneOf) throws InterruptedException {
        try (Consumer consumer = queue.group(group).consumer()) {
            boolean isAllThere;
            int count;
            do {
                // Before the poll: a producer may be about to append when its time is over, and get no processor.
                isAllThere = producing.get() == 0;
                count = consumer.poll(50, Duration.ofMillis(200), (offset, payload, deliveries) -> {
                    Payloads.intact(payload);
                    if (oneOf > 0 && deliveries == 1 && offset % oneOf == 0) {
                        consumer.giveBack(offset);
                    } else {
                        consumer.acknowledge(offset);
                        read.incrementAndGet();
                    }
                });
            } while (count > 0 || !isAllThere);
        }
        return true;
    }

    private boolean tail(long until) throws IOException, InterruptedException {
        try (Tailer tailer = Tailer.open(directory)) {
            tailer.seekToEnd();
            while (!isOver(until)) {
                if (tailer.poll(Duration.ofMillis(10))) {
                    Payloads.intact(tailer.segment());
                    tailed.incrementAndGet();
                    if (appended.get() - tailer.offset() > MOST_BEHIND) {
                        // Records that a tailer needs are kept, whatever the bound.
                        tailer.seekToEnd();
                    }
                }
            }
        }
        return true;
    }
}
