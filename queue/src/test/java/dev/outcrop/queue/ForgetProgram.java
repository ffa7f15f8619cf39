package dev.outcrop.queue;

import java.nio.file.Path;

/** Forgets a tailer's name again and again, until it is killed. Arguments: directory, name. */
final class ForgetProgram {
    private ForgetProgram() {
    }

    public static void main(String[] arguments) {
        System.out.println("ready");
        while (true) {
            try {
                boolean _ = QueueFiles.deleteTailer(Path.of(arguments[0]), arguments[1]);
            } catch (QueueLockedException e) {
                Thread.onSpinWait();
            }
        }
    }
}
