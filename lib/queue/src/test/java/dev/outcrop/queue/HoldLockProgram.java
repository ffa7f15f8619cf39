package dev.outcrop.queue;

import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Opens a queue, or only locks its lock file without saying who it is, says so, and waits until it is killed. Arguments: directory, what.
 */
final class HoldLockProgram {
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[0]);
        if (arguments[1].equals("queue")) {
            Queue queue = Queue.open(directory);
            System.out.println("open");
            System.in.read();
            queue.close();
            return;
        }
        try (FileChannel channel = FileChannel.open(directory.resolve("lock"), StandardOpenOption.READ,
                StandardOpenOption.WRITE, StandardOpenOption.CREATE)) {
            channel.lock();
            System.out.println("open");
            System.in.read();
        }
    }
}
