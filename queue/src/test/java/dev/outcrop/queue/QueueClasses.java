package dev.outcrop.queue;

import dev.outcrop.testsupport.StartArchive;
import java.io.IOException;
import java.nio.file.Path;

/** Loads the classes of a queue, for a {@link StartArchive}. Argument: a directory for a new queue. */
final class QueueClasses {
    private QueueClasses() {
    }

    static void main(String[] arguments) throws IOException {
        new Report(Path.of(arguments[0] + ".report"), ProduceProgram.REPORT_BYTES).set(ProduceProgram.RUNS, 1);
        try (Queue queue = Queue.open(Path.of(arguments[0]), ConsumeProgram.options());
                Consumer consumer = queue.group(ConsumeProgram.GROUP).consumer()) {
            queue.append(new Payload(0, 0).bytes(100));
            queue.with(Durability.SYNCED).append(new Payload(0, 1).bytes(100));
            for (Delivery delivery = consumer.poll(); delivery != null; delivery = consumer.poll()) {
                Payload _ = Payload.of(delivery.segment());
                delivery.acknowledge();
                delivery.close();
            }
        }
    }
}
