package dev.outcrop.pipeline;

import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program that says when it runs and when it works, and kills it at a random moment of that. Because most of the time would go into
 * starting programs, it also stops one for a while, where the system can do that: its files are then what they would be if it had been
 * killed.
 */
final class KilledProgram {
    private static final long STARTING_NANOS = TimeUnit.MILLISECONDS.toNanos(150);
    private static final long WORKING_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

    private final Class<?> program;
    private final Path directory;
    private final Random random;
    private int kills;

    KilledProgram(Class<?> program, Path directory, Random random) {
        this.program = program;
        this.directory = directory;
        this.random = random;
    }

    /** Checks the files of the program after it was killed. */
    interface Check {
        void check(Path files) throws Exception;
    }

    /** How often it was killed, or stopped, which is the same. */
    int kills() {
        return kills;
    }

    /** Starts the program with its directory and a seed, stops it some times, and kills it in the end. */
    void run(int stops, Check check) throws Exception {
        // Now and then while it opens its files and finds out where to go on.
        boolean isStarting = random.nextInt(5) == 0;
        Process process = ChildJvm.shortLived().start(program, directory, random.nextLong());
        StringBuilder said = new StringBuilder();
        boolean isKilled = false;
        try (BufferedReader output = process.inputReader()) {
            for (String line = read(output); line != null; line = read(output)) {
                said.append(line).append('\n');
                if (line.equals(isStarting ? "runs" : "works")) {
                    for (int i = 0; i < stops && !isStarting; i++) {
                        LockSupport.parkNanos(random.nextLong(WORKING_NANOS));
                        stop(process, check);
                    }
                    LockSupport.parkNanos(random.nextLong(isStarting ? STARTING_NANOS : WORKING_NANOS));
                    isKilled = process.isAlive();
                    ChildJvm.kill(process);
                } else if (line.startsWith("failed")) {
                    throw new AssertionError(said);
                }
            }
        } finally {
            process.toHandle().destroyForcibly();
        }
        int exit = process.waitFor();
        if (!isKilled) {
            throw new AssertionError("The program has ended by itself with " + exit + ":\n" + said);
        }
        kills++;
        check.check(directory);
    }

    private static @Nullable String read(BufferedReader output) {
        try {
            return output.readLine();
        } catch (IOException e) {
            // The stream of a process that was killed may end like this.
            return null;
        }
    }

    /** Stops it, and looks at a copy of its files. */
    private void stop(Process process, Check check) throws Exception {
        Path tasks = Path.of("/proc", Long.toString(process.pid()), "task");
        if (!Files.isDirectory(tasks)) {
            return;
        }
        signal(process, "-STOP");
        // Twice: a thread that was started while the first look went on is in the second one.
        for (int looks = 0; looks < 2 && process.isAlive();) {
            if (isStopped(tasks)) {
                looks++;
            } else {
                looks = 0;
                LockSupport.parkNanos(100_000);
            }
        }
        Path copy = directory.resolveSibling("copy");
        copy(directory, copy);
        kills++;
        check.check(copy);
        delete(copy);
        signal(process, "-CONT");
    }

    private static void signal(Process process, String signal) throws IOException, InterruptedException {
        if (new ProcessBuilder("kill", signal, Long.toString(process.pid())).inheritIO().start().waitFor() != 0) {
            throw new AssertionError("kill " + signal + " has failed");
        }
    }

    /** Whether all its threads are: the signal does not wait for them. */
    private static boolean isStopped(Path tasks) {
        try (Stream<Path> threads = Files.list(tasks)) {
            for (Path thread : (Iterable<Path>) threads::iterator) {
                String status = Files.readString(thread.resolve("stat"));
                if (status.charAt(status.lastIndexOf(')') + 2) != 'T') {
                    return false;
                }
            }
            return true;
        } catch (IOException e) {
            // A thread has ended meanwhile.
            return false;
        }
    }

    static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.copy(file, to.resolve(from.relativize(file)));
            }
        }
    }

    static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.sorted(java.util.Comparator.reverseOrder())::iterator) {
                Files.delete(file);
            }
        }
    }
}
