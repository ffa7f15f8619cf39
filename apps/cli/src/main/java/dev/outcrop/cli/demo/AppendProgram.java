package dev.outcrop.cli.demo;

import dev.outcrop.queue.Queue;
import java.nio.file.Path;

/**
 * Appends class files to the queue, from the first class file that the queue does not have. It may be killed at any moment and started
 * again.
 */
final class AppendProgram {
    private AppendProgram() {
    }

    /**
     * Appends, and exits with 0, or with 1 after a line with the reason.
     *
     * @param args the directory of the queue; the number of class files; the index of the class file before which to wait for kill -9, or
     *             -1
     */
    public static void main(String[] args) {
        Report report = new Report(System.out);
        System.exit(report.exitCode(() -> append(Path.of(args[0]),
                JdkClasses.list(Integer.parseInt(args[1])), Integer.parseInt(args[2]), report)));
    }

    private static void append(Path directory, JdkClasses classes, int end, Report report) throws InterruptedException {
        try (Queue queue = QueueRecord.open(directory)) {
            // No other program appends, and each class file is one record: the number of records tells which one is next.
            int next = Math.toIntExact(queue.nextOffset());
            report.found(next, classes.size());
            for (int i = next; i < classes.size(); i++) {
                if (i == end) {
                    report.awaitKill();
                }
                QueueRecord.append(queue, classes.key(i), classes.value(i));
                report.at(i + 1);
            }
            queue.sync();
            report.now(classes.size());
        }
    }
}
