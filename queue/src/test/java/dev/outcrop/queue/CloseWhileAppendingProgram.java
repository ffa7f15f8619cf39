package dev.outcrop.queue;

import dev.outcrop.testsupport.TestSize;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Closes a queue to which virtual threads and others append without a pause. Fails if that takes very long. Argument: directory. */
final class CloseWhileAppendingProgram {
    private static final int ROUNDS = TestSize.choose("outcrop.closings", 2, 20);
    private static final int MOST_SECONDS = 100;
    /** Files of two records, so that producers meet where one ends. */
    private static final int SEGMENT = 8192;
    private static final int SIZE = 3000;
    private static final int RECORDS = 400;

    private CloseWhileAppendingProgram() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Queue queue = Queue.open(Path.of(arguments[0] + round),
                    new QueueOptions().segmentSize(SEGMENT).keepBytes(1));
            List<Thread> producers = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                producers.add(Thread.ofVirtual().start(() -> append(queue)));
            }
            producers.add(Thread.ofPlatform().daemon().start(() -> append(queue)));
            while (queue.nextOffset() < RECORDS) {
                Thread.sleep(1);
            }
            Thread closer = Thread.ofPlatform().daemon().start(queue::close);
            if (!closer.join(Duration.ofSeconds(MOST_SECONDS))) {
                System.out.println("not closed in round " + round);
                System.exit(1);
            }
            for (Thread producer : producers) {
                producer.join();
            }
        }
        System.out.println("closed");
    }

    private static void append(Queue queue) {
        byte[] record = new byte[SIZE];
        try {
            while (queue.append(record) >= 0) {
                // And the next one.
            }
        } catch (IllegalStateException e) {
            // Closed.
            return;
        }
    }
}
