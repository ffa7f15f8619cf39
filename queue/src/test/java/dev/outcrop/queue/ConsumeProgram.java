package dev.outcrop.queue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Appends with one thread and consumes with another until it is killed, in a queue that is bounded, so that files are used again.
 * Acknowledges in random order, and reports before and after. Arguments: directory, file of the report, file of what is acknowledged,
 * number of the producer, seed.
 */
final class ConsumeProgram {
    static final int RUNS = 0;
    static final int IS_OPEN = 1;
    static final int APPENDED = 2;
    /** How many records were acknowledged, by this child. */
    static final int CONSUMED = 3;
    /** 0, or one more than the offset of a record that was delivered although it was acknowledged. */
    static final int DELIVERED_AGAIN = 4;
    static final int REPORT_BYTES = 4096;

    /** The reports for a record: that it is going to be acknowledged, and that it is. */
    static final int PERHAPS = 1;
    static final int ACKNOWLEDGED = 2;

    static final long SEGMENT_SIZE = 16 << 10;
    /** The most records of one producer. */
    static final int MOST = 20_000;
    static final String GROUP = "group";

    private static final int HELD = 50;

    private ConsumeProgram() {
    }

    /** The place of the report for a record. */
    static long index(Payload payload) {
        return payload.producer() * MOST + payload.sequence();
    }

    static QueueOptions options() {
        return new QueueOptions().segmentSize(SEGMENT_SIZE).maxRecords(1000);
    }

    public static void main(String[] arguments) throws Exception {
        Report report = new Report(Path.of(arguments[1]), REPORT_BYTES);
        report.set(RUNS, 1);
        long number = Long.parseLong(arguments[3]);
        Report acknowledged = new Report(Path.of(arguments[2]), (number + 1) * MOST);
        Queue queue = Queue.open(Path.of(arguments[0]), options());
        // Before anything is appended: without a group nothing would be held back.
        Consumer consumer = queue.group(GROUP).consumer();
        report.set(IS_OPEN, 1);
        long seed = Long.parseLong(arguments[4]);
        new Thread(() -> produce(queue, report, number, new SplittableRandom(seed))).start();
        new Thread(() -> consume(consumer, report, acknowledged, new SplittableRandom(seed + 1))).start();
    }

    private static void produce(Queue queue, Report report, long number, SplittableRandom random) {
        for (int sequence = 0; sequence < MOST; sequence++) {
            queue.append(new Payload(number, sequence).bytes(random.nextInt(Payload.LEAST, 300)));
            report.set(APPENDED, sequence + 1);
        }
        // It has got very far and only waits to be killed.
        while (true) {
            LockSupport.park();
        }
    }

    /** A record in the hands of the consumer. */
    private record Held(Delivery delivery, long index) {
    }

    private static void consume(Consumer consumer, Report report, Report acknowledged, SplittableRandom random) {
        List<Held> held = new ArrayList<>();
        long count = 0;
        while (true) {
            Delivery delivery = held.size() < HELD ? consumer.poll() : null;
            if (delivery != null) {
                long index = index(Payload.of(delivery.segment()));
                if (acknowledged.getByte(index) == ACKNOWLEDGED) {
                    report.set(DELIVERED_AGAIN, delivery.offset() + 1);
                }
                held.add(new Held(delivery, index));
            }
            if (delivery == null && held.isEmpty()) {
                LockSupport.parkNanos(50_000);
            }
            if (held.size() == HELD || (delivery == null && !held.isEmpty())) {
                Held one = held.remove(random.nextInt(held.size()));
                acknowledged.setByte(one.index, PERHAPS);
                one.delivery.acknowledge();
                acknowledged.setByte(one.index, ACKNOWLEDGED);
                one.delivery.close();
                report.set(CONSUMED, ++count);
            }
        }
    }
}
