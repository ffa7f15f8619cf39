package dev.outcrop.cli.demo;

import dev.outcrop.cli.demo.Proof.Difference;
import java.io.PrintStream;
import java.util.concurrent.CountDownLatch;

/**
 * The lines that the programs of the demo print for it, words separated by one space.
 *
 * <pre>
 * found RECORDS TOTAL             so many records of so many were there before
 * at RECORDS                      so many are done
 * waits                           nothing more is done until kill -9 comes
 * differs MESSAGE                 a byte that was read is not the byte that was stored
 * failed MESSAGE                  something else went wrong
 * </pre>
 *
 * The programs of the sides that are compared print more lines. Their base class in the module {@code benchmarks} describes them.
 */
final class Report {
    private final PrintStream out;
    private int step = 1;

    Report(PrintStream out) {
        this.out = out;
    }

    /** The work of a program. */
    interface Work {
        void run() throws Exception;
    }

    /** Does the work of a program, reports failures, and returns the program's exit code. */
    int exitCode(Work work) {
        endWithParent();
        try {
            work.run();
            return 0;
        } catch (Difference e) {
            say("differs " + e.getMessage());
        } catch (Exception | LinkageError e) {
            say("failed " + e.toString().strip().replaceAll("\\s*\\R\\s*", " "));
        }
        return 1;
    }

    /**
     * Ends this program when its parent ends, however that happens: no program may go on writing into a directory that is about to be
     * deleted.
     */
    private static void endWithParent() {
        // The parent gives its id, because the system gives a new parent to a child that has lost its own.
        Long parent = Long.getLong("outcrop.parent");
        if (parent != null) {
            Thread.ofPlatform().daemon().start(() -> {
                ProcessHandle.of(parent).ifPresent(handle -> handle.onExit().join());
                Runtime.getRuntime().halt(1);
            });
        }
    }

    /** Reports that this program waits, and waits for kill -9. */
    void awaitKill() throws InterruptedException {
        say("waits");
        awaitEnd();
    }

    /** Waits for kill -9. */
    static void awaitEnd() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** Reports how many records were done before. The program goes on after them. */
    void found(int records, int total) {
        step = Math.max(1, total / 100);
        say("found " + records + " " + total);
    }

    /** Reports how many records are done. */
    void now(int records) {
        say("at " + records);
    }

    /** Reports progress after every hundredth part of all records. Called after each record. */
    void at(int records) {
        if (records % step == 0) {
            now(records);
        }
    }

    private void say(String line) {
        out.println(line);
        out.flush();
    }
}
