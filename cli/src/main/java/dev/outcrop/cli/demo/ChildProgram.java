package dev.outcrop.cli.demo;

import dev.outcrop.cli.demo.Comparison.Difference;
import java.util.concurrent.CountDownLatch;

/** Shared by the programs that the demo starts in JVMs of their own. */
final class ChildProgram {
    private ChildProgram() {
    }

    /** The work of a program. */
    interface Work {
        void run() throws Exception;
    }

    /** Does the work and reports what goes wrong; gives the program's exit code. */
    static int exitCode(Report report, Work work) {
        endWithParent();
        try {
            work.run();
            return 0;
        } catch (Difference e) {
            report.differs(String.valueOf(e.getMessage()));
        } catch (Exception | LinkageError e) {
            report.failed(e.toString());
        }
        return 1;
    }

    /** Reports that nothing more is done, until kill -9 comes. */
    static void awaitKill(Report report) throws InterruptedException {
        report.waits();
        awaitEnd();
    }

    /** Waits for kill -9. */
    static void awaitEnd() throws InterruptedException {
        new CountDownLatch(1).await();
    }

    /** However the parent ends, nothing may go on writing into a directory that is about to be deleted. */
    private static void endWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> Thread.ofPlatform().daemon().start(() -> {
            parent.onExit().join();
            Runtime.getRuntime().halt(1);
        }));
    }
}
