package dev.outcrop.queue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Appends durably from virtual threads, and prints how often the disk was written for that. Argument: directory. */
final class OneCarrierProgram {
    static final int PRODUCERS = 8;
    static final int RECORDS = 50;

    private OneCarrierProgram() {
    }

    public static void main(String[] arguments) throws InterruptedException {
        try (Queue queue = Queue.open(Path.of(arguments[0]), new QueueOptions().segmentSize(64 << 10))) {
            List<Thread> producers = new ArrayList<>();
            for (int i = 0; i < PRODUCERS; i++) {
                producers.add(Thread.ofVirtual().start(() -> {
                    for (int record = 0; record < RECORDS; record++) {
                        queue.with(Durability.SYNCED).append(new byte[10]);
                    }
                }));
            }
            for (Thread producer : producers) {
                producer.join();
            }
            System.out.println(queue.statistics().syncs().count());
        }
    }
}
