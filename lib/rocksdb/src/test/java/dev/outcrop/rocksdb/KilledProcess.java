package dev.outcrop.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.outcrop.testsupport.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** Runs a program that prints a line for each step, and kills it. */
final class KilledProcess {
    private KilledProcess() {
    }

    /**
     * Kills the program, as kill -9 does, some time after it has printed what is waited for.
     *
     * @param isEnough is shown each line, until it says so
     * @return all lines that it has printed
     */
    static List<String> linesOf(Class<?> program, Predicate<String> isEnough, long pauseNanos, Object... arguments)
            throws IOException, InterruptedException {
        List<String> done = new ArrayList<>();
        boolean isKilled = false;
        Process process = ChildJvm.shortLived().start(program, arguments);
        try (BufferedReader output = process.inputReader()) {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                done.add(line);
                if (!isKilled && isEnough.test(line)) {
                    isKilled = true;
                    LockSupport.parkNanos(pauseNanos);
                    // SIGKILL on Linux and macOS. By the handle, because the process itself would close the stream, with lines in it.
                    process.toHandle().destroyForcibly();
                }
            }
        } catch (IOException e) {
            // The stream of a process that was killed may end like this.
        }
        assertThat(process.waitFor()).as("exit code after %s", done).isNotZero();
        assertThat(isKilled).as("killed after %s", done).isTrue();
        return done;
    }
}
