package dev.outcrop.queue;

import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Appends until it is killed, with two threads, of which one waits for the disk with each record and one now and then, and reports each
 * record that it was told is appended, and that it is durable. Arguments: directory, file of the report, number of the first producer,
 * seed.
 */
final class ProduceProgram {
    /** The reports: that the program runs, that the queue is open, and a count for each producer. */
    static final int RUNS = 0;
    static final int IS_OPEN = 1;
    static final int APPENDED = 2;
    static final int DURABLE = 4;
    static final int PRODUCERS = 2;
    static final int REPORT_BYTES = 4096;
    static final long SEGMENT_SIZE = 64 << 10;

    private static final int EVERY = 16;
    private static final int MOST = 20_000;

    private ProduceProgram() {
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(Path.of(arguments[1]), REPORT_BYTES);
        report.set(RUNS, 1);
        Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(SEGMENT_SIZE));
        report.set(IS_OPEN, 1);
        for (int i = 0; i < PRODUCERS; i++) {
            int producer = i;
            long number = Long.parseLong(arguments[2]) + i;
            SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[3]) + i);
            new Thread(() -> produce(queue, report, producer, number, random)).start();
        }
    }

    private static void produce(Queue queue, Report report, int producer, long number, SplittableRandom random) {
        for (int sequence = 0; sequence < MOST; sequence++) {
            int length = random.nextInt(Payload.LEAST, random.nextInt(20) == 0 ? 8000 : 300);
            byte[] payload = new Payload(number, sequence).bytes(length);
            if (producer == 0) {
                queue.with(Durability.SYNCED).append(payload);
            } else {
                queue.append(payload);
            }
            // First: it may be killed before it can tell the other.
            report.set(APPENDED + producer, sequence + 1);
            if (producer == 0) {
                report.set(DURABLE, sequence + 1);
            } else if (sequence % EVERY == EVERY - 1) {
                queue.sync();
                report.set(DURABLE + producer, sequence + 1);
            }
        }
        // It has got very far and only waits to be killed.
        while (true) {
            LockSupport.park();
        }
    }
}
