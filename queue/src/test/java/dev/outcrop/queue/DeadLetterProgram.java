package dev.outcrop.queue;

import java.nio.file.Path;
import java.time.Duration;

/** Fails to handle any record, so that all go to the dead letters, until it is killed. Arguments: directory, file of the report. */
final class DeadLetterProgram {
    static final int IS_OPEN = 0;
    static final int DEAD = 1;
    static final int REPORT_BYTES = 4096;
    static final String GROUP = "group";

    private DeadLetterProgram() {
    }

    static QueueOptions options() {
        return new QueueOptions().segmentSize(16 << 10);
    }

    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        Report report = new Report(Path.of(arguments[1]), REPORT_BYTES);
        Queue dead = Queue.open(directory.resolve("dead"), options());
        Queue queue = Queue.open(directory.resolve("queue"), options());
        Consumer consumer = queue.group(GROUP, new GroupOptions().deadLetters(2, dead)).consumer();
        report.set(IS_OPEN, 1);
        while (true) {
            try (Delivery delivery = consumer.poll(Duration.ofMinutes(5))) {
                if (delivery != null) {
                    boolean _ = delivery.giveBack();
                }
            }
            report.set(DEAD, queue.statistics().deadLetters());
        }
    }
}
